// The page that shows the nodes that searches visit.

import { connect, download, downloadPng, element, fetchJson, say, svg } from "./common.js";
import { FORMATS, Pane } from "./treepane.js";

const byId = (name) => document.getElementById(name);
const FIELDS = ["game", "position", "moves", "depth", "order", "workers", "seed"];
const NUMBERS = ["depth", "workers", "seed"];
const DEFAULTS = { order: "rules", workers: "2", seed: "0" };
const PLAY_EVERY = 650;
const FINISHING = "The trees are drawn; the minimal tree and the feasible depths follow in a few seconds …";

let panes = [];
let active = null;
let maxTrees = 4;
let requested = 0;
let leaves = null;
let playing = 0;
/** The state of the request: "sent", then "started", then "done". */
let stage = "done";

const { send } = connect(receive);

// The request

async function begin() {
  const [choices, offered] = await Promise.all([fetchJson("/api/trees"), fetchJson("/api/games")]);
  maxTrees = choices.max_trees;
  for (const { name, title, idea, parallel } of choices.algorithms) {
    byId(parallel ? "methods" : "algorithms").append(element("label", { class: "check", title: idea },
      element("input", { type: "checkbox", value: name }), parallel ? name : title));
  }
  for (const game of offered.games) byId("games").append(element("option", { value: game.name }, game.title));
  for (const name of choices.hidden) byId("games").append(element("option", { value: name }, "with hidden information"));
  const example = byId("example");
  example.append(element("option", { value: "" }, "custom"));
  choices.examples.forEach((one, number) => example.append(element("option", { value: String(number) }, one.title)));
  example.addEventListener("change", () => {
    if (example.value !== "") showExample(choices.examples[Number(example.value)]);
  });
  for (const field of [...FIELDS.map(byId), byId("algorithms"), byId("methods")]) {
    field.addEventListener("input", () => { example.value = ""; });
  }
  const linked = new URLSearchParams(location.hash.slice(1));
  if (linked.has("game")) {
    showExample({ ...Object.fromEntries(linked), algorithms: (linked.get("algorithms") ?? "alpha-beta").split(" ") });
  } else {
    example.value = "0";
    showExample(choices.examples[0]);
  }
}

/** Fill in the form and draw. */
function showExample(example) {
  for (const name of FIELDS) byId(name).value = example[name] ?? DEFAULTS[name] ?? "";
  for (const box of boxes()) box.checked = example.algorithms.includes(box.value);
  limitBoxes();
  draw();
}

const boxes = () => [...document.querySelectorAll(":is(#algorithms, #methods) input")];

function limitBoxes() {
  const full = boxes().filter((box) => box.checked).length >= maxTrees;
  for (const box of boxes()) box.disabled = full && !box.checked;
}

function draw() {
  const algorithms = boxes().filter((box) => box.checked).map((box) => box.value);
  const fields = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value.trim()]));
  if (!algorithms.length) return say("Choose at least one algorithm.", true);
  const message = { type: "trees", algorithms };
  for (const name of FIELDS) if (fields[name] !== "") message[name] = NUMBERS.includes(name) ? Number(fields[name]) : fields[name];
  stopPlaying();
  stage = "sent";
  requested = algorithms.length;
  hasMinimal = !algorithms.every((name) => WITHOUT_MINIMAL.includes(name));
  send(message);
  const parameters = Object.entries({ ...fields, algorithms: algorithms.join(" ") })
    .filter(([name, value]) => value !== "" && (name === "order" || value !== DEFAULTS[name]));
  history.replaceState(null, "", `#${new URLSearchParams(parameters)}`);
}

byId("request").addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});
for (const list of ["algorithms", "methods"]) byId(list).addEventListener("change", limitBoxes);
byId("stop").addEventListener("click", () => send({ type: "stop" }));

// Messages from the server

// The trees of a quick search may arrive before the message that it has started.
const FIRST_MESSAGES = ["working", "tree", "minimal", "done"];

// Trees with chance or hidden information have no minimal one: a late message is of an earlier search.
const WITHOUT_MINIMAL = ["expectimax", "star1", "star2", "equilibrium"];
let hasMinimal = true;

