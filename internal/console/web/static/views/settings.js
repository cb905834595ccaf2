// Who is let in, who is known, and the right to be forgotten. Everything else is
// set in homebot.toml.

import { html, nothing } from "../lib/lit-html.js";
import { call, path } from "../api.js";
import { ask } from "../ask.js";
import { icon } from "../icons.js";
import { clock, day, t } from "../words.js";

export class Settings {
	#page; #access = []; #members = []; #door;

	constructor(page) { this.#page = page; }
	title() { return t("navSettings"); }

	async load() {
		this.#door = JSON.parse(document.getElementById("door").textContent);
		const [{ access }, { members }] = await Promise.all([call("GET", "/api/v1/access"), call("GET", "/api/v1/members")]);
		[this.#access, this.#members] = [access ?? [], members ?? []];
	}

	draw() {
		return html`<div class="title"><h1>${t("navSettings")}</h1></div><div class="stack">
			<section class="card" aria-labelledby="access"><header><h2 id="access">${t("access")}</h2></header>
				<ul>${this.#access.map((a) => html`<li class="entry"><span><b>${a.name || t(a.kind === "token" ? "aProgram" : "aBrowser")}</b>${a.this ? html` <span class="tag">${t("thisBrowser")}</span>` : nothing}<br>
					<span class="hint">${t("seenAt", `${day(a.seen_at)}, ${clock(a.seen_at, a.seen_at)}`)}</span></span><span class="grow"></span>
					<button class="b icon plain" aria-label=${t("revoke", a.name || a.id)} @click=${() => this.#revoke(a)}>${icon("close")}</button></li>`)}</ul></section>
			<section class="card" aria-labelledby="members"><header><h2 id="members">${t("members")}</h2></header>
				${this.#members.length ? html`<ul>${this.#members.map((m) => html`<li class="entry"><span><b>${m.id}</b></span><span class="grow"></span>
					<button class="b chip bad" aria-label=${t("forgetMember", m.id)} @click=${() => this.#forget(m.id)}>${icon("bin")}${t("forget")}</button></li>`)}</ul>` : html`<p class="soft">${t("noMembers")}</p>`}</section>
			${this.#door.ca ? html`<section class="card stack s" aria-labelledby="ca"><h2 id="ca">${t("caTitle")}</h2><p class="soft">${t("caHint")}</p>
				<div class="row wrap"><a class="b" data-leave download href="/ca.crt">${icon("save")}${t("getCA")}</a></div></section>` : nothing}
			<section class="card stack s" aria-labelledby="all"><h2 id="all">${t("forgetAll")}</h2><p class="soft">${t("forgetAllHint")}</p>
				<div class="row wrap"><button class="b bad" @click=${this.#everything}>${icon("bin")}${t("forgetAll")}</button></div></section>
		</div>`;
	}

	async #revoke(a) {
		if (!await ask(t("revokeSure", a.name || a.id), { yes: t("revokeYes") })) return;
		await this.#do("DELETE", `/api/v1${path("access", a.id)}`);
		if (a.this) location.assign("/pair");
	}

	async #forget(id) {
		if (await ask(t("forgetMemberSure", id), { yes: t("forget"), detail: t("forgetMemberHint"), word: id })) await this.#do("DELETE", `/api/v1${path("members", id)}`);
	}

	#everything = async () => {
		if (await ask(t("forgetAllSure"), { yes: t("forgetAll"), detail: t("forgetAllHint"), word: t("forgetAllWord") }) && await this.#do("POST", "/api/v1/forget", { confirm: "everything" })) this.#page.tell(t("forgotten"));
	};

	/** #do asks and reads everything anew; it says whether that went well. */
	async #do(method, where, body) {
		try {
			await call(method, where, body);
			await this.load();
			this.#page.redraw();
			return true;
		} catch (error) {
			this.#page.failed(error);
			return false;
		}
	}
}
