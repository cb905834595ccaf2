// Keeps the screen on while a recipe is read. The Wake Lock exists only on https
// and localhost; elsewhere a silent video does it, which must be visible and
// large to count: it lies behind the page.

let wanted = false, lock, video;

/** awake keeps the screen on, or lets it sleep again. It resolves to how:
 * "lock", "video", or "" when the browser allows neither (yet). */
export async function awake(on) {
	wanted = on;
	if (!on) return release();
	const how = (await takeLock()) || (await playVideo());
	document.documentElement.dataset.awake = how;
	return how;
}

async function takeLock() {
	if (!navigator.wakeLock) return "";
	try {
		lock ??= await navigator.wakeLock.request("screen");
		lock.addEventListener("release", () => { lock = undefined; }, { once: true });
		return "lock";
	} catch {
		return "";
	}
}

async function playVideo() {
	if (!video) {
		video = Object.assign(document.createElement("video"), { muted: true, loop: true, playsInline: true, className: "awake", tabIndex: -1 });
		video.setAttribute("aria-hidden", "true");
		for (const kind of ["webm", "mp4"]) {
			video.append(Object.assign(document.createElement("source"), { src: new URL(`./awake.${kind}`, import.meta.url), type: `video/${kind}` }));
		}
		document.body.append(video);
	}
	try {
		await video.play();
		return "video";
	} catch {
		return ""; // not before a touch: see below
	}
}

async function release() {
	const held = lock;
	lock = undefined;
	await held?.release().catch(() => {});
	video?.remove();
	video = undefined;
	document.documentElement.dataset.awake = "";
	return "";
}

// A lock ends when the page is hidden, and a video may begin only at a touch.
for (const news of ["visibilitychange", "pointerup"]) {
	document.addEventListener(news, () => {
		if (wanted && !document.hidden && !lock && (!video || video.paused)) awake(true);
	});
}
