// A search that a master shares out to workers: its tree, and who works where.

import { announce, element } from "./common.js";
import { STARTING } from "./searchpanel.js";

const get = (id) => document.getElementById(id);
const SIGNS = { exact: "", lower: "≥ ", upper: "≤ ", open: "? " };
const WORDS = { exact: "", lower: " or more", upper: " or less", open: " (some moves open)" };
const COLOURS = 8; // of workers; then they begin again
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

export class SharedSearch {
  /** `where()` returns the fields of the position, `how()` the search options, `onFollow(texts)` makes
   *  moves. */
  constructor(jobs, where, how, onFollow) {
    this.jobs = jobs;
    this.where = where;
    this.how = how;
    this.onFollow = onFollow;
    this.status = ""; // shown until the first result
    jobs.addButton("share", () => this.start());
  }

  start() {
    const workers = Number(get("worker-count").value);
    this.status = workers === 1 ? `${STARTING} One worker alone reports at the end.` : STARTING;
    this.jobs.start("share", this.where(), { how: this.how(), workers, seconds: Number(get("seconds").value) || 10 });
    this.clear();
  }

  clear() {
    get("shared-summary").textContent = this.jobs.running === "share" ? this.status : "";
    get("shared-result").hidden = true;
  }

  /** Another job runs, or none: without a result, show whether one is coming. */
  update() {
    if (get("shared-result").hidden) this.clear();
  }

  show(message) {
    const { value, line, player, nodes, quick_nodes: quick, seconds, workers } = message;
    const score = value === null ? "not searched" : `${value.score}${WORDS[value.bound]}`;
    const rest = value === null ? "" : ` for ${player}${value.proved ? ", proved" : ""}, depth ${value.depth}`;
    get("shared-summary").replaceChildren(element("strong", {}, score), `${rest}: ${line.join(" ")}`, element("br"),
      `${count(nodes)} nodes of ${workers.length} workers, ${count(quick)} of the master, ${seconds.toFixed(1)} s`);
    get("shared-player").textContent = player;
    keepFocus(get("shared-tree").tBodies[0], this.#rows(message.tree, [], 0));
    this.#showWorkers(workers);
    get("shared-result").hidden = false;
    if (message.last) announce(`Best: ${line[0]}, ${score}${rest}.`);
  }

  /** Show what each worker does; a place that all of them share needs no column. */
  #showWorkers(workers) {
    const [place] = workers.map((one) => one.place);
    const together = workers.every((one) => one.place === place && !one.lost);
    get("shared-workers").classList.toggle("together", together);
    get("shared-place").textContent = together ? `All workers run in ${place}.` : "";
    get("shared-workers").tBodies[0].replaceChildren(...workers.map(workerRow));
  }

  /** The row of a node, those of its children, and that of the moves without a node of their own. */
  #rows(node, path, level) {
    const moves = node.move ? [...path, node.move] : path;
    const name = node.move
      ? element("button", { type: "button", "aria-label": moves.join(" "), onclick: () => this.onFollow(moves) }, node.move)
      : "this position";
    const rows = [row(name, node, node.rest ? [] : node.workers, level, "")];
    for (const child of node.children) rows.push(...this.#rows(child, moves, level + 1));
    if (node.rest) rows.push(row(others(node.rest.moves), node.rest, node.workers, level + 1, "rest"));
    return rows;
  }
}

/** Replace rows; a button in them that has the focus is replaced by the one for the same moves. */
function keepFocus(body, rows) {
  const label = body.contains(document.activeElement) ? document.activeElement.getAttribute("aria-label") : null;
  body.replaceChildren(...rows);
  if (label !== null) [...body.querySelectorAll("button")].find((one) => one.getAttribute("aria-label") === label)?.focus({ preventScroll: true });
}

function row(name, { value, best, nodes }, workers, level, kind) {
  const head = element("th", { scope: "row" }, name, ...workers.map(badge));
  head.style.setProperty("--level", level);
  const proved = value?.proved ? { title: "proved" } : {};
  return element("tr", { class: `${best ? "best" : ""} ${kind}`.trim() || null }, head,
    element("td", proved, value === null ? "–" : `${SIGNS[value.bound]}${value.score}${value.proved ? " ✓" : ""}`),
    element("td", {}, value === null ? "–" : String(value.depth)),
    element("td", { title: count(nodes) }, SHORT.format(nodes)));
}

function workerRow(worker) {
  const { number, path, rest, depth, nodes, moved, place, lost } = worker;
  let node = "nothing";
  if (path !== null) node = [path.join(" "), rest === null ? "" : others(rest)].filter(Boolean).join(": ") || "all moves";
  return element("tr", {}, element("td", {}, badge(number)),
    element("td", {}, node),
    element("td", {}, depth === null ? "–" : String(depth)),
    element("td", { title: count(nodes) }, SHORT.format(nodes)),
    element("td", {}, String(moved)),
    element("td", { class: "place" }, lost ? `lost: ${lost}` : place));
}

function badge(number) {
  return element("span", { class: `worker worker-${(number - 1) % COLOURS}`, title: `worker ${number}` }, String(number));
}

function others(number) {
  return number === 1 ? "the other move" : `${number} others`;
}

function count(number) {
  return number.toLocaleString("en");
}
