// The page that shows which nodes searches visit.

import { connect, element, fetched, say, svg } from "./common.js";
import { Pane } from "./treepane.js";

const byId = (name) => document.getElementById(name);
const FIELDS = ["game", "position", "moves", "depth", "order"];
const PLAY_EVERY = 650;
const AFTER = "The trees are drawn; a few seconds more for the minimal tree and for which depth can be searched …";
const HINT = "Play, or step back with ←, to follow the search.";

let panes = [];
let active = null;
let most = 4;
let wished = 0;
let leaves = null;
let playing = 0;
/** What is under way: "asked" until the server begins, then "begun", at last "done". */
let stage = "done";

const { send } = connect(heard);

// What to search

async function begin() {
  const [choices, offered] = await Promise.all([fetched("/api/trees"), fetched("/api/games")]);
  most = choices.most;
  for (const { name, title, idea } of choices.algorithms) {
    byId("algorithms").append(element("label", { class: "check", title: idea },
      element("input", { type: "checkbox", value: name }), title));
  }
  for (const game of offered.games) byId("games").append(element("option", { value: game.name }, game.title));
  const example = byId("example");
  example.append(element("option", { value: "" }, "of your own"));
  choices.examples.forEach((one, number) => example.append(element("option", { value: String(number) }, one.title)));
  example.addEventListener("change", () => {
    if (example.value !== "") wish(choices.examples[Number(example.value)]);
  });
  for (const field of [...FIELDS.map(byId), byId("algorithms")]) {
    field.addEventListener("input", () => { example.value = ""; });
  }
  const linked = new URLSearchParams(location.hash.slice(1));
  if (linked.has("game")) {
    wish({ ...Object.fromEntries(linked), algorithms: (linked.get("algorithms") ?? "alpha-beta").split(" ") });
  } else {
    example.value = "0";
    wish(choices.examples[0]);
  }
}

/** Fill in the form and draw. */
function wish(given) {
  for (const name of FIELDS) byId(name).value = given[name] ?? (name === "order" ? "rules" : "");
  for (const box of boxes()) box.checked = given.algorithms.includes(box.value);
  limitBoxes();
  draw();
}

const boxes = () => [...byId("algorithms").querySelectorAll("input")];

function limitBoxes() {
  const full = boxes().filter((box) => box.checked).length >= most;
  for (const box of boxes()) box.disabled = full && !box.checked;
}

function draw() {
  const algorithms = boxes().filter((box) => box.checked).map((box) => box.value);
  const given = Object.fromEntries(FIELDS.map((name) => [name, byId(name).value.trim()]));
  if (!algorithms.length) return say("Choose at least one algorithm.", true);
  const message = { type: "trees", algorithms };
  for (const name of FIELDS) if (given[name] !== "") message[name] = name === "depth" ? Number(given[name]) : given[name];
  stopPlaying();
  stage = "asked";
  wished = algorithms.length;
  send(message);
  const kept = Object.entries({ ...given, algorithms: algorithms.join(" ") }).filter(([, value]) => value !== "");
  history.replaceState(null, "", `#${new URLSearchParams(kept)}`);
}

byId("wish").addEventListener("submit", (event) => {
  event.preventDefault();
  draw();
});
byId("algorithms").addEventListener("change", limitBoxes);
byId("stop").addEventListener("click", () => send({ type: "stop" }));

// What the server tells

// A search may be so quick that its trees come before the word that it has begun.
const BEGINNINGS = ["working", "tree", "minimal", "done"];

function heard(message) {
  if (stage === "asked" && BEGINNINGS.includes(message.type)) {
    stage = "begun";
    clear();
  }
  const action = {
    working: () => {
      if (stage === "begun") busy(true, message.before ? `Waiting for ${message.before} others …` : "Searching …");
    },
    done: () => { stage = "done"; busy(false, ""); },
    error: () => { if (stage === "asked") stage = "done"; },
    tree: () => add(message),
    minimal: () => minimal(message),
    reach: () => panes[message.place]?.note(message.note),
    drawing: () => { panes[message.place]?.show(message.svg); showSteps(); },
    visit: () => details(message),
  }[message.type];
  if (action) action();
}

function busy(on, text) {
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
  byId("details").replaceChildren(element("h2", {}, "The chosen node"), element("p", { class: "muted" }, "Click a node of a tree."));
  byId("sentence").textContent = HINT;
  showSteps();
}

