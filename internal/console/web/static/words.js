// What the page says. The sentences come with the page, in its language
// (internal/phrases); numbers, days and times are written by the browser.

const { lang, words, faults } = JSON.parse(document.getElementById("words").textContent);
const locale = lang === "zh" ? "zh-CN" : "en-GB";

export { lang };

/** t is the sentence of a name, its %s and %d filled in from left to right. */
export function t(name, ...values) {
	const sentence = words[name];
	if (sentence === undefined) throw new Error(`no sentence ${name}`);
	return sentence.replace(/%[sd%]/g, (verb) => verb === "%%" ? "%" : String(values.shift()));
}

/** faultText is what is wrong in the page's language; the device tells it in its own. */
export const faultText = (text) => faults[text] ?? text;

const made = {};
const written = (options) => made[JSON.stringify(options)] ??= new Intl.DateTimeFormat(locale, options);

/** clock is 19:55, and with another day than today also the day. */
export function clock(at, now = Date.now()) {
	const date = new Date(at), time = written({ hour: "2-digit", minute: "2-digit", hour12: false }).format(date);
	return date.toDateString() === new Date(now).toDateString() ? time : `${written({ weekday: "short" }).format(date)} ${time}`;
}

/** day is a date for a heading. */
export function day(at) {
	const date = new Date(at), year = date.getFullYear() !== new Date().getFullYear() ? "numeric" : undefined;
	return written({ weekday: "long", day: "numeric", month: "long", year }).format(date);
}

/** left is a countdown: 4:05, 1:02:00. */
export function left(ms) {
	const s = Math.max(0, Math.ceil(ms / 1000)), two = (n) => String(n).padStart(2, "0");
	return s >= 3600 ? `${Math.floor(s / 3600)}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}` : `${Math.floor(s / 60)}:${two(s % 60)}`;
}

/** span is about how long: 4 h 12 min, 8 min, 30 s. */
export function span(ms) {
	const s = Math.max(0, Math.round(ms / 1000)), h = Math.floor(s / 3600), m = Math.floor(s / 60) % 60;
	if (h) return m ? t("hoursMinutes", h, m) : t("hours", h);
	if (m) return s % 60 && s < 600 ? t("minutesSeconds", m, s % 60) : t("minutes", m);
	return t("seconds", s);
}
