// Shared by the pages of stored results: tables, paging, plots, dates.

import { element } from "./common.js";

export const ROWS = 25;

/** Make a table that scrolls sideways if it is too wide; `cells(text, heading)` makes the content of a cell. */
export function table(data, cells = (text) => text, kind = "") {
  const label = data.title || data.headings.join(", ");
  const made = element("table", { class: kind || null },
    data.title ? element("caption", {}, data.title) : null,
    element("thead", {}, element("tr", {},
      ...data.headings.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...data.rows.map((row) => element("tr", {},
      ...row.map((text, place) => element(place ? "td" : "th", place ? { "data-head": data.headings[place] } : { scope: "row" },
        cells(text, data.headings[place])))))));
  const box = scrollBox(label, made);
  return data.more
    ? element("div", {}, box, element("p", { class: "muted small" }, `and ${data.more} more rows`))
    : box;
}

/** Make a box that scrolls sideways, also with the keyboard. */
export function scrollBox(label, child) {
  return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, child);
}

/** Explain the columns of tables: `meanings` maps headings to texts. */
export function columnHelp(meanings) {
  return element("details", { class: "small columns" }, element("summary", {}, "What the columns mean"),
    element("dl", {}, ...Object.entries(meanings).flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)])));
}

/** Make a plot; a dark theme inverts its colours. */
export function plot(address, title) {
  const image = element("img", { src: address, alt: title, loading: "lazy" });
  const figure = element("figure", { class: "plot" },
    element("div", { class: "paper", tabindex: 0, role: "region", "aria-label": title }, image));
  image.addEventListener("error", () => {
    figure.replaceChildren(element("p", { class: "muted" }, `The plot "${title}" could not be drawn; reload the page to try again.`));
  });
  return figure;
}

/** Make buttons to the previous and the next rows; `go(from)` shows them. */
export function pager(total, from, shown, what, go) {
  if (total <= ROWS && from === 0) return null;
  const last = from + shown;
  return element("div", { class: "row pager", role: "group", "aria-label": `Pages of ${what}` },
    element("button", { type: "button", disabled: from === 0, onclick: () => go(Math.max(0, from - ROWS)) }, "← previous"),
    element("span", { class: "muted" }, shown ? `${from + 1} to ${last} of ${total} ${what}` : `no ${what}`),
    element("button", { type: "button", disabled: last >= total, onclick: () => go(last) }, "next →"));
}

/** Say how to store results where there are none. */
export function emptyNotice(text, command, option) {
  return element("div", { class: "panel empty" },
    element("p", {}, text),
    element("p", {}, "Run this command, and start the server in the same folder to see its results:"),
    element("pre", { tabindex: 0 }, element("code", {}, command)),
    element("p", { class: "muted small" }, "To show another file, use ", element("code", {}, option), "."));
}

/** Show an error, with a button to try again. */
export function failure(error, retry) {
  return element("div", { class: "panel", role: "alert" },
    element("p", { class: "error" }, error.message),
    element("button", { type: "button", onclick: retry }, "Try again"));
}

/** Format a date in the user's time zone. */
export function date(text) {
  const when = new Date(text);
  const shown = Number.isNaN(when.valueOf())
    ? text
    : when.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  return element("time", { datetime: text }, shown);
}

/** Make a sentence of a reason or remark. */
export function sentence(text) {
  return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
}

/** Format a number with thousands separators. */
export function formatCount(number) {
  return number.toLocaleString("en");
}
