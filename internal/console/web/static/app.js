// The frame of the console: which view is shown, what is drawn again when, the
// dock below. The pages share one document, so that the microphone, the screen's
// wake lock and the connection outlive a change of page.

import { html, nothing, render } from "./lib/lit-html.js";
import { connect, order, state, watch } from "./live-socket.js";
import { awake } from "./awake.js";
import { icon } from "./icons.js";
import { t } from "./words.js";
import { voice } from "./voice.js";
import { Cook } from "./views/cook.js";
import { Edit } from "./views/edit.js";
import { History } from "./views/history.js";
import { Live } from "./views/live.js";
import { Recipe } from "./views/recipe.js";
import { Recipes } from "./views/recipes.js";
import { Session } from "./views/session.js";
import { Settings } from "./views/settings.js";
import { Talk } from "./views/talk.js";

const routes = [
	[/^\/$/, Live], [/^\/cook$/, Cook],
	[/^\/recipes$/, Recipes], [/^\/recipes\/new$/, Edit], [/^\/recipes\/([^/]+)\/edit$/, Edit], [/^\/recipes\/([^/]+)$/, Recipe],
	[/^\/history$/, History], [/^\/history\/([^/]+)$/, Session],
	[/^\/talk$/, Talk], [/^\/settings$/, Settings],
];
const main = document.getElementById("view");
const [link, dock, announcer] = ["link", "dock", "announce"].map((id) => document.getElementById(id));
let view, toast, toastTimer, drawing = false, visit = 0;

/** page is what a view may ask of the frame. */
const page = {
	redraw() {
		if (drawing) return;
		drawing = true;
		requestAnimationFrame(draw);
	},
	/** tell shows one sentence for a while, and reads it out. */
	tell(text) {
		toast = text;
		announce(text);
		clearTimeout(toastTimer);
		toastTimer = setTimeout(() => { toast = undefined; page.redraw(); }, 6000);
		page.redraw();
	},
	/** failed tells what went wrong. */
	failed(error) { page.tell(error.code === "offline" ? t("offlineOrder") : error.message || t("failed")); },
	/** order sends an order; a refusal is told. It resolves to the result or null. */
	async order(what, delta) {
		try {
			return await order(what, delta);
		} catch (error) {
			page.failed(error);
			return null;
		}
	},
	go(path, { replace = false } = {}) {
		history[replace ? "replaceState" : "pushState"](null, "", path);
		show();
	},
};

function announce(text) { announcer.textContent = text; }

/** show makes the view of the address; first says that the document is new. */
async function show(first) {
	const mine = ++visit;
	const [pattern, View] = routes.find(([p]) => p.test(location.pathname)) ?? routes[0];
	const names = location.pathname.match(pattern)?.slice(1).map(decodeURIComponent) ?? [];
	const next = new View(page, names, new URLSearchParams(location.search));
	try {
		if (next.load) await next.load();
	} catch (error) {
		if (mine !== visit) return;
		if (view) return page.failed(error);
		next.draw = () => html`<div class="empty">${icon("warn")}<p>${error.message || t("failed")}</p><a class="b" href="/">${t("navLive")}</a></div>`;
	}
	if (mine !== visit) return;
	view?.leave?.();
	view = next;
	awake(!!view.awake);
	mark();
	render(nothing, main);
	draw();
	if (!first) {
		window.scrollTo(0, 0);
		main.focus({ preventScroll: true });
	}
}

/** mark names the page in the title and the tabs. */
function mark() {
	document.title = `${view.title()} · homebot`;
	for (const a of document.querySelectorAll(".tabs a, .top .b")) {
		const here = a.pathname === "/" ? location.pathname === "/" : location.pathname.startsWith(a.pathname);
		here ? a.setAttribute("aria-current", "page") : a.removeAttribute("aria-current");
	}
	const other = document.getElementById("lang");
	const url = new URL(location.href);
	url.searchParams.set("lang", other.hreflang);
	other.href = url.pathname + url.search;
}

function draw() {
	drawing = false;
	if (!view) return;
	render(view.draw(), main);
	view.drawn?.();
	link.classList.toggle("off", !state.online);
	const says = state.online ? t("connected") : t("notConnected");
	if (link.textContent !== says) link.textContent = says;
	render(docked(), dock);
}

/** docked is what lies over every page: what rings, the microphone, a message. */
function docked() {
	const rings = state.timers.filter((timer) => timer.state === "ringing");
	return html`
		${rings.length ? html`<div class="alarm" role="alert">${icon("ringing")}<span class="grow">${t("rings", rings.map((r) => r.label || t("timer")).join(", "))}</span>
			<button class="b" @click=${() => page.order({ do: "timer", action: "stop" })}>${t("stop")}</button></div>` : nothing}
		${voice.on && !(view instanceof Talk) ? html`<div>${icon("listening")}<span class="grow">${voice.says()}</span>
			<button class="b" @click=${() => voice.stop()}>${t("micOff")}</button></div>` : nothing}
		${toast ? html`<div class="toast"><span class="grow">${toast}</span></div>` : nothing}`;
}

// Links to our own pages change the view; everything else is the browser's.
document.addEventListener("click", (event) => {
	const a = event.target.closest?.("a[href]");
	if (!a || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || a.target || a.hasAttribute("download") || a.dataset.leave !== undefined) return;
	if (a.origin !== location.origin || !routes.some(([p]) => p.test(a.pathname)) || a.hash) return;
	event.preventDefault();
	if (a.href !== location.href) page.go(a.href);
});
window.addEventListener("popstate", () => show());

watch((kind, message) => {
	if (kind === "said" && !(view instanceof Talk)) announce(message.data.text);
	if (kind === "fault") announce(message.data.text);
	view?.changed?.(kind, message);
	page.redraw();
});
voice.watch(page);

const counting = () => !document.hidden && view && (state.timers.some((timer) => timer.state === "running") || state.device.mode);
setInterval(() => { if (counting()) page.redraw(); }, 1000); // what counts down

show(true);
connect();
