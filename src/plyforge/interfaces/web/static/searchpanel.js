// The search on the page for analysis: its options, its lines, and configurations side by side.

import { announce, element, fetchJson, say } from "./common.js";

const get = (id) => document.getElementById(id);
const MAX_CONFIGURATIONS = 6;
const COLUMNS = 9; // of the comparison
/** What a panel shows from the click to the first result. */
export const STARTING = "Starting … The first search of a game compiles it, which takes some seconds.";
const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** The button that starts and stops each job, and its text while the job is not running. */
const BUTTONS = { search: ["start", "Analyse"], compare: ["compare", "Compare"], share: ["share", "Share out"], judge: ["judge", "Judge the moves"] };

/** The job of the page: a search, a comparison, or the judging of a game. */
export class Jobs {
  /** `onChange()` is called when another job runs, or none. */
  constructor(send, onChange) {
    this.send = send;
    this.onChange = onChange;
    this.running = null; // a key of BUTTONS
    this.position = null; // the fields of the position that the last job was started for
    this.confirmed = false; // whether the server has queued it
  }

  /** Start a job in place of the running one; `position` and `options` are the fields of its message. */
  start(kind, position, options) {
    this.send({ type: kind, ...position, ...options });
    this.position = position;
    this.set(kind);
  }

  /** Stop the running job, and ignore what it still sends. */
  stop() {
    this.send({ type: "stop" });
    this.set(null);
  }

  set(kind) {
    this.running = kind;
    this.confirmed = false;
    for (const [one, [id, text]] of Object.entries(BUTTONS)) {
      get(id).textContent = one === kind ? "Stop" : text;
      get(id).setAttribute("aria-pressed", String(one === kind));
    }
    this.onChange();
  }

  /** Whether the last job was started for a position. */
  isFor(position) {
    return JSON.stringify(this.position) === JSON.stringify(position);
  }

  /** Disable the buttons of the jobs that cannot start now; `reasons` has the text to show beside each. */
  setUnavailable(reasons) {
    for (const [kind, [id]] of Object.entries(BUTTONS)) {
      const reason = reasons[kind] ?? "";
      get(id).disabled = Boolean(reason);
      get(`${id}-note`).textContent = reason;
      get(`${id}-note`).hidden = !reason;
    }
  }

  /** Whether messages of a kind of job belong to the running one. */
  accepts(kind) {
    return this.confirmed && this.running === kind;
  }

  /** Let the button of a job start it, or stop it and show its result. */
  addButton(kind, begin) {
    get(BUTTONS[kind][0]).addEventListener("click", () => {
      if (this.running === kind) this.send({ type: "stop" });
      else begin();
    });
  }
}

