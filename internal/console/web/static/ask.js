// A question that stands before something that cannot be taken back.

import { html, nothing, render } from "./lib/lit-html.js";
import { t } from "./words.js";

/** ask resolves to whether the person said yes. With word they must type it. */
export function ask(question, { yes, detail, word }) {
	const box = document.createElement("dialog");
	box.setAttribute("aria-labelledby", "ask");
	document.body.append(box);
	let typed = "";
	const draw = () => render(html`<form method="dialog">
		<h2 id="ask">${question}</h2>${detail ? html`<p>${detail}</p>` : nothing}
		${word ? html`<p class="field"><label for="word">${t("typeWord", word)}</label>
			<input id="word" autocomplete="off" autocapitalize="none" @input=${(e) => { typed = e.target.value; draw(); }}></p>` : nothing}
		<div class="row"><button class="b" value="" autofocus>${t("cancel")}</button>
			<button class="b bad main" value="yes" ?disabled=${word && typed.trim() !== word}>${yes}</button></div></form>`, box);
	draw();
	box.showModal();
	return new Promise((answer) => box.addEventListener("close", () => {
		box.remove();
		answer(box.returnValue === "yes");
	}, { once: true }));
}
