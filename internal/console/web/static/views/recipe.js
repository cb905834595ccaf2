// One recipe: read it, scale it, cook it, print it.

import { html, nothing } from "../lib/lit-html.js";
import { call, path } from "../api.js";
import { icon } from "../icons.js";
import { state } from "../live-socket.js";
import { lang, t } from "../words.js";
import { needs } from "./cook.js";

export class Recipe {
	#page; #id; #doc; #servings; #asked = 0;

	constructor(page, [id], query) {
		this.#page = page;
		this.#id = id;
		this.#servings = Number(query.get("servings")) || 0;
	}

	title() { return this.#doc?.title ?? t("navRecipes"); }

	async load() { await this.#read(); }

	async #read() {
		const mine = ++this.#asked;
		const doc = await call("GET", `/api/v1${path("recipes", this.#id)}${this.#servings ? `?servings=${this.#servings}` : ""}`);
		if (mine !== this.#asked) return; // a later touch is on its way
		this.#doc = doc;
		this.#servings = doc.scaled_to || doc.servings;
	}

	draw() {
		const r = this.#doc;
		return html`<article lang=${r.lang}>
			<div class="title"><h1>${r.title}</h1>
				<div class="row wrap no-print" lang=${lang}>
					<button class="b main" ?disabled=${!state.online} @click=${this.#cook}>${icon("pot")}${t("cookThis")}</button>
					<a class="b" href=${path("recipes", r.id, "edit")}>${icon("edit")}${t("edit")}</a>
					<button class="b icon" aria-label=${t("print")} title=${t("print")} @click=${() => print()}>${icon("print")}</button>
				</div></div>
			<div class="sheet">
				<section class="card" aria-labelledby="need"><header><h2 id="need" lang=${lang}>${t("ingredients")}</h2>
					<span lang=${lang} class="count no-print" role="group" aria-label=${t("people")}>
						<button class="b" aria-label=${t("fewer")} ?disabled=${this.#servings < 2} @click=${() => this.#scale(-1)}>${icon("less")}</button>
						<output class="num" aria-live="polite">${t("forPeople", this.#servings)}</output>
						<button class="b" aria-label=${t("more")} ?disabled=${this.#servings > 99} @click=${() => this.#scale(1)}>${icon("add")}</button></span></header>
					<div class="need">${needs(r.ingredients)}</div></section>
				<div class="stack">
					<section class="card" aria-labelledby="steps"><header lang=${lang}><h2 id="steps">${t("steps")}</h2>${r.minutes ? html`<span class="facts"><span>${icon("clock")}${t("minutes", r.minutes)}</span></span>` : nothing}</header>
						<ol class="method">${r.steps.map((step) => html`<li><span>${step}</span></li>`)}</ol></section>
					${r.notes?.length ? html`<section class="card" aria-labelledby="notes"><header lang=${lang}><h2 id="notes">${t("notes")}</h2></header><ul class="bullets">${r.notes.map((n) => html`<li>${n}</li>`)}</ul></section>` : nothing}
				</div>
			</div></article>`;
	}

	async #scale(by) {
		this.#servings += by;
		this.#page.redraw();
		try {
			await this.#read();
		} catch (error) {
			this.#page.failed(error);
		}
		this.#page.redraw();
	}

	#cook = async () => {
		const done = await this.#page.order({ do: "cook", action: "start", recipe: this.#doc.id, servings: this.#servings });
		if (done) this.#page.go("/cook");
	};
}