export class SearchPanel {
  /** `where()` returns the fields of the position, `onFollow(texts)` makes moves, `onInfo(message)`
   *  is called with every iteration. */
  constructor(jobs, where, onFollow, onInfo) {
    this.jobs = jobs;
    this.where = where;
    this.onFollow = onFollow;
    this.onInfo = onInfo;
    this.reached = ""; // the depth of the last iteration
    this.preset = ""; // of the search whose lines are shown
    this.configurations = []; // rows of the comparison
    jobs.addButton("search", () => this.start());
    jobs.addButton("compare", () => this.#compare());
    get("add").addEventListener("change", (event) => this.#add(event));
  }

  /** Fill the options from the tables that the command line uses. */
  async fill() {
    const choices = await fetchJson("/api/choices");
    get("driver").replaceChildren(...choices.drivers.map((one) => element("option", { value: one.name, title: one.summary, selected: one.name === "pvs" }, one.name)));
    get("preset").replaceChildren(...choices.presets.map((name) => element("option", { value: name, selected: name === choices.preset }, name)));
    get("switches").replaceChildren(...choices.switches.map((one) => element("label", { class: "check", title: one.summary },
      element("input", { type: "checkbox", value: one.name, checked: one.on }), one.name)));
    const count = get("thread-count");
    count.max = choices.max_threads;
    get("parallel").replaceChildren(...choices.methods.map((one) => element("option", { value: one.name, title: one.summary, selected: one.name === "ybwc" }, one.name)));
    for (const field of [count, get("parallel")]) field.closest("label").hidden = choices.max_threads < 2;
    get("add").replaceChildren(element("option", { value: "" }, "…"),
      ...choices.drivers.map((one) => element("option", { value: `driver ${one.name}` }, `driver ${one.name}`)),
      ...choices.switches.filter((one) => one.on).map((one) => element("option", { value: `off ${one.name}` }, `without ${one.name}`)));
    this.configurations = [this.#configuration(), { driver: "alphabeta", preset: "exact", on: [], off: [] }, { driver: "mtdf", preset: "exact", on: [], off: [] }];
    this.#showConfigurations();
  }

  /** The search options as the field `how` of a message. */
  get configuration() {
    return this.#configuration();
  }

  #configuration() {
    const boxes = [...get("switches").querySelectorAll("input")];
    const on = boxes.filter((box) => box.checked && !box.defaultChecked).map((box) => box.value);
    const off = boxes.filter((box) => !box.checked && box.defaultChecked).map((box) => box.value);
    const threads = Number(get("thread-count").value) || 1;
    const parallel = threads > 1 ? { threads, parallel: get("parallel").value } : {};
    return { driver: get("driver").value, preset: get("preset").value, on, off, ...parallel };
  }

  start() {
    this.reached = "";
    const how = this.#configuration();
    this.preset = how.preset;
    this.jobs.start("search", this.where(), { how, lines: Number(get("lines").value) || 1, seconds: Number(get("seconds").value) || 10 });
  }

  /** Another job runs, or none: without a result, show whether one is coming. */
  update() {
    if (!get("variations").childElementCount) this.clear();
  }

  clear() {
    const text = this.jobs.running === "search" ? STARTING : "Not analysed yet.";
    get("summary").replaceChildren(element("span", { class: "muted" }, text));
    get("variations").replaceChildren();
    this.#showThreads(null);
  }

  /** Show what the threads of the search did: nodes of each, and what their time went to. */
  #showThreads(threads) {
    get("threads").hidden = !threads;
    if (!threads) return;
    const percent = (share) => `${(100 * share).toFixed(1)} %`;
    const shares = Object.entries(threads.shares).filter(([name, share]) => name === "searching" || share >= 0.0005);
    const events = Object.entries(threads.events).filter(([, number]) => number);
    get("threads").replaceChildren(
      element("p", {}, element("strong", {}, threads.method), `, ${threads.nodes.length} threads`),
      element("dl", {}, ...threads.nodes.map((_, place) => element("div", {},
        element("dt", {}, `Thread ${place + 1}`), element("dd", {}), element("span", { class: "load" }, element("span"))))),
      element("ul", { "aria-label": "Time of all threads" }, ...shares.map(([name, share]) => element("li", {}, `${name} ${percent(share)}`))),
      element("ul", { class: "muted", "aria-label": "Events" }, ...events.map(([name, number]) => element("li", {}, `${formatCount(number)} ${name.replace("_", " ")}`))),
    );
    this.#showThreadNodes(threads.nodes);
  }

  #showThreadNodes(nodes) {
    const most = Math.max(...nodes, 1);
    [...get("threads").querySelectorAll("dl > div")].forEach((one, place) => {
      one.querySelector("dd").textContent = `${formatCount(nodes[place] ?? 0)} nodes`;
      one.querySelector(".load span").style.width = `${100 * (nodes[place] ?? 0) / most}%`;
    });
  }

  /** Show the lines of an iteration for a position as the server sent it. */
  showInfo(message, shown) {
    this.reached = depthText(message);
    const [best] = message.lines;
    const percent = (line) => `${Math.round(100 * (shown.turn ? 1 - line.first : line.first))} %`;
    get("summary").replaceChildren(
      element("strong", {}, scoreText(best)), ` for ${shown.players[shown.turn]}${best.proved ? ", proved" : ""}, expected result ${percent(best)}`,
      element("span", { class: "preset" }, ` (preset ${this.preset})`),
      element("br"), element("span", { class: "running" }, `${this.reached}, ${figuresText(message)}`),
    );
    this.#showThreads(message.threads);
    if (message.last) announce(`Best: ${best.moves[0]}, ${scoreText(best)} at ${this.reached}.`);
    get("variations").replaceChildren(...message.lines.map((line) => element("li", {},
      element("span", { class: "score" }, scoreText(line), element("span", { class: "depth" }, `${percent(line)}, depth ${line.depth}`)),
      element("span", {}, ...line.moves.map((text, place) => element("button", {
        type: "button", onclick: () => this.onFollow(line.moves.slice(0, place + 1)),
      }, text))))));
    this.onInfo(message);
  }

