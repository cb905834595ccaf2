// The recipe that is cooked, to be read from two metres.

import { html, nothing } from "../lib/lit-html.js";
import { icon } from "../icons.js";
import { state } from "../live-socket.js";
import { span, t } from "../words.js";

const LARGEST = 92, SMALLEST = 22; // px of the step

export class Cook {
	awake = true;
	#page; #fitted = ""; #observer; #busy = false;

	constructor(page) {
		this.#page = page;
		this.#observer = new ResizeObserver(() => this.#fit());
	}

	title() { return state.cooking?.title || t("navCook"); }
	leave() { this.#observer.disconnect(); removeEventListener("keydown", this.#key); }
	load() { addEventListener("keydown", this.#key); }

	changed(kind) {
		if (kind === "snapshot" || state.cooking?.title) document.title = `${this.title()} · homebot`;
	}

	draw() {
		const dish = state.cooking;
		if (!dish?.recipe || !dish.step) return this.#nothing(dish);
		return html`<div class="cook">
			<div class="title"><h1>${dish.title}</h1>
				<button class="b open-need" @click=${this.#showNeed}>${icon("list")}<span>${t("ingredients")}</span></button>
				<span class="tag num">${t("forPeople", dish.servings)}</span></div>
			<div class="pips" role="img" aria-label=${t("stepOf", dish.step, dish.of)}>${Array.from({ length: dish.of }, (_, i) => html`<span class=${i + 1 < dish.step ? "done" : i + 1 === dish.step ? "at" : ""}></span>`)}</div>
			<div class="board">
				<section class="card step" aria-labelledby="step-no" aria-live="polite">
					<header><span id="step-no" class="num">${t("stepOf", dish.step, dish.of)}</span>${this.#timer(dish)}</header>
					<div class="fit"><p>${dish.seconds ? dish.text.replace(/\s*[(（][^()（）]*[)）]\s*[。.]?$/, "") : dish.text}</p></div>
					<p class="then">${dish.step < dish.of ? t("then", dish.steps[dish.step] ?? "") : t("lastStep")}</p>
				</section>
				<aside class="card need" aria-label=${t("ingredients")}><header><h2>${t("ingredients")}</h2></header>${needs(dish.ingredients)}</aside>
			</div>
			<div class="walk">
				<button class="b" ?disabled=${!state.online || dish.step < 2} @click=${() => this.#walk("back")}>${icon("back")}${t("back")}</button>
				<button class="b main" ?disabled=${!state.online} @click=${() => this.#walk(dish.step < dish.of ? "next" : "finish")}>${dish.step < dish.of ? html`${t("next")}${icon("next")}` : html`${icon("ok")}${t("finish")}`}</button>
			</div>
			<dialog id="need" aria-labelledby="need-h"><h2 id="need-h">${t("ingredientsFor", dish.servings)}</h2><div class="need">${needs(dish.ingredients)}</div>
				<div class="row"><button class="b main" @click=${(e) => e.target.closest("dialog").close()}>${t("close")}</button></div></dialog>
		</div>`;
	}

	#nothing(dish) {
		return html`<div class="title"><h1>${t("navCook")}</h1></div>
			<div class="card empty">${icon("pot")}<p>${dish?.finished ? t("dishDone", dish.title) : t("nothingCooking")}</p>
				<a class="b main" href="/recipes">${icon("book")}${t("chooseRecipe")}</a>
				<p class="hint">${t("cookHint")}</p></div>`;
	}

	#timer(dish) {
		if (!dish.seconds) return nothing;
		const label = t("stepLabel", dish.step);
		return html`<button class="b chip" ?disabled=${!state.online} @click=${async () => {
			const done = await this.#page.order({ do: "timer", action: "set", label, seconds: dish.seconds });
			if (done?.say) this.#page.tell(done.say);
		}}>${icon("clock")}<span class="sr">${t("startTimer")}</span><span>${span(dish.seconds * 1000)}</span></button>`;
	}

	/** #walk moves one step; a second touch before the answer counts for nothing. */
	async #walk(action) {
		if (this.#busy) return;
		this.#busy = true;
		await this.#page.order({ do: "cook", action });
		this.#busy = false;
	}

	#key = (event) => {
		if (event.target.closest("input, textarea, dialog, button, a") && event.key === " " || event.altKey || event.ctrlKey || event.metaKey) return;
		const dish = state.cooking;
		if (!dish?.step) return;
		if (["ArrowRight", "PageDown"].includes(event.key) && dish.step < dish.of) this.#walk("next");
		else if (["ArrowLeft", "PageUp"].includes(event.key) && dish.step > 1) this.#walk("back");
		else return;
		event.preventDefault();
	};

	#showNeed = () => document.getElementById("need").showModal();

	drawn() {
		const box = document.querySelector(".step .fit");
		this.#observer.disconnect();
		if (!box) return;
		this.#observer.observe(box);
		this.#fit();
	}

	/** #fit finds the largest size at which the whole step is seen. */
	#fit() {
		const box = document.querySelector(".step .fit"), text = box?.firstElementChild;
		if (!text) return;
		const key = `${box.clientWidth}×${box.clientHeight} ${text.textContent}`;
		if (key === this.#fitted) return;
		this.#fitted = key;
		let low = SMALLEST, high = LARGEST;
		while (low < high) {
			const size = Math.ceil((low + high) / 2);
			text.style.fontSize = `${size}px`;
			if (text.offsetHeight <= box.clientHeight && text.scrollWidth <= box.clientWidth) low = size;
			else high = size - 1;
		}
		text.style.fontSize = `${low}px`;
	}
}

/** needs is the list of ingredients: name left, amount right. */
export const needs = (ingredients) => html`<ul>${ingredients.map((line) => {
	const at = line.search(/[:：]/);
	return at < 0 ? html`<li><span>${line}</span></li>` : html`<li><span>${line.slice(0, at)}</span><span>${line.slice(at + 1).trim()}</span></li>`;
})}</ul>`;
