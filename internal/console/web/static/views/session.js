// One finished session: its summary, then what was said.

import { html, nothing } from "../lib/lit-html.js";
import { call, path } from "../api.js";
import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { clock, day, t } from "../words.js";
import { exchange, modeName } from "./live.js";

export class Session {
	#page; #id; #doc;

	constructor(page, [id]) {
		this.#page = page;
		this.#id = id;
	}

	title() { return this.#doc ? `${modeName(this.#doc)}, ${day(this.#doc.started_at)}` : t("navHistory"); }
	async load() { this.#doc = await call("GET", `/api/v1${path("history", this.#id)}`); }

	draw() {
		const s = this.#doc, file = (format) => `/api/v1${path("history", s.id, "export")}?format=${format}`;
		return html`<div class="title"><h1>${this.title()}</h1>
				<div class="row wrap no-print"><a class="b" download href=${file("md")}>${icon("save")}${t("exportText")}</a><a class="b" download href=${file("json")}>${icon("save")}${t("exportJSON")}</a>
				<button class="b bad" @click=${this.#delete}>${icon("bin")}${t("delete")}</button></div></div>
			<div class="stack">
				<section class="card" aria-labelledby="summary"><header><h2 id="summary">${t("summary")}</h2><span class="soft num">${clock(s.started_at, s.started_at)} – ${clock(s.ended_at, s.started_at)}</span></header>${summary(s)}</section>
				<section class="card" aria-labelledby="dialogue"><header><h2 id="dialogue">${t("dialogue")}</h2></header>
					${s.turns?.length ? html`<ol class="log">${s.turns.map((line) => html`<li>${exchange(line)}</li>`)}</ol>` : html`<p class="soft">${t("nothingSaid")}</p>`}</section>
			</div>`;
	}

	#delete = async () => {
		if (!await ask(t("deleteSessionSure"), { yes: t("delete"), detail: t("deleteForGood") })) return;
		try {
			await call("DELETE", `/api/v1${path("history", this.#id)}`);
			this.#page.go("/history", { replace: true });
		} catch (error) {
			this.#page.failed(error);
		}
	};
}

/** summary shows summary.md: its headings, its lists, its words. One that no model
 * wrote begins with the mode's own name, which is Chinese. */
function summary(session) {
	const lines = (session.summary ?? "").split("\n").map((s) => s.trim()).filter(Boolean);
	if (!lines.length) return html`<p class="soft">${t("nothingSaid")}</p>`;
	lines[0] = lines[0].replace(/^[^·]+ · (?=\d+$)/, `${modeName(session)} · `);
	return html`<div class="prose stack s">${lines.map((line) => {
		if (line.startsWith("#")) return html`<h3>${heading(line.replace(/^#+\s*/, ""))}</h3>`;
		if (/^[-*] /.test(line)) return html`<ul class="bullets"><li>${line.slice(2)}</li></ul>`;
		return html`<p>${line}</p>`;
	})}</div>`;
}

// The one heading that every summary.md has (R46) is written in Chinese.
const heading = (text) => text === "已确认" ? t("confirmed") : text;