  /** Show the figures of an unfinished iteration; only their line changes. */
  showProgress(message) {
    const summary = get("summary");
    if (!summary.querySelector(".running")) summary.replaceChildren("Searching …", element("br"), element("span", { class: "running" }));
    if (!get("threads").hidden && message.thread_nodes.length) this.#showThreadNodes(message.thread_nodes);
    const known = message.known ? ` (${message.known})` : "";
    summary.querySelector(".running").textContent = `${this.reached ? `${this.reached}, then ` : "depth "}${message.depth}${known}: ${figuresText(message)}`;
  }

  // Configurations side by side

  #compare() {
    this.configurations[0] = this.#configuration();
    this.#showConfigurations();
    this.jobs.start("compare", this.where(), { configurations: this.configurations, depth: Number(get("compare-depth").value) || 6 });
    say("Comparing the configurations …");
  }

  #add(event) {
    const { value } = event.target;
    event.target.value = "";
    if (!value) return;
    if (this.configurations.length >= MAX_CONFIGURATIONS) {
      say("At most six configurations; remove one.", true);
      return;
    }
    const [kind, name] = value.split(" ");
    const added = { driver: "pvs", preset: "exact", on: [], off: [] };
    if (kind === "driver") added.driver = name;
    else added.off = [name];
    this.configurations.push(added);
    this.#showConfigurations();
  }

  #showConfigurations() {
    get("compared").tBodies[0].replaceChildren(...this.configurations.flatMap((one, place) => [
      element("tr", { class: "configuration" }, element("th", { colspan: COLUMNS, scope: "rowgroup" }, describe(one), place ? element("button", {
        type: "button", class: "tiny", "aria-label": `Remove ${describe(one)}`, onclick: () => { this.configurations.splice(place, 1); this.#showConfigurations(); },
      }, "×") : null)),
      element("tr", { "data-place": place }, ...Array.from({ length: COLUMNS }, () => element("td", {}, ""))),
    ]));
  }

  showRow(message) {
    const row = get("compared").querySelector(`tr[data-place="${message.place}"]`);
    if (!row) return;
    const [best] = message.lines;
    const { leaves, cuts, transpositions, searches } = message.counts;
    const depth = message.depth + (message.last && !message.complete ? "…" : "");
    const cells = [best.moves[0], best.score, depth, message.nodes, leaves, cuts, transpositions, searches, message.seconds.toFixed(2)];
    cells.forEach((value, place) => {
      row.cells[place].textContent = typeof value === "number" ? SHORT.format(value) : value;
      row.cells[place].title = typeof value === "number" ? formatCount(value) : "";
    });
  }
}

function describe(one) {
  const parts = [one.driver, one.preset];
  if (one.on.length) parts.push(`+ ${one.on.join(" + ")}`);
  if (one.off.length) parts.push(`without ${one.off.join(", ")}`);
  if (one.threads > 1) parts.push(`${one.parallel}, ${one.threads} threads`);
  return parts.join(", ");
}

function formatCount(number) {
  return number === null ? "–" : Math.round(number).toLocaleString("en");
}

/** Format the score of a line; a line that was not searched to its end may be better. */
function scoreText(line) {
  return line.score + ({ exact: "", lower: " or better", none: " (unknown)" }[line.bound] ?? "");
}

/** Format the depth of the score; a stopped iteration is deeper than the last complete one. */
function depthText(message) {
  const deepest = message.lines[0].depth;
  return deepest > message.depth ? `depth ${deepest} unfinished (${message.depth} complete)` : `depth ${message.depth}`;
}

function figuresText(message) {
  return `${formatCount(message.nodes)} nodes, ${formatCount(message.speed)} per second, ${message.seconds.toFixed(1)} s`;
}
