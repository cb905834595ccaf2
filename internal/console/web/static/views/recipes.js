// The family's recipes.

import { html, nothing } from "../lib/lit-html.js";
import { repeat } from "../lib/directives/repeat.js";
import { call, path } from "../api.js";
import { icon } from "../icons.js";
import { lang, t } from "../words.js";

export class Recipes {
	#page; #all = []; #broken = []; #query = "";

	constructor(page, _, query) { this.#page = page; this.#query = query.get("q") ?? ""; }
	title() { return t("navRecipes"); }

	async load() {
		const { recipes, broken } = await call("GET", "/api/v1/recipes");
		this.#all = [...recipes].sort((a, b) => (a.lang !== lang) - (b.lang !== lang));
		this.#broken = broken ?? [];
	}

	draw() {
		const words = this.#query.trim().toLowerCase();
		const found = this.#all.filter((r) => [r.title, ...(r.tags ?? [])].some((s) => s.toLowerCase().includes(words)));
		return html`<div class="title"><h1>${t("navRecipes")}</h1><a class="b main" href="/recipes/new">${icon("add")}${t("newRecipe")}</a></div>
			<div class="stack"><input type="search" aria-label=${t("search")} placeholder=${t("search")} .value=${this.#query} @input=${(e) => { this.#query = e.target.value; this.#page.redraw(); }}>
			${this.#broken.length ? html`<div class="note bad"><p>${t("brokenRecipes")}</p><ul>${this.#broken.map((b) => html`<li><b>${b.file}</b>: ${b.why}</li>`)}</ul></div>` : nothing}
			${found.length ? html`<ul class="shelf">${repeat(found, (r) => r.id, line)}</ul>` : html`<div class="empty">${icon("book")}<p>${t(this.#all.length ? "nothingFound" : "noRecipes")}</p></div>`}</div>`;
	}
}

const line = (r) => html`<li><a class="card" href=${path("recipes", r.id)} lang=${r.lang}><strong>${r.title}</strong>
	<span class="facts" lang=${lang}>${r.minutes ? html`<span>${icon("clock")}${t("minutes", r.minutes)}</span>` : nothing}
	<span>${icon("people")}${r.servings}</span>${(r.tags ?? []).slice(0, 2).map((tag) => html`<span class="tag">${tag}</span>`)}</span></a></li>`;
