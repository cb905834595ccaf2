// What the device is doing now.

import { html, nothing } from "../lib/lit-html.js";
import { live } from "../lib/directives/live.js";
import { repeat } from "../lib/directives/repeat.js";
import { icon } from "../icons.js";
import { state } from "../live-socket.js";
import { clock, faultText, left, span, t } from "../words.js";

const names = { idle: "stateIdle", listening: "stateListening", thinking: "stateThinking", speaking: "stateSpeaking", ringing: "stateRinging", muted: "stateMuted", lost: "stateLost" };
const hints = { idle: "hintIdle", listening: "hintListening", thinking: "hintThinking", speaking: "hintSpeaking", ringing: "hintRinging", muted: "hintMuted" };
const quick = [1, 3, 5, 10];

export class Live {
	#page; #volume = 0;

	constructor(page) { this.#page = page; }
	title() { return t("navLive"); }

	draw() {
		return html`<h1 class="sr">${t("navLive")}</h1><div class="live">
			<div class="stack">${this.#faults()}${this.#now()}</div>
			<div class="stack side">${this.#mode()}${timersCard(this.#page)}</div>
			${this.#log()}
		</div>`;
	}

	/** #faults is what is wrong in plain words. All is well only when it hears. */
	#faults() {
		const { faults } = state.device, { present, muted } = state.sound;
		const row = (kind, name, text) => html`<li class=${kind}>${icon(name)}<span>${text}</span></li>`;
		let rows;
		if (!state.online) rows = row("", "lost", t("lostSince", clock(state.since || Date.now())));
		else if (faults?.length) rows = faults.map((fault) => row("", "warn", faultText(fault.text)));
		else if (!present) rows = row("quiet", "muted", t("noSound"));
		else if (muted || state.device.dialogue_state === "muted") rows = row("quiet", "muted", t("hintMuted"));
		else rows = row("well", "ok", t("allWell"));
		return html`<ul class="faults" aria-label=${t("faults")}>${rows}</ul>`;
	}

	#now() {
		const now = state.online ? state.device.dialogue_state : "lost";
		const deaf = !state.sound.present || state.device.faults?.some(({ code }) => code === "microphone" || code === "ears");
		return html`<section class="card now" data-state=${now} aria-labelledby="now">
			<div class="face"><div class="orb">${icon(now)}</div><div class="grow">
				<h2 id="now" >${t(names[now] ?? "stateIdle")}</h2><p>${t(now === "idle" && deaf ? "hintType" : hints[now] ?? "hintLost")}</p></div></div>
			<div class="words" tabindex="0" aria-label=${t("exchange")}>${this.#words()}</div>
			${this.#keys()}
		</section>`;
	}

	#words() {
		const last = state.dialogue.at(-1);
		const heard = state.heard ?? (last && !state.said.length ? { text: last.user, final: true, by: who(last) } : null);
		const said = state.said.length ? state.said.join(" ") : state.heard ? "" : last?.assistant;
		if (!heard && !said) return html`<p class="soft">${t("nothingYet")}</p>`;
		return html`
			${heard ? html`<p class="me ${heard.final ? "" : "partial"}"><span class="who">${heard.by ?? t("heard")}</span>${heard.text || "…"}</p>` : nothing}
			${said ? html`<p class="bot"><span class="who">homebot</span>${said}</p>` : nothing}`;
	}

	#keys() {
		const { present, muted, volume } = state.sound;
		const device = (action, more) => () => this.#page.order({ do: "device", action, ...more });
		const off = !state.online || !present;
		return html`<div class="stack s">
			<div class="keys">
				<button class="b" ?disabled=${off} @click=${device("stop")}>${icon("stop")}${t("stop")}</button>
				<button class="b" ?disabled=${off} @click=${device("repeat")}>${icon("repeat")}${t("repeat")}</button>
				<button class="b" ?disabled=${off} aria-pressed=${muted ? "true" : "false"} @click=${device(muted ? "unmute" : "mute")}>${icon(muted ? "muted" : "listening")}${t("mute")}</button>
			</div>
			<div class="volume">${icon("volume")}
				<input type="range" min="0" max="100" step="5" aria-label=${t("volume")} ?disabled=${off} .value=${live(String(volume))}
					@input=${(e) => this.#turn(Number(e.target.value))} @change=${(e) => this.#turn(Number(e.target.value), true)}>
				<output class="num">${volume} %</output></div>
		</div>`;
	}

	/** turn sets the volume: not more often than the device takes it. */
	#turn(volume, last) {
		state.sound.volume = volume;
		this.#page.redraw();
		clearTimeout(this.#volume);
		this.#volume = setTimeout(() => this.#page.order({ do: "device", action: "volume", volume }), last ? 0 : 150);
	}

	#mode() {
		const { mode, light } = state.device;
		const say = (text) => () => this.#page.order({ do: "turn", text });
		return html`<section class="card mode" aria-labelledby="mode">
			<header class="row"><h2 id="mode">${t("mode")}</h2>
				<span class="row soft"><span class="lamp ${light?.on ? "on" : ""}" aria-hidden="true"></span>${t(light?.on ? "lightOn" : "lightOff")}</span></header>
			<div><strong>${mode ? modeName(mode) : t("noMode")}</strong>
				<p class="soft num">${mode ? t("modeUntil", clock(mode.expires_at), span(Date.parse(mode.expires_at) - Date.now() - state.ahead)) : t("modeHint")}</p></div>
			<div class="row wrap">${mode
				? html`<button class="b" ?disabled=${!state.online} @click=${() => this.#page.order({ do: "mode", action: "exit" })}>${t("exitMode")}</button>
					${state.cooking ? html`<a class="b main" href="/cook">${icon("pot")}${t("toCooking")}</a>` : nothing}`
				: html`<button class="b main" ?disabled=${!state.online} @click=${say(t("openCookingWords"))}>${icon("pot")}${t("openCooking")}</button>`}</div>
		</section>`;
	}

	#log() {
		const lines = state.dialogue.slice(-8, -1).reverse();
		if (!lines.length) return nothing;
		return html`<section class="card" aria-labelledby="log"><header><h2 id="log">${t("before")}</h2><a class="b plain" href="/history">${t("navHistory")}</a></header>
			<ol class="log">${repeat(lines, (line) => line.id, (line) => html`<li>${exchange(line)}</li>`)}</ol></section>`;
	}
}