function receive(message) {
  if (message.type === "minimal" && !hasMinimal) return;
  if (stage === "sent" && FIRST_MESSAGES.includes(message.type)) {
    stage = "started";
    clear();
  }
  const action = {
    working: () => {
      if (stage === "started") setBusy(true, message.before ? `Waiting for ${message.before} other searches …` : "Searching …");
    },
    done: () => { stage = "done"; setBusy(false, ""); },
    error: () => { if (stage === "sent") stage = "done"; },
    tree: () => add(message),
    minimal: () => showMinimal(message),
    feasible: () => panes[message.place]?.note(message.note),
    export: () => save(message),
    drawing: () => { panes[message.place]?.show(message.svg); showSteps(); },
    visit: () => showDetails(message),
  }[message.type];
  if (action) action();
}

function setBusy(on, text) {
  byId("stop").disabled = !on;
  byId("state").textContent = text;
}

function clear() {
  panes = [];
  active = null;
  leaves = null;
  byId("panes").replaceChildren();
  byId("counts").tBodies[0].replaceChildren();
  byId("minimal").textContent = "";
  byId("details").replaceChildren(element("h2", {}, "Selected node"), element("p", { class: "muted" }, "Click a node in a tree."));
  document.body.classList.remove("one-tree");
  showSteps();
}

function add(message) {
  const pane = new Pane(message, onChange, onRequest);
  if (byId("together").checked) pane.goTo(currentStep(), false);
  panes[message.place] = pane;
  byId("panes").append(pane.root);
  byId("panes").className = `of${byId("panes").childElementCount}`;
  pane.root.addEventListener("focusin", () => activate(pane));
  pane.root.addEventListener("pointerdown", () => activate(pane));
  for (const one of panes) if (!one.zoomed) one.fit();
  if (!active) activate(pane);
  const { counts } = message;
  const numbers = [counts.visits, counts.leaves, null, counts.cuts, counts.unseen, counts.hits, counts.searches];
  byId("counts").tBodies[0].append(element("tr", { "data-leaves": counts.leaves },
    element("th", { scope: "row" }, message.title), element("td", {}, message.value),
    ...numbers.map((number) => element("td", {}, number === null ? "" : number.toLocaleString("en")))));
  showRatios();
  showSteps();
  if (stage === "started" && panes.length === requested) setBusy(true, FINISHING);
}

function showMinimal({ leaves: count, note }) {
  leaves = count;
  byId("minimal").textContent = count === null ? note
    : `The minimal tree has ${count.toLocaleString("en")} leaves. Alpha-beta without a table visits it if each node's best move comes first.`;
  showRatios();
}

const RATIO = 4;
function showRatios() {
  for (const row of byId("counts").tBodies[0].rows) {
    if (leaves) row.cells[RATIO].textContent = (Number(row.dataset.leaves) / leaves).toFixed(2);
  }
}

function onRequest(pane, what, node) {
  if (what === "expand") send({ type: "expand", place: pane.place });
  else if (what === "export") send({ type: "export", place: pane.place, collapsed: pane.collapsed(), format: node });
  else if (what === "details") send({ type: "visit", place: pane.place, visit: Number(node.dataset.visit) });
  else if (node.classList.contains("inner")) send({ type: "drawing", place: pane.place, collapsed: pane.collapsedAfterToggle(node) });
}

async function save({ place, format, text }) {
  const name = `${(panes[place]?.title ?? "tree").toLowerCase().replace(/\W+/g, "-").replace(/^-|-$/g, "")}.${FORMATS[format]}`;
  try {
    if (format === "png") await downloadPng(name, text);
    else download(name, text);
  } catch (error) {
    say(error.message, true);
  }
}

