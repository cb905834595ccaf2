// Talk to it from this phone: by hand or by voice.

import { html, nothing } from "../lib/lit-html.js";
import { order, state } from "../live-socket.js";
import { canHear } from "../sound.js";
import { icon } from "../icons.js";
import { lang, t } from "../words.js";
import { voice } from "../voice.js";

const examples = ["tryCooking", "tryTimer", "tryTime"];
let chat; // the conversation of what is typed here; the device names it

export class Talk {
	#page; #door; #error = ""; #shown = 0; #busy = false;

	constructor(page) { this.#page = page; }
	title() { return t("navTalk"); }
	load() { this.#door = JSON.parse(document.getElementById("door").textContent); }

	draw() {
		const empty = !voice.log.length && !voice.heard;
		return html`<div class="talk"><h1 class="sr">${t("navTalk")}</h1>
			<div class="scroll" role="log" tabindex="0" aria-label=${t("dialogue")}><ol class="log">
				${empty ? html`<li class="empty">${icon("speaking")}<p>${t("talkHint")}</p>
					<div class="row wrap">${examples.map((name) => html`<button class="b chip" ?disabled=${!state.online} @click=${() => this.#say(t(name))}>${t(name)}</button>`)}</div></li>` : nothing}
				${voice.log.map((line) => html`<li><p class=${line.me ? "me" : "bot"}>${line.text || "…"}</p></li>`)}
				${voice.heard ? html`<li><p class="me partial">${voice.heard.text || "…"}</p></li>` : nothing}
			</ol></div>
			<div class="compose">${this.#mics()}
				<form class="ask" @submit=${this.#typed}><input name="text" maxlength="2000" autocomplete="off" enterkeyhint="send" aria-label=${t("yourWords")} placeholder=${t("yourWords")}>
					<button class="b main icon" aria-label=${t("send")} ?disabled=${!state.online || this.#busy}>${icon("send")}</button></form>
			</div></div>`;
	}

	#mics() {
		if (!canHear()) return this.#closed();
		const holding = voice.on && !voice.wake, waking = voice.on && voice.wake;
		return html`<div class="stack s">
			<p class="error" role="alert" ?hidden=${!this.#error}>${this.#error}</p>
			<div class="row soft" ?hidden=${!voice.on}><span class="grow">${voice.says()}</span>${voice.state === "speaking" ? html`<button class="b chip" @click=${() => voice.silence()}>${icon("stop")}${t("stop")}</button>` : nothing}</div>
			<div class="level" aria-hidden="true" ?hidden=${!voice.on}><i id="level"></i></div>
			<div class="mics">
				<button class="b hold ${voice.held ? "on" : ""}" aria-pressed=${voice.held ? "true" : "false"} @pointerdown=${this.#press} @pointerup=${this.#release} @pointercancel=${this.#release}
					@keydown=${(e) => { if (e.key === " " && !e.repeat) { e.preventDefault(); this.#press(e); } }} @keyup=${(e) => { if (e.key === " ") { e.preventDefault(); this.#release(); } }} @contextmenu=${(e) => e.preventDefault()}
					>${icon("listening")}${t(voice.held ? "letGo" : "holdToTalk")}</button>
				<button class="b" aria-pressed=${waking ? "true" : "false"} @click=${() => waking ? voice.stop() : this.#start(true)}>${icon("ear")}${t(waking ? "micOff" : "wakeWord")}</button>
			</div>
			${holding ? html`<button class="b plain" @click=${() => voice.stop()}>${t("micOff")}</button>` : nothing}</div>`;
	}

	#closed() {
		const { https, ca } = this.#door;
		return html`<div class="note"><p>${t("micNeedsHTTPS")}</p>
			<div class="row wrap">${https ? html`<a class="b main" data-leave href=${https}>${t("toHTTPS")}</a>` : nothing}
			${ca ? html`<a class="b" data-leave href="/ca.crt" download>${icon("save")}${t("getCA")}</a>` : nothing}</div>
			<p class="hint">${t(https ? "caHint" : "noHTTPS")}</p></div>`;
	}

	#press = async (event) => {
		if (event.pointerId !== undefined) event.currentTarget.setPointerCapture(event.pointerId);
		if (event.button) return;
		this.#down = true;
		await this.#start(false);
		if (this.#down && voice.on) voice.press();
		this.#page.redraw();
	};
	#down = false;

	#release = () => { this.#down = false; voice.release(); };

	async #start(wake) {
		this.#error = "";
		try {
			await voice.start(wake);
		} catch (error) {
			this.#error = error.message;
		}
		this.#page.redraw();
	}

	#typed = (event) => {
		event.preventDefault();
		const input = event.target.elements.text, text = input.value.trim();
		if (!text || this.#busy) return;
		input.value = "";
		this.#say(text);
	};

	async #say(text) {
		this.#busy = true;
		voice.add(true, text);
		const line = voice.add(false, "");
		this.#page.redraw();
		try {
			const { outcome, chat_id } = await order({ do: "turn", text, chat_id: chat, lang: /\p{Script=Han}/u.test(text) ? "zh" : lang }, (delta) => {
				line.text += delta;
				this.#page.redraw();
			});
			chat = outcome?.chat_id || chat_id || chat;
			line.text = outcome?.reply || line.text;
		} catch (error) {
			line.text = error.code === "offline" ? t("offlineOrder") : error.message || t("failed");
		}
		this.#busy = false;
		this.#page.redraw();
	}

	/** drawn keeps the newest line in sight. */
	drawn() {
		const log = document.querySelector(".talk .scroll"), all = voice.log.map((l) => l.text).join("").length + (voice.heard?.text.length ?? 0);
		if (log && all !== this.#shown) log.scrollTop = log.scrollHeight;
		this.#shown = all;
	}
}