/** modeName is what a run mode is called on the page: its own name is Chinese. */
export const modeName = ({ mode_id, display_name }) => mode_id === "cooking" ? t("modeCooking") : display_name ?? mode_id;

const channels = { voice: "channelVoice", text: "channelText", web: "channelWeb" };

/** who said a line, and how. */
export const who = (line) => [line.speaker_id || t("somebody"), channels[line.channel] ? t(channels[line.channel]) : "", line.at ? clock(line.at) : ""].filter(Boolean).join(" · ");

/** exchange is what was said and answered. */
export const exchange = (line) => html`
	${line.user ? html`<p class="me"><span class="who">${who(line)}</span>${line.user}</p>` : nothing}
	${line.assistant ? html`<p class="bot"><span class="who">homebot${line.failed ? ` · ${t("turnFailed")}` : ""}</span>${line.assistant}</p>` : nothing}`;

/** timersCard shows the timers and takes new ones. */
export function timersCard(page) {
	const set = (what) => page.order({ do: "timer", action: "set", ...what }).then((done) => done?.say && page.tell(done.say));
	const submit = (event) => {
		event.preventDefault();
		const words = new FormData(event.target).get("words").trim();
		if (!words) return;
		event.target.reset();
		set({ words });
	};
	return html`<section class="card" aria-labelledby="timers"><header><h2 id="timers">${t("timers")}</h2></header>
		<ul class="timers">${repeat(state.timers, (timer) => timer.id, (timer) => timerRow(page, timer))}
			${state.timers.length ? nothing : html`<li class="soft">${t("noTimers")}</li>`}</ul>
		<div class="stack s">
			<div class="quick">${quick.map((n) => html`<button class="b chip" ?disabled=${!state.online} @click=${() => set({ seconds: n * 60 })}>${t("minutes", n)}</button>`)}</div>
			<form class="ask" @submit=${submit}><input name="words" maxlength="200" autocomplete="off" aria-label=${t("timerWords")} placeholder=${t("timerExample")}>
				<button class="b" ?disabled=${!state.online}>${icon("add")}${t("set")}</button></form>
		</div></section>`;
}

function timerRow(page, timer) {
	const rings = timer.state === "ringing", paused = timer.state === "paused", name = timer.label || t(timer.kind === "alarm" ? "alarm" : "timer");
	const end = () => page.order(rings ? { do: "timer", action: "stop" } : { do: "timer", action: "cancel", timer: timer.id });
	return html`<li class="timer ${rings ? "rings" : ""}"><span>${name}${paused ? html` <span class="tag">${t("paused")}</span>` : nothing}</span>
		<b class="num">${rings ? t("now") : timer.kind === "alarm" ? clock(timer.rings_at ?? timer.rings) : left(paused ? timer.seconds_left * 1000 : timer.rings - Date.now())}</b>
		<button class="b icon plain" aria-label=${t("stopTimer", name)} @click=${end}>${icon("close")}</button></li>`;
}
