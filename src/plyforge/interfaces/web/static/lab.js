// Stored runs of experiments: the list, and one run's report.

import { element, fetchJson } from "./common.js";
import { ROWS, formatCount, date, emptyNotice, failure, pager, plot, table } from "./archive.js";

const runs = document.getElementById("runs");
const run = document.getElementById("run");
const place = document.getElementById("list");
let begin = 0;

const SIGNS = { reproduced: "✓", refuted: "✗", undecided: "?", "not comparable": "≈", "not measured": "–" };

/** Show what the address names: the list, or #run-7. */
function route() {
  const match = /^#run-(\d+)$/.exec(location.hash);
  runs.hidden = Boolean(match);
  run.hidden = !match;
  document.getElementById("main").focus({ preventScroll: true });
  scrollTo(0, 0);
  if (match) open(match[1]);
  else list();
}

async function list(from = begin) {
  begin = from;
  place.setAttribute("aria-busy", "true");
  try {
    const page = await fetchJson(`/api/lab?from=${from}&limit=${ROWS}`);
    place.replaceChildren(...(page.total ? [
      element("p", { class: "muted small" }, `From ${page.file}, newest first.`),
      element("ul", { class: "list" }, ...page.runs.map((one) => element("li", {}, card(one)))),
      pager(page.total, page.from, page.runs.length, "runs", list),
    ] : [emptyNotice("No runs are stored.", page.command, "plyforge serve --lab FILE")]).filter(Boolean));
  } catch (error) {
    place.replaceChildren(failure(error, () => list(from)));
  }
  place.setAttribute("aria-busy", "false");
}

function card(one) {
  return element("a", { class: "card panel", href: `#run-${one.id}` },
    element("h2", {}, one.title),
    one.source ? element("p", { class: "small" }, one.source) : null,
    element("p", { class: "muted small" },
      `${one.experiment} · run ${one.id} · seed ${one.seed} · Plyforge ${one.version} · ${formatCount(one.measurements)} measurements · `, date(one.created)));
}

async function open(id) {
  run.setAttribute("aria-busy", "true");
  run.replaceChildren(back(), element("p", { class: "wait", role: "status" }, "Computing the intervals; a large run takes some seconds …"));
  const here = location.hash;
  try {
    const report = await fetchJson(`/api/lab/${id}`);
    if (location.hash !== here) return;
    run.replaceChildren(...reportElements(report));
  } catch (error) {
    run.replaceChildren(back(), failure(error, () => open(id)));
  }
  run.setAttribute("aria-busy", "false");
}

function back() {
  return element("a", { class: "back", href: "#" }, "← all runs");
}

function reportElements(report) {
  return [
    back(),
    element("h1", {}, report.title),
    report.source ? element("p", {}, `Source: ${report.source}.`) : null,
    element("p", { class: "muted small" }, report.about, " Run ", String(report.id), ", started ", date(report.created), `, ${formatCount(report.measurements)} measurements.`),
    report.warning ? element("p", { class: "panel" }, report.warning) : null,
    element("div", { class: "stack" },
      ...findingElements(report),
      report.charts.length ? element("h2", {}, "Charts") : null,
      ...report.charts.map((chart, number) => plot(`/api/lab/${report.id}/charts/${number}.svg?of=${report.measurements}`, chart.title)),
      ...tables(report.tables),
      ...(report.notes.length ? [element("h2", {}, "Notes"), ...report.notes.map((text) => element("p", { class: "note" }, text))] : []),
      ...(report.command ? [element("h2", {}, "Repeat it"), element("pre", { class: "command", tabindex: 0 }, element("code", {}, report.command))] : [])),
  ].filter(Boolean);
}

function findingElements(report) {
  if (!report.findings) return [];
  const counts = Object.entries(report.verdicts).filter(([, count]) => count);
  return [
    element("h2", {}, "Published and measured"),
    element("p", { class: "row verdicts" }, ...counts.map(([verdict, count]) => element("span", { class: "verdict", "data-verdict": verdict }, `${SIGNS[verdict]} ${count} ${verdict}`))),
    element("div", { class: "findings" }, table(report.findings, verdictCell, "cards")),
  ];
}

function verdictCell(text, heading) {
  return heading === "verdict" ? element("span", { class: "verdict", "data-verdict": text }, `${SIGNS[text] ?? ""} ${text}`) : text;
}

/** Put the interval of a figure, such as `249 (180 to 320)`, below it. */
function figure(text) {
  const match = /^(\S.*?) \((\S+ to \S+)\)$/.exec(text);
  return match
    ? element("span", { class: "figure" }, match[1], " ", element("span", { class: "interval" }, match[2]))
    : text;
}

/** Make all tables; fold them if there are many. */
function tables(list) {
  if (!list.length) return [];
  const rows = list.reduce((sum, one) => sum + one.rows.length, 0);
  if (list.length <= 3 && rows < 40) return [element("h2", {}, "Tables"), ...list.map((one) => table(one, figure))];
  return [
    element("h2", {}, "Tables"),
    ...list.map((one, number) => element("details", { open: number === 0 },
      element("summary", {}, one.title || `Table ${number + 1}`), table({ ...one, title: "" }, figure))),
  ];
}

addEventListener("hashchange", route);
route();
