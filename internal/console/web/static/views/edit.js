// A recipe is written, changed, or taken from elsewhere.

import { html, nothing } from "../lib/lit-html.js";
import { call, path } from "../api.js";
import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { lang, t } from "../words.js";

const LARGEST = 1 << 20; // bytes of an import (openapi.yaml)

export class Edit {
	#page; #id; #doc = { title: "", servings: 2, lang, tags: [], ingredients: [], steps: [], notes: [] };
	#error = ""; #busy = false; #dirty = false; #from = 0;

	constructor(page, [id]) {
		this.#page = page;
		this.#id = id;
	}

	title() { return this.#id ? t("editRecipe", this.#doc.title) : t("newRecipe"); }

	async load() {
		if (this.#id) this.#doc = await call("GET", `/api/v1${path("recipes", this.#id)}`);
		addEventListener("beforeunload", this.#unsaved);
	}

	leave() { removeEventListener("beforeunload", this.#unsaved); }

	#unsaved = (event) => { if (this.#dirty) event.preventDefault(); };

	draw() {
		const r = this.#doc;
		return html`<div class="title"><h1>${this.title()}</h1></div>
			<div class="stack">${this.#id ? nothing : this.#import()}
			<form class="stack" data-from=${this.#from} @submit=${this.#save} @input=${() => { this.#dirty = true; }}>
				<p class="field"><label for="title">${t("recipeTitle")}</label><input id="title" name="title" required maxlength="120" .value=${r.title}></p>
				<div class="two">
					<p class="field"><label for="servings">${t("people")}</label><input id="servings" name="servings" type="number" inputmode="numeric" min="1" max="100" required .value=${String(r.servings)}></p>
					<p class="field"><label for="tags">${t("tags")}</label><input id="tags" name="tags" maxlength="200" .value=${(r.tags ?? []).join(lang === "zh" ? "，" : ", ")}></p></div>
				${this.#lines("ingredients", t("ingredients"), t("ingredientsHow"), 9)}
				${this.#lines("steps", t("steps"), t("stepsHow"), 10)}
				${this.#lines("notes", t("notes"), t("notesHow"), 3)}
				<p class="error" role="alert">${this.#error}</p>
				<div class="row wrap"><button class="b main" ?disabled=${this.#busy}>${icon("ok")}${t("save")}</button>
					<a class="b" href=${this.#id ? path("recipes", this.#id) : "/recipes"}>${t("cancel")}</a>
					${this.#id ? html`<span class="grow"></span><button type="button" class="b bad" @click=${this.#delete}>${icon("bin")}${t("delete")}</button>` : nothing}</div>
			</form></div>`;
	}

	#lines(name, label, how, rows) {
		return html`<p class="field"><label for=${name}>${label}</label><span class="hint" id=${`${name}-how`}>${how}</span>
			<textarea id=${name} name=${name} rows=${rows} ?required=${name !== "notes"} aria-describedby=${`${name}-how`} .value=${(this.#doc[name] ?? []).join("\n")}></textarea></p>`;
	}

	#import() {
		return html`<details class="card" name="import"><summary class="row">${icon("import")}<b>${t("import")}</b></summary>
			<div class="stack s"><p class="hint">${t("importHow")}</p>
				<textarea id="paste" rows="6" aria-label=${t("importPaste")} placeholder=${t("importPaste")}></textarea>
				<div class="row wrap"><button type="button" class="b" ?disabled=${this.#busy} @click=${() => this.#read(document.getElementById("paste").value)}>${icon("import")}${t("importRead")}</button>
				<label class="b">${t("importFile")}<input class="sr" type="file" accept=".html,.htm,.json,.jsonld,.txt,.md,text/*,application/json,application/ld+json" @change=${this.#file}></label></div></div></details>`;
	}

	#file = async (event) => {
		const [file] = event.target.files;
		event.target.value = "";
		if (!file) return;
		if (file.size > LARGEST) return this.#page.tell(t("importTooLarge"));
		await this.#read(await file.text());
	};

	async #read(text) {
		if (!text.trim()) return;
		await this.#during(async () => {
			this.#doc = await call("POST", "/api/v1/recipes/import", { text });
			this.#dirty = true;
			document.querySelector("details[name=import]").open = false;
			this.#page.tell(t("imported"));
		});
	}

	#save = async (event) => {
		event.preventDefault();
		const form = new FormData(event.target);
		const lines = (name) => form.get(name).split("\n").map((s) => s.trim()).filter(Boolean);
		const doc = this.#doc = {
			id: this.#id, lang: this.#doc.lang, revision: this.#doc.revision,
			title: form.get("title").trim(), servings: Number(form.get("servings")),
			tags: form.get("tags").split(/[,，、]/).map((s) => s.trim()).filter(Boolean),
			ingredients: lines("ingredients"), steps: lines("steps"), notes: lines("notes"),
		};
		await this.#during(async () => {
			const saved = this.#id ? await call("PUT", `/api/v1${path("recipes", this.#id)}`, doc) : await call("POST", "/api/v1/recipes", doc);
			this.#dirty = false;
			this.#page.go(path("recipes", saved.id), { replace: true });
		});
	};

	async #during(work) {
		this.#busy = true;
		this.#error = "";
		this.#page.redraw();
		try {
			await work();
		} catch (error) {
			this.#error = error.code === "offline" ? t("offlineOrder") : error.message;
		}
		this.#busy = false;
		this.#page.redraw();
	}

	#delete = async () => {
		if (!await ask(t("deleteRecipeSure", this.#doc.title), { yes: t("delete") })) return;
		await this.#during(async () => {
			await call("DELETE", `/api/v1${path("recipes", this.#id)}`);
			this.#dirty = false;
			this.#page.go("/recipes", { replace: true });
		});
	};

}
