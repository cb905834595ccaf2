// The HTTP API (openapi.yaml), as far as the page uses it.

/** call asks the device. A failure is an Error with a code and a sentence for
 * people; without a session the browser is sent to the pairing page. */
export async function call(method, path, body) {
	const options = { method, headers: { Accept: "application/json" } };
	if (body !== undefined || method !== "GET") {
		options.headers["Content-Type"] = "application/json";
		options.body = JSON.stringify(body ?? {});
	}
	let answer;
	try {
		answer = await fetch(path, options);
	} catch {
		throw Object.assign(new Error("offline"), { code: "offline" });
	}
	const data = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
	if (answer.ok) return data;
	if (answer.status === 401) location.assign(`/pair?to=${encodeURIComponent(location.pathname)}`);
	throw Object.assign(new Error(data?.error?.text ?? `${answer.status}`), data?.error);
}

/** path joins names to a path; a name may hold anything. */
export const path = (...names) => `/${names.map(encodeURIComponent).join("/")}`;
