// What the pages of stored results share: tables, pages of rows, plots, dates.

import { element } from "./common.js";

export const ROWS = 25;

/** A table that scrolls in a box of its own where it is too wide; `cells` may dress one. */
export function table(given, cells = (text) => text, kind = "") {
  const label = given.title || given.headings.join(", ");
  const made = element("table", { class: kind || null },
    given.title ? element("caption", {}, given.title) : null,
    element("thead", {}, element("tr", {},
      ...given.headings.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...given.rows.map((row) => element("tr", {},
      ...row.map((text, place) => element(place ? "td" : "th", place ? { "data-head": given.headings[place] } : { scope: "row" },
        cells(text, given.headings[place])))))));
  const box = scrolling(label, made);
  return given.more
    ? element("div", {}, box, element("p", { class: "muted small" }, `and ${given.more} rows more`))
    : box;
}

/** A box that scrolls sideways, by keyboard too. */
export function scrolling(label, child) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, child);
}

/** A plot: on light ground in both themes, for its ink is dark. */
export function plot(address, title) {
  const image = element("img", { src: address, alt: title, loading: "lazy" });
  const figure = element("figure", { class: "plot" },
    element("div", { class: "paper", tabindex: 0, role: "region", "aria-label": title }, image));
  image.addEventListener("error", () => {
    figure.replaceChildren(element("p", { class: "muted" }, `The plot "${title}" could not be drawn; reload the page to try again.`));
  });
  return figure;
}

/** Buttons to the rows before and after these; `go(from)` shows others. */
export function pager(total, from, shown, what, go) {
  if (total <= ROWS && from === 0) return null;
  const last = from + shown;
  return element("div", { class: "row pager", role: "group", "aria-label": `Pages of ${what}` },
    element("button", { type: "button", disabled: from === 0, onclick: () => go(Math.max(0, from - ROWS)) }, "← before"),
    element("span", { class: "muted" }, shown ? `${from + 1} to ${last} of ${total} ${what}` : `no ${what} here`),
    element("button", { type: "button", disabled: last >= total, onclick: () => go(last) }, "after →"));
}

/** What to do where nothing is stored. */
export function empty(text, command, option) {
  return element("div", { class: "panel empty" },
    element("p", {}, text),
    element("p", {}, "This command makes some, and a server started beside its file shows them:"),
    element("pre", { tabindex: 0 }, element("code", {}, command)),
    element("p", { class: "muted small" }, "Another file is named by ", element("code", {}, option), "."));
}

/** Something that went wrong, in the place of what was wanted. */
export function failure(error, again) {
  return element("div", { class: "panel", role: "alert" },
    element("p", { class: "wrong" }, error.message),
    element("button", { type: "button", onclick: again }, "Try again"));
}

/** A date as the reader's own clock has it. */
export function date(text) {
  const when = new Date(text);
  const shown = Number.isNaN(when.valueOf())
    ? text
    : when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element("time", { datetime: text }, shown);
}

/** A reason or remark as a sentence. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** A number with its thousands apart. */
export function counted(number) {
  return number.toLocaleString("en");
}
