// A talk through the phone's microphone: one websocket, its own conversation,
// beside the device's own ears. It outlives a change of page.

import { canHear, Mic, Player } from "./sound.js";
import { lang, t } from "./words.js";

const LINES = 200;

class Voice {
	on = false; // the microphone is open
	wake = false; // it waits for the wake word; else it is held to talk
	held = false;
	state = "idle"; // dialogue state of this talk
	level = 0;
	phrases = [];
	heard = null; // { text } while it is spoken
	log = []; // { me, text, by? } of this page, newest last
	#mic = new Mic(); #player = new Player(); #socket; #page; #saying;

	watch(page) { this.#page = page; }

	get received() { return this.#player.received; }

	/** #phrase is a wake phrase in the page's language, where there is one. */
	get #phrase() { return this.phrases.find((p) => /\p{Script=Han}/u.test(p) === (lang === "zh")) ?? this.phrases[0] ?? "…"; }

	/** says is one line on what it does now. */
	says() {
		if (this.heard) return this.heard.text;
		if (this.state === "idle") return this.wake ? t("sayPhrase", this.#phrase) : t("holdToTalk");
		return t({ listening: "stateListening", thinking: "stateThinking", speaking: "stateSpeaking" }[this.state] ?? "stateIdle");
	}

	/** start opens the microphone; call it from a touch. It throws when the
	 * browser or its user refuses. */
	async start(wake) {
		if (this.on && this.wake === wake) return;
		this.stop();
		if (!canHear()) throw new Error(t("micNeedsHTTPS"));
		this.on = true;
		this.wake = wake;
		this.#player.unlock().catch(() => {});
		try {
			await this.#open(wake);
			await this.#mic.start((frame, loud) => this.#frame(frame, loud));
		} catch (error) {
			this.stop();
			throw error.name === "NotAllowedError" ? new Error(t("micRefused")) : error.name === "NotFoundError" ? new Error(t("micMissing")) : error;
		}
		this.#page.redraw();
	}

	#open(wake) {
		const url = new URL("/api/v1/talk", location.href);
		url.protocol = url.protocol.replace("http", "ws");
		url.searchParams.set("lang", lang);
		if (wake) url.searchParams.set("wake", "1");
		const socket = this.#socket = new WebSocket(url);
		socket.binaryType = "arraybuffer";
		return new Promise((ready, fail) => {
			socket.onmessage = ({ data }) => {
				if (socket !== this.#socket) return;
				if (typeof data !== "string") return this.#player.play(data);
				const message = JSON.parse(data);
				if (message.type === "ready") { this.phrases = message.phrases ?? []; ready(); }
				if (message.type === "error") fail(new Error(message.text));
				this.#take(message);
			};
			socket.onclose = () => {
				fail(new Error(t("talkGone")));
				if (socket !== this.#socket) return;
				this.stop();
				this.#page.tell(t("talkGone"));
			};
		});
	}

	#frame(frame, loud) {
		this.level = Math.max(loud, this.level * 0.8);
		const meter = document.getElementById("level");
		if (meter) meter.style.transform = `scaleX(${this.level.toFixed(3)})`;
		if (this.#socket?.readyState === WebSocket.OPEN && this.#socket.bufferedAmount < 128_000 && (this.wake || this.held || this.state === "listening")) {
			this.#socket.send(frame);
		}
	}

	#take(message) {
		if (message.type === "flush") this.#player.hush();
		if (message.type === "error") this.#page.tell(message.text);
		if (message.type === "event") this.#event(message);
		this.#page.redraw();
	}

	#event({ kind, data, dialogue_state }) {
		if (dialogue_state) this.state = dialogue_state;
		switch (kind) {
		case "wake": this.heard = { text: "" }; break;
		case "partial": this.heard = { text: data.text }; break;
		case "no_speech": this.heard = null; break;
		case "final": this.heard = null; this.#saying = null; this.add(true, data.text); break;
		case "said":
			if (this.#saying) this.#saying.text += (lang === "zh" ? "" : " ") + data.text;
			else this.#saying = this.add(false, data.text);
			break;
		case "turn":
			if (this.#saying && data.assistant) this.#saying.text = data.assistant;
			this.#saying = null;
			break;
		}
	}

	/** add puts a line into the talk that is shown. */
	add(me, text) {
		const line = { me, text };
		this.log = [...this.log, line].slice(-LINES);
		return line;
	}

	press() {
		if (!this.on || this.held) return;
		this.#player.hush();
		this.held = true;
		this.#send({ do: "press" });
	}

	release() {
		if (!this.held) return;
		this.held = false;
		this.#send({ do: "release" });
		this.#page.redraw();
	}

	/** silence ends what it is saying. */
	silence() {
		this.#player.hush();
		this.#send({ do: "stop" });
	}

	#send(what) {
		if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(what));
	}

	stop() {
		const socket = this.#socket;
		this.#socket = undefined;
		socket?.close();
		this.#mic.stop();
		this.#player.hush();
		this.on = this.held = false;
		this.heard = null;
		this.state = "idle";
		this.#page?.redraw();
	}
}

/** voice is the one talk of this page. */
export const voice = new Voice();
