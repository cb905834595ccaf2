// Icons, drawn on a grid of 24; they are decoration: the word stands beside them
// or in the button's label.
import { html, svg } from "./lib/lit-html.js";

const paths = {
	idle: svg`<path d="M12 3c1 4 5 5.5 5 10a5 5 0 0 1-10 0c0-2 1-3.4 2-4.5.3 1.6 1 2.3 1.8 2.5C10.3 8 10.5 5.5 12 3z"/>`,
	listening: svg`<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3"/>`,
	thinking: svg`<circle cx="6" cy="12" r="1.3"/><circle cx="12" cy="12" r="1.3"/><circle cx="18" cy="12" r="1.3"/>`,
	speaking: svg`<path d="M4 10v4M8 7v10M12 4v16M16 8v8M20 10.5v3"/>`,
	ringing: svg`<path d="M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4"/>`,
	muted: svg`<rect x="9" y="3" width="6" height="11" rx="3"/><path d="M5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3M4 4l16 16"/>`,
	lost: svg`<path d="M4 9a12 12 0 0 1 16 0M7 12.5a7.5 7.5 0 0 1 10 0M10 16a3.5 3.5 0 0 1 4 0M4 4l16 16"/>`,
	stop: svg`<rect x="6" y="6" width="12" height="12" rx="2"/>`,
	repeat: svg`<path d="M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5"/>`,
	volume: svg`<path d="M4 10v4h3l5 4V6L7 10zM16 9a4 4 0 0 1 0 6M18.5 6.5a7.5 7.5 0 0 1 0 11"/>`,
	clock: svg`<circle cx="12" cy="12.5" r="8"/><path d="M12 8v4.5l3 2"/>`,
	people: svg`<circle cx="9" cy="8" r="3.2"/><path d="M3.5 19a5.5 5.5 0 0 1 11 0M15.5 5.3a3.2 3.2 0 0 1 0 5.4M17 14a5.5 5.5 0 0 1 3.5 5"/>`,
	list: svg`<path d="M9 6h11M9 12h11M9 18h11M4.5 6h.01M4.5 12h.01M4.5 18h.01"/>`,
	next: svg`<path d="M5 12h14M13 6l6 6-6 6"/>`,
	back: svg`<path d="M19 12H5M11 6l-6 6 6 6"/>`,
	add: svg`<path d="M12 5v14M5 12h14"/>`,
	less: svg`<path d="M5 12h14"/>`,
	close: svg`<path d="M6 6l12 12M18 6L6 18"/>`,
	edit: svg`<path d="M4 20l1-4L16.5 4.5a2.1 2.1 0 0 1 3 3L8 19zM14.5 6.5l3 3"/>`,
	print: svg`<path d="M7 9V4h10v5M7 17H4v-7h16v7h-3M7 14h10v6H7z"/>`,
	save: svg`<path d="M12 4v11M7 11l5 5 5-5M5 20h14"/>`,
	bin: svg`<path d="M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10.5 11v5M13.5 11v5"/>`,
	book: svg`<path d="M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6"/>`,
	pot: svg`<path d="M4 10h16M6 10v7a3 3 0 0 0 3 3h6a3 3 0 0 0 3-3v-7M2.5 13H6M18 13h3.5M9 6.5c0-1.2 1-1.2 1-2.5M14 6.5c0-1.2 1-1.2 1-2.5"/>`,
	ok: svg`<path d="M5 12.5l4.5 4.5L19 7"/>`,
	warn: svg`<path d="M12 4l9 16H3zM12 10v4.5M12 17.5h.01"/>`,
	send: svg`<path d="M4 12l16-8-5 16-3.5-6.5zM11.5 13.5L20 4"/>`,
	ear: svg`<path d="M7 10a5 5 0 0 1 10 0c0 4-4 4.5-4 8a2.8 2.8 0 0 1-5.4 1M10 10.5a2 2 0 0 1 4 0c0 1.2-1 1.7-1.5 2.2"/>`,
	import: svg`<path d="M12 16V5M7 10l5-5 5 5M5 20h14"/>`,
};

/** The icon of a name, as a template. */
export const icon = (name) => html`<svg class="i" viewBox="0 0 24 24" aria-hidden="true">${paths[name] ?? paths.idle}</svg>`;
