// Two players on a board: the page asks for one move after the other, as fast as the reader likes.

import { connect, element, say } from "./common.js";
import { GameChoice } from "./games.js";
import { SeatForm } from "./seat.js";
import { Viewer, pairing } from "./viewer.js";

const SEEDS = 2 ** 31 - 1;
const form = document.getElementById("watch-form");
const choice = new GameChoice(name);
let seats = [];
let connection = null;
let place = null;
let opened = () => {};

/** The game under way: what was asked for, and how it stands. */
let asked = null;
let viewer = null;
let running = false;
let waiting = false;
let end = null;
let timer = 0;
let lastMove = 0;
let lost = false;
const controls = {};

export function watching() {
  return asked !== null;
}

/** Set up the form; `open` is called when a game begins, and shows `section`. */
export function begins(section, open) {
  place = section;
  opened = open;
  connection = connect(hear, (here) => {
    const back = here && lost;
    lost = !here;
    if (back && asked) resume();
  });
  connection.send({ type: "watch-choices" });
  choice.fill().then(name).catch((error) => say(error.message, true));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    start({
      game: choice.name,
      players: seats.map((seat) => seat.description),
      opening: Number(form.elements.opening.value),
      seed: Math.floor(Math.random() * SEEDS),
    });
  });
}

/** The sides are called as the game calls them. */
function name() {
  const game = choice.chosen;
  if (game) seats.forEach((seat, number) => { seat.title = game.players[number]; });
}

function hear(message) {
  if (message.type === "watch-choices" && !seats.length) {
    seats = [new SeatForm("First player", message, 8), new SeatForm("Second player", message, 4)];
    document.getElementById("seats").replaceChildren(...seats.map((seat) => seat.root));
    name();
  } else if (message.type === "watch") begun(message);
  else if (message.type === "watch-move") moved(message);
  else if (message.type === "error" && asked) {
    refused(message.text);
  } else if (message.type === "working" && waiting && message.before) {
    tell(`Waiting: the server has ${message.before} to serve before.`);
  }
}

/** Nothing came of it: back to the form, if no board has been seen yet. */
function refused(text) {
  running = waiting = false;
  if (viewer) {
    arrange();
    tell(text);
  } else {
    asked = null;
    location.hash = "";
  }
}

function start(wish) {
  stopTimer();
  asked = wish;
  end = null;
  running = waiting = true;
  viewer = null;
  place.replaceChildren(
    element("a", { class: "back", href: "#" }, "← all matches"),
    element("h1", {}, "Two players"),
    controls.status = element("p", { class: "told", role: "status" }, "The players sit down …"));
  opened();
  connection.send({ type: "watch-begin", ...wish });
}

/** After a lost connection: the same game, from the moves that were seen. */
function resume() {
  if (end) return;
  waiting = true;
  connection.send({ type: "watch-begin", ...asked, moves: viewer?.moves.map((move) => move.text) });
}

function begun(message) {
  if (!asked || end?.stopped) return;
  waiting = false;
  end = message.end;
  if (viewer && viewer.moves.length === message.moves.length) {
    arrange();
    next();
    return;
  }
  viewer = new Viewer(() => Promise.reject(new Error("This position was on the board before you began to watch.")));
  viewer.set(message, { ...message.boards, [message.moves.length]: message.board });
  draw(message);
  viewer.show(message.moves.length);
  arrange();
  next();
}

function draw(message) {
  const button = (text, act, main = false) => element("button", { type: "button", class: main ? "main" : null, onclick: act }, text);
  controls.pause = button("Pause", pause, true);
  controls.step = button("One move", step);
  controls.stop = button("Stop", stop);
  controls.again = button("Again", () => start({ ...asked, seed: Math.floor(Math.random() * SEEDS) }));
  controls.exchange = button("Again, sides exchanged", () => start({ ...asked, players: [...asked.players].reverse() }));
  controls.delay = element("input", { type: "range", min: 0, max: 4, step: 0.25, value: controls.delay?.value ?? 0.75, oninput: pace });
  controls.shown = element("span", {});
  controls.status = element("p", { class: "told", role: "status", "aria-live": "polite" });
  place.replaceChildren(
    element("a", { class: "back", href: "#" }, "← all matches"),
    element("h1", {}, message.title),
    pairing(message),
    element("div", { class: "sides" },
      element("div", { class: "stack" }, viewer.stage, viewer.bar, viewer.told),
      element("div", { class: "stack" },
        element("div", { class: "panel stack" },
          controls.status,
          element("div", { class: "row" }, controls.pause, controls.step, controls.stop),
          element("label", {}, element("span", {}, "Pause between moves: ", controls.shown), controls.delay),
          element("div", { class: "row" }, controls.again, controls.exchange)),
        element("div", { class: "panel" }, element("h2", {}, "Moves"), viewer.list,
          element("p", { class: "muted small" }, "Scores are what the side that moves thinks of them.")))));
  pace();
}

function pace() {
  const told = `${Number(controls.delay.value)} s`;
  controls.shown.textContent = told;
  controls.delay.setAttribute("aria-valuetext", told);
}

function moved(message) {
  if (!asked || !viewer || end?.stopped) return;
  waiting = false;
  lastMove = performance.now();
  if (message.move && message.ply === viewer.moves.length + 1) viewer.add(message.move, message.board);
  end = message.end;
  arrange();
  next();
}

/** Ask for the next move, when it is time. */
function next() {
  stopTimer();
  if (!running || end || waiting) return;
  const rest = Number(controls.delay.value) * 1000 - (performance.now() - lastMove);
  timer = setTimeout(ask, Math.max(0, rest));
}

function ask() {
  if (end || waiting || lost || !viewer) return; // a lost game goes on by itself
  waiting = true;
  arrange();
  connection.send({ type: "watch-move", ply: viewer.moves.length });
}

function pause() {
  running = !running;
  arrange();
  next();
}

function step() {
  running = false;
  stopTimer();
  ask();
}

function stop() {
  running = waiting = false;
  stopTimer();
  end = { stopped: true };
  connection.send({ type: "watch-stop" });
  arrange();
}

/** The reader looks at something else: the game goes no further. */
export function leave() {
  if (!asked) return;
  stopTimer();
  connection.send({ type: "watch-stop" });
  asked = viewer = null;
  running = waiting = false;
}

function stopTimer() {
  clearTimeout(timer);
}

function tell(text) {
  if (controls.status && controls.status.textContent !== text) controls.status.textContent = text;
}

function arrange() {
  if (!viewer || !controls.pause) return;
  controls.pause.textContent = running ? "Pause" : "Go on";
  controls.pause.disabled = controls.stop.disabled = Boolean(end);
  controls.step.disabled = Boolean(end) || (waiting && !running);
  if (end?.stopped) tell("Stopped.");
  else if (end) tell(`${end.winner ? `${end.winner} wins` : "A draw"}: ${end.reason}${end.score ? `, by ${Math.abs(end.score)} points` : ""}.`);
  else if (!running) tell(waiting ? "Thinking …" : "Paused.");
  else tell("The game goes on.");
}
