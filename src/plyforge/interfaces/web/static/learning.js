// Runs of learning: the list, and the curves of one or two runs. Both follow a run that is going on.

import { announce, element, fetchJson, svg } from "./common.js";
import { ROWS, date, emptyNotice, failure, formatCount, pager, scrollBox, table } from "./archive.js";

const runs = document.getElementById("runs");
const run = document.getElementById("run");
const place = document.getElementById("list");
const INTERVAL = 2000; // milliseconds between requests, at least
const PATIENCE = 10; // at least so many times the time of an answer, to leave the processor to the run
const RESIZE_DELAY = 200;
const MAX_CHOICES = 100;
let begin = 0;
let timer = 0;
let refreshNow = () => {};
let view = 0; // counts views, so that an answer for an earlier one is dropped
let changes = false; // whether weights are drawn as changes
let chosen = null; // the label of the highlighted line, in all charts that have it

/** Show what the address names: the list, #run-7, or #run-7-9. */
function route() {
  const match = /^#run-(\d+)(?:-(\d+))?$/.exec(location.hash);
  runs.hidden = Boolean(match);
  run.hidden = !match;
  document.getElementById("main").focus({ preventScroll: true });
  scrollTo(0, 0);
  chosen = null;
  if (match) open(match.slice(1).filter(Boolean));
  else list();
}

/** Call `refresh` now and again every few seconds while the page is visible. */
function follow(refresh) {
  const here = ++view;
  refreshNow = async () => {
    const start = performance.now();
    if (!document.hidden) await refresh(() => here === view);
    if (here !== view) return;
    clearTimeout(timer);
    timer = setTimeout(refreshNow, Math.max(INTERVAL, PATIENCE * (performance.now() - start)));
  };
  clearTimeout(timer);
  refreshNow();
}

// The list

function list(from = begin) {
  begin = from;
  let shown = "";
  follow(async (current) => {
    try {
      const page = await fetchJson(`/api/learning?from=${from}&limit=${ROWS}`);
      const state = JSON.stringify([page.file, page.total, page.runs]);
      if (!current()) return;
      if (state !== shown) {
        shown = state;
        keepFocus(place, () => place.replaceChildren(...listElements(page)));
      }
      tick(page.now);
    } catch (error) {
      if (current() && error.message !== shown) {
        shown = error.message;
        place.replaceChildren(failure(error, () => list(from)));
      }
    }
  });
}

function listElements(page) {
  if (!page.total) return [emptyNotice("No runs are stored.", page.command, "plyforge serve --learning FILE")];
  return [
    element("p", { class: "muted small" }, `From ${page.file}, newest first.`),
    runsTable(page.runs),
    pager(page.total, page.from, page.runs.length, "runs", list),
  ].filter(Boolean);
}

function runsTable(rows) {
  const heads = ["run", "game", "method", "games", "loss", "against the start", "begun", "last round"];
  const cells = (one) => [
    one.title, one.method, formatCount(one.games), one.loss ?? "", one.score ?? "", date(one.created),
    one.ended ? age(one.ended) : "none yet",
  ];
  return scrollBox("Runs", element("table", { class: "runs cards" },
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows.map((one) => element("tr", {},
      element("th", { scope: "row" }, element("a", { id: `run-link-${one.id}`, href: `#run-${one.id}` }, one.name)),
      ...cells(one).map((cell, number) => element("td", { "data-head": heads[number + 1] }, cell)))))));
}

// Curves

function open(ids) {
  let shown = null;
  let drawn = "";
  const status = element("p", { class: "error", role: "status" });
  const choice = element("div", { class: "row choice" });
  const body = element("div", {});
  body.append(element("p", { class: "wait", role: "status" }, "Loading …"));
  run.replaceChildren(element("a", { class: "back", href: "#" }, "← all runs"), status, body);
  const refresh = async (current) => {
    try {
      const wanted = `width=${chartWidth()}&changes=${Number(changes)}`;
      const page = await fetchJson(`/api/learning/curves?${ids.map((id) => `run=${id}`).join("&")}&${wanted}`);
      if (!current()) return;
      status.textContent = "";
      const state = JSON.stringify(page.runs);
      if (state !== shown || wanted !== drawn) {
        if (shown !== null && state !== shown) announce(page.runs.map((one) => `${one.name}: ${formatCount(one.games)} games`).join(", "));
        shown = state;
        drawn = wanted;
        keepFocus(body, () => body.replaceChildren(...runElements(page, choice, openDetails(body))));
        highlight(body);
      }
      tick(page.now);
    } catch (error) {
      if (!current()) return;
      if (shown === null) body.replaceChildren(failure(error, () => open(ids)));
      else status.textContent = `${error.message}; trying again …`;
    }
  };
  choice.append(element("label", { class: "check" },
    element("input", { id: "changes", type: "checkbox", checked: changes, onchange: (event) => { changes = event.target.checked; follow(refresh); } }),
    "Changes of weights instead of values"));
  listChoices(ids, choice);
  follow(refresh);
}

/** The width of a chart in its column: the server draws for it, so that text has its natural size. */
function chartWidth() {
  const probe = element("div", { class: "charts" }, ...[0, 1].map(() => element("div", { class: "panel" }, element("div", {}))));
  run.append(probe);
  const width = probe.querySelector(".panel > div").clientWidth;
  probe.remove();
  return Math.max(240, Math.min(1600, width));
}