function showDetails(visit) {
  const rows = [
    ...(visit.worker === null ? [] : [["Worker", visit.worker]]),
    ["Moves", visit.path || "none: the root"], ["To move", visit.side], ["Window", visit.window], ["Value", visit.value],
    ["Kind", visit.kind], ["Depth left", visit.depth ?? "all"], ["Moves here", visit.moves], ["Not searched", visit.unseen || "none"],
    ["Position", visit.position],
  ];
  const picture = svg(visit.board);
  byId("details").replaceChildren(
    element("h2", {}, `${panes[visit.place]?.title ?? ""}, visit ${visit.visit}`),
    element("p", {}, `${visit.explanation}.`),
    element("div", { class: "inspected" }, element("div", { class: "small board-frame" }, picture),
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]))));
}

// Steps

function activate(pane) {
  active = pane;
  for (const one of panes) {
    one?.root.classList.toggle("active", one === pane && panes.length > 1);
    one?.sentence.setAttribute("aria-live", one === pane ? "polite" : "off");
  }
  showSteps();
}

function onChange(pane) {
  if (pane !== active) return;
  showSteps();
}

const steppedPanes = () => (byId("together").checked ? panes.filter(Boolean) : [active].filter(Boolean));
const lastStep = () => Math.max(0, ...steppedPanes().map((pane) => pane.events.length));
const currentStep = () => Math.max(0, ...steppedPanes().map((pane) => pane.step));

function goTo(step) {
  for (const pane of steppedPanes()) pane.goTo(step);
  showSteps();
}

function showSteps() {
  const slider = byId("slider");
  slider.max = lastStep();
  slider.value = currentStep();
  byId("place").textContent = active ? `step ${currentStep()} of ${lastStep()}` : "";
  for (const button of byId("steps").querySelectorAll("button")) button.disabled = !active;
}

function togglePlaying() {
  if (playing) return stopPlaying();
  if (!active) return;
  if (currentStep() >= lastStep()) goTo(0);
  playing = setInterval(() => {
    goTo(currentStep() + 1);
    if (currentStep() >= lastStep()) stopPlaying();
  }, PLAY_EVERY);
  showPlayButton(true);
}

function stopPlaying() {
  clearInterval(playing);
  playing = 0;
  showPlayButton(false);
}

function showPlayButton(on) {
  const button = byId("steps").querySelector('[data-step="play"]');
  button.textContent = on ? "⏸ Pause" : "▶ Play";
  button.setAttribute("aria-pressed", String(on));
}

const STEPS = {
  first: () => goTo(0),
  back: () => goTo(currentStep() - 1),
  forward: () => goTo(currentStep() + 1),
  last: () => goTo(lastStep()),
  play: togglePlaying,
};
byId("steps").addEventListener("click", (event) => {
  const step = event.target.closest("[data-step]")?.dataset.step;
  if (!step) return;
  if (step !== "play") stopPlaying();
  STEPS[step]();
});
byId("slider").addEventListener("input", (event) => {
  stopPlaying();
  goTo(Number(event.target.value));
});
byId("together").addEventListener("change", showSteps);

const PAGE_KEYS = ["ArrowLeft", "ArrowRight", "p", "f", "Escape", "+", "-", "0"];
const KEYS = {
  ArrowLeft: (event) => (event.shiftKey ? active.go("left") : STEPS.back()),
  ArrowRight: (event) => (event.shiftKey ? active.go("right") : STEPS.forward()),
  ArrowUp: () => active.go("up"),
  ArrowDown: () => active.go("down"),
  Home: STEPS.first,
  End: STEPS.last,
  p: STEPS.play,
  "+": () => active.zoomBy(1.25),
  "-": () => active.zoomBy(0.8),
  0: () => active.zoomBy(0),
  f: () => active.setFull(!active.full),
  Escape: () => active.full && active.setFull(false),
  Enter: () => active.now && onRequest(active, "details", active.now),
  " ": () => active.now && onRequest(active, "toggle", active.now),
};
document.addEventListener("keydown", (event) => {
  const inPane = event.target.classList.contains("view");
  if (!active || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  const onPage = event.target === document.body || event.target.id === "main";
  if (!inPane && !(onPage && PAGE_KEYS.includes(event.key))) return;
  event.preventDefault();
  KEYS[event.key](event);
});

begin().catch((error) => say(error.message, true));
