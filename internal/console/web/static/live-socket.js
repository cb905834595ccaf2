// The one connection to the device: a snapshot, then events; orders in, each
// answered. It comes back by itself; what the page shows stays until then.

import { lang } from "./words.js";

const QUIET = 25_000; // ms without a word after which the device is asked
const PATIENCE = 10_000; // ms it then has to answer
const LINES = 50;

/** state is what the page knows of the device. Only this module writes it. */
export const state = {
	online: false,
	since: 0, // when the connection was lost
	ahead: 0, // ms the device's clock is ahead of this one
	device: { dialogue_state: "idle", mode: null, light: { present: false, on: false }, faults: [] },
	timers: [], // with rings, ms on this clock
	cooking: null,
	sound: { present: false, muted: false, volume: 0 },
	dialogue: [],
	heard: null, // { text, final }
	said: [], // the sentences of the reply that is spoken now
};

const watchers = new Set();
let socket, timer, watchdog, tries = 0, boot = "", seq = 0, orders = 0;
const waiting = new Map(); // the orders without an answer

/** watch calls change(kind, message) after every change; kind is that of an
 * event, or "snapshot", "online". It returns how to end that. */
export function watch(change) {
	watchers.add(change);
	return () => watchers.delete(change);
}

const tell = (kind, message) => { for (const change of watchers) change(kind, message); };

/** connect begins, once. */
export function connect() {
	open();
	window.addEventListener("online", again);
	document.addEventListener("visibilitychange", () => { if (!document.hidden) again(); });
}

function again() {
	if (state.online || !timer) return;
	tries = 0;
	open();
}

function open() {
	clearTimeout(timer);
	timer = undefined;
	const url = new URL("/api/v1/live", location.href);
	url.protocol = url.protocol.replace("http", "ws");
	url.searchParams.set("lang", lang);
	if (boot) url.searchParams.set("boot", boot), url.searchParams.set("seq", seq);
	socket = new WebSocket(url);
	socket.onmessage = ({ data }) => hear(JSON.parse(data));
	socket.onclose = lost;
	expect(PATIENCE);
}

function lost() {
	clearTimeout(watchdog);
	if (state.online) state.since = Date.now();
	state.online = false;
	for (const { fail } of waiting.values()) fail(Object.assign(new Error("offline"), { code: "offline" }));
	waiting.clear();
	const wait = Math.min(8000, 250 * 2 ** tries++) * (0.7 + Math.random() * 0.6);
	timer = setTimeout(open, wait);
	tell("online");
}

/** expect gives the device ms to say something; then it is asked, then given up. */
function expect(ms) {
	clearTimeout(watchdog);
	watchdog = setTimeout(() => {
		if (!state.online) return drop();
		order({ do: "ping" }).catch(() => {});
		watchdog = setTimeout(drop, PATIENCE);
	}, ms);
}

/** drop does not wait for a close that a dead network never answers. */
function drop() {
	socket.onmessage = socket.onclose = null;
	socket.close();
	lost();
}

function hear(message) {
	expect(QUIET);
	switch (message.type) {
	case "snapshot": return begin(message);
	case "event": return message.replayed ? replay(message) : take(message);
	case "delta": return waiting.get(message.id)?.delta?.(message.text);
	case "result": return answer(message);
	}
}

function begin(m) {
	const restarted = boot && boot !== m.boot;
	[boot, seq, tries] = [m.boot, m.seq, 0];
	state.online = true;
	state.ahead = Date.parse(m.at) - Date.now();
	state.device = m.state;
	state.dialogue = m.dialogue ?? [];
	if (restarted || m.state.dialogue_state === "idle") [state.heard, state.said] = [null, []];
	parts(m);
	tell("snapshot", m);
}

function parts(m) {
	if (m.timers) state.timers = m.timers.map((row) => ({ ...row, rings: Date.parse(m.at) - state.ahead + row.seconds_left * 1000 }));
	if (m.cooking !== undefined) state.cooking = m.cooking;
	if (m.sound) state.sound = m.sound;
}

function replay(m) {
	seq = m.seq;
	words(m);
	tell("replayed", m);
}

function take(m) {
	seq = m.seq;
	state.device = m.state;
	parts(m);
	words(m);
	if (m.kind === "turn") {
		state.dialogue = [...state.dialogue.filter((line) => line.id !== m.data.id), { at: m.at, ...m.data }].slice(-LINES);
	}
	tell(m.kind, m);
}

/** words keeps what is heard and said now. */
function words({ kind, data }) {
	switch (kind) {
	case "wake": state.heard = null; state.said = []; break;
	case "partial": state.heard = { text: data.text }; state.said = []; break;
	case "final": state.heard = { text: data.text, final: true }; state.said = []; break;
	case "no_speech": state.heard = null; break;
	case "said": state.said = [...state.said, data.text].slice(-12); break;
	}
}

function answer(m) {
	const order = waiting.get(m.id);
	waiting.delete(m.id);
	// What it says of timers and the dish is not taken over: answers and events do
	// not come in one order, and an older dish would stay. The event has it.
	if (m.ok) order?.done(m);
	else order?.fail(Object.assign(new Error(m.error?.text ?? ""), m.error));
	tell("result", m);
}

/** order sends one; it resolves to the result, or throws an Error with a code and
 * a sentence for people. delta gets the reply to a turn as it is written. */
export function order(what, delta) {
	return new Promise((done, fail) => {
		if (!state.online && what.do !== "ping" || socket.readyState !== WebSocket.OPEN) {
			fail(Object.assign(new Error("offline"), { code: "offline" }));
			return;
		}
		const id = `p${++orders}`;
		waiting.set(id, { done, fail, delta });
		socket.send(JSON.stringify({ id, lang, ...what }));
	});
}