/** Offer a second run to compare with. */
async function listChoices(ids, choice) {
  try {
    const page = await fetchJson(`/api/learning?limit=${MAX_CHOICES}`);
    const others = page.runs.filter((one) => String(one.id) !== ids[0]);
    if (!others.length) return;
    const select = element("select", { id: "other", onchange: () => { location.hash = `#run-${[ids[0], select.value].filter(Boolean).join("-")}`; } },
      element("option", { value: "" }, "nothing"),
      ...others.map((one) => element("option", { value: one.id, selected: String(one.id) === ids[1] }, `${one.name} (${one.title}, ${one.method})`)));
    choice.prepend(element("label", {}, "Compare with ", select));
  } catch { /* the curves report the error */ }
}

function runElements(page, choice, open) {
  return [
    element("h1", {}, page.runs.map((one) => one.name).join(" and ")),
    element("ul", { class: "run-state" }, ...page.runs.map((one, number) => element("li", {}, key(`c${number}`), runState(one)))),
    choice,
    element("div", { class: "charts" }, ...page.charts.map(chart)),
    details("Figures as tables", open, element("div", { class: "figures" }, ...page.tables.map((one) => table(one)), ...page.weights.map((one) => table(one, undefined, "weights")))),
    element("div", { class: "figures" }, ...page.settings.map((one) => table(one, undefined, "settings"))),
  ].filter(Boolean);
}

function runState(one) {
  const last = one.ended ? ["; the last round ended ", age(one.ended), "."] : ["; no round has ended yet."];
  return element("span", {},
    element("strong", {}, one.name), `: ${one.title}, ${one.method}, ${formatCount(one.games)} games in ${formatCount(one.rounds)} round${one.rounds === 1 ? "" : "s"}`,
    one.score ? `, ${one.score.replace(" (", " of the points against the start (")}` : "",
    ", begun ", date(one.created), ...last);
}

function chart(data) {
  const figure = element("figure", { class: "chart panel" }, element("h2", {}, data.title));
  if (!data.svg) {
    figure.classList.add("without");
    figure.append(element("p", { class: "muted" }, data.note));
    return figure;
  }
  const picture = svg(data.svg);
  figure.append(picture);
  const buttons = data.legend.map((line, number) => element("button", {
    type: "button", id: `line-${data.title}-${number}`, "aria-pressed": "false",
    "data-line": line.label, onclick: () => { chosen = chosen === line.label ? null : line.label; highlight(run); },
  }, key(line.style), element("span", {}, line.label)));
  figure.append(element("ul", { class: "legend", "aria-label": "Lines" }, ...buttons.map((button) => element("li", {}, button))));
  if (data.note) figure.append(element("p", { class: "muted small" }, data.note));
  return figure;
}

/** Make the chosen line stand out in every chart that has it. */
function highlight(parent) {
  for (const figure of parent.querySelectorAll(".chart")) {
    const lines = [...figure.querySelectorAll("[data-line]")];
    figure.classList.toggle("chosen", lines.some((one) => one.dataset.line === chosen));
    for (const one of lines) {
      if (one.matches("button")) one.setAttribute("aria-pressed", String(one.dataset.line === chosen));
      else one.classList.toggle("here", one.dataset.line === chosen);
    }
  }
}

/** Make a sample of a line. */
function key(style) {
  return svg(`<svg xmlns="http://www.w3.org/2000/svg" class="curves key" viewBox="0 0 26 10" aria-hidden="true"><g class="${style}"><path class="curve" d="M0 5H26"/></g></svg>`);
}

// Refreshing

function details(title, open, child) {
  return element("details", { open: open.has(title), "data-title": title }, element("summary", {}, title), child);
}

function openDetails(parent) {
  return new Set([...parent.querySelectorAll("details[open]")].map((one) => one.dataset.title));
}

/** Change the page, and put the focus back on the element with the same id. */
function keepFocus(parent, change) {
  const id = parent.contains(document.activeElement) ? document.activeElement.id : "";
  change();
  if (id) document.getElementById(id)?.focus({ preventScroll: true });
}

/** Make a text such as "12 seconds ago", which `tick` updates. */
function age(text) {
  return element("time", { datetime: text, class: "age" });
}

/** Update all such texts; `now` is the time of the server, whose clock may differ. */
function tick(now) {
  for (const one of document.querySelectorAll("time.age")) {
    const seconds = Math.max(0, Math.round((new Date(now) - new Date(one.dateTime)) / 1000));
    if (Number.isNaN(seconds)) one.textContent = one.dateTime;
    else if (seconds > 86_400) one.replaceChildren(date(one.dateTime).textContent);
    else one.textContent = `${ageText(seconds)} ago`;
  }
}

function ageText(seconds) {
  const [count, unit] = seconds < 120 ? [seconds, "second"] : seconds < 7200 ? [Math.round(seconds / 60), "minute"] : [Math.round(seconds / 3600), "hour"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

addEventListener("hashchange", route);
addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(refreshNow, RESIZE_DELAY); });
document.addEventListener("visibilitychange", () => refreshNow());
route();
