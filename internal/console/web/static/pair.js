// The door: a code that the device speaks, or a token, for a cookie.

import { call } from "./api.js";
import { t } from "./words.js";

const [form, error, code, speak] = ["pair", "error", "code", "speak"].map((id) => document.getElementById(id));

/** during holds a button while something is asked of the device. */
async function during(button, work) {
	button.disabled = true;
	error.textContent = "";
	try {
		await work();
	} catch (failure) {
		error.textContent = failure.code === "offline" ? t("offlineOrder") : failure.message;
	}
	button.disabled = false;
}

/** enter gives what is known and goes on. */
async function enter(what) {
	await call("POST", "/api/v1/pair", what);
	const to = form.dataset.to;
	location.assign(/^\/(?![/\\])[^\\\x00-\x1f]*$/.test(to) ? to : "/");
}

// A link from the device's own terminal has a key, good once, behind the #.
const key = /^#key=([\w-]+)$/.exec(location.hash)?.[1];
if (key) {
	history.replaceState(null, "", location.pathname + location.search);
	during(form.querySelector("button.main"), () => enter({ key }));
}

speak?.addEventListener("click", () => during(speak, async () => {
	const { spoken } = await call("POST", "/api/v1/pair/code");
	error.textContent = t(spoken ? "pairSpoken" : "pairShown");
	code.focus();
}));

form.addEventListener("submit", (event) => {
	event.preventDefault();
	const fields = Object.fromEntries(new FormData(form));
	const what = { name: fields.name };
	if (fields.token) what.token = fields.token;
	else what.code = fields.code.replace(/\D/g, "");
	during(form.querySelector("button.main"), () => enter(what));
});
