// The finished sessions, by day.

import { html, nothing } from "../lib/lit-html.js";
import { call, path } from "../api.js";
import { icon } from "../icons.js";
import { clock, day, t } from "../words.js";
import { modeName } from "./live.js";

export class History {
	#page; #days = []; #query = ""; #timer = 0;

	constructor(page, _, query) { this.#page = page; this.#query = query.get("q") ?? ""; }
	title() { return t("navHistory"); }

	async load() { this.#days = (await call("GET", `/api/v1/history?q=${encodeURIComponent(this.#query)}`)).days ?? []; }

	draw() {
		return html`<div class="title"><h1>${t("navHistory")}</h1></div>
			<div class="stack"><input type="search" aria-label=${t("search")} placeholder=${t("search")} .value=${this.#query} @input=${(e) => this.#search(e.target.value)}>
			<div>${this.#days.map((d) => html`<section class="day"><h2>${day(`${d.day}T12:00`)}</h2><ul class="past">${d.sessions.map(line)}</ul></section>`)}
			${this.#days.length ? nothing : html`<div class="empty">${icon("clock")}<p>${t(this.#query ? "nothingFound" : "noHistory")}</p></div>`}</div></div>`;
	}

	#search(query) {
		this.#query = query;
		clearTimeout(this.#timer);
		this.#timer = setTimeout(async () => {
			try {
				await this.load();
			} catch (error) {
				this.#page.failed(error);
			}
			this.#page.redraw();
		}, 250);
	}
}

const line = (s) => html`<li><a class="card" href=${path("history", s.id)}><b>${modeName(s)}</b><span class="soft num">${clock(s.started_at, s.started_at)} – ${clock(s.ended_at, s.started_at)}</span><p>${gist(s.line)}</p></a></li>`;

/** gist is a line of history.md without what stands beside it, the day and the
 * link; for how many people is written there in Chinese. */
const gist = (line) => line.split(" · ").filter((part) => !/^(\d{4}-\d\d-\d\d|—|-?\s*\[.*\]\(.*\))$/.test(part.trim()))
	.map((part) => part.replace(/^(\d+) 人$/, (_, n) => t("forPeople", n))).join(" · ");