function add(message) {
  const pane = new Pane(message, changed, asked);
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
  ratios();
  showSteps();
  if (stage === "begun" && panes.length === wished) busy(true, AFTER);
}

function minimal({ leaves: found, note }) {
  leaves = found;
  byId("minimal").textContent = found === null ? note
    : `The minimal tree, which alpha-beta visits without a table if each node's best move comes first, has ${found.toLocaleString("en")} leaves.`;
  ratios();
}

const RATIO = 4;
function ratios() {
  for (const row of byId("counts").tBodies[0].rows) {
    if (leaves) row.cells[RATIO].textContent = (Number(row.dataset.leaves) / leaves).toFixed(2);
  }
}

function asked(pane, what, node) {
  if (what === "details") send({ type: "visit", place: pane.place, visit: Number(node.dataset.visit) });
  else if (node.classList.contains("inner")) send({ type: "drawing", place: pane.place, collapsed: pane.toggled(node) });
}

function details(told) {
  const rows = [
    ["Moves", told.path || "none: the root"], ["To move", told.side], ["Window", told.window], ["Value", told.value],
    ["Kind", told.kind], ["Depth left", told.depth ?? "all"], ["Moves here", told.moves], ["Left out", told.unseen || "none"],
    ["Position", told.position],
  ];
  const picture = svg(told.board);
  byId("details").replaceChildren(
    element("h2", {}, `${panes[told.place]?.title ?? ""}, visit ${told.visit}`),
    element("p", {}, `${told.explanation}.`),
    element("div", { class: "inspected" }, element("div", { class: "small board-frame" }, picture),
      element("dl", {}, ...rows.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, String(value))]))));
}

// Steps

function activate(pane) {
  active = pane;
  for (const one of panes) one?.root.classList.toggle("active", one === pane && panes.length > 1);
  showSteps();
}

function changed(pane) {
  if (pane !== active) return;
  byId("sentence").textContent = pane.sentence();
  showSteps();
}

const moved = () => (byId("together").checked ? panes.filter(Boolean) : [active].filter(Boolean));
const furthest = () => Math.max(0, ...moved().map((pane) => pane.events.length));
const reached = () => Math.max(0, ...moved().map((pane) => pane.step));

function goTo(step) {
  for (const pane of moved()) pane.goTo(step);
  if (active && !active.now) byId("sentence").textContent = "Nothing has been visited yet.";
  showSteps();
}

function showSteps() {
  const slider = byId("slider");
  slider.max = furthest();
  slider.value = reached();
  byId("place").textContent = active ? `step ${reached()} of ${furthest()}` : "";
  for (const button of byId("steps").querySelectorAll("button")) button.disabled = !active;
}

function togglePlaying() {
  if (playing) return stopPlaying();
  if (!active) return;
  if (reached() >= furthest()) goTo(0);
  playing = setInterval(() => {
    goTo(reached() + 1);
    if (reached() >= furthest()) stopPlaying();
  }, PLAY_EVERY);
  playButton(true);
}

function stopPlaying() {
  clearInterval(playing);
  playing = 0;
  playButton(false);
}

function playButton(on) {
  const button = byId("steps").querySelector('[data-step="play"]');
  button.textContent = on ? "⏸ Pause" : "▶ Play";
  button.setAttribute("aria-pressed", String(on));
}

const STEPS = {
  first: () => goTo(0),
  back: () => goTo(reached() - 1),
  forward: () => goTo(reached() + 1),
  last: () => goTo(furthest()),
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

const EVERYWHERE = ["ArrowLeft", "ArrowRight", "p", "+", "-", "0"];
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
  Enter: () => active.now && asked(active, "details", active.now),
  " ": () => active.now && asked(active, "toggle", active.now),
};
document.addEventListener("keydown", (event) => {
  const inPane = event.target.classList.contains("view");
  if (!active || event.ctrlKey || event.altKey || event.metaKey || !(event.key in KEYS)) return;
  const onPage = event.target === document.body || event.target.id === "main";
  if (!inPane && !(onPage && EVERYWHERE.includes(event.key))) return;
  event.preventDefault();
  KEYS[event.key](event);
});

begin().catch((error) => say(error.message, true));
