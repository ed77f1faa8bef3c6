// Watching two players: the page requests each move, at the pace that the user sets.

import { connect, element, say } from "./common.js";
import { GameChoice } from "./games.js";
import { SeatForm } from "./seat.js";
import { Viewer, pairing } from "./viewer.js";

const SEEDS = 2 ** 31 - 1;
const form = document.getElementById("watch-form");
const choice = new GameChoice(nameSides);
let seats = [];
let connection = null;
let section = null;
let showSection = () => {};

/** The current game: the request for it, and its state. */
let request = null;
let viewer = null;
let running = false;
let waiting = false;
let end = null;
let timer = 0;
let lastMove = 0;
let lost = false;
const controls = {};

export function isWatching() {
  return request !== null;
}

/** Set up the form; `open` is called when a game starts, and shows the element. */
export function setUpForm(container, open) {
  section = container;
  showSection = open;
  connection = connect(receive, (open) => {
    const reconnected = open && lost;
    lost = !open;
    if (reconnected && request) resume();
  });
  connection.send({ type: "watch-choices" });
  choice.fill().then(nameSides).catch((error) => say(error.message, true));
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

/** Name the players' forms after the sides of the game. */
function nameSides() {
  const game = choice.chosen;
  if (!game) return;
  seats.forEach((seat, number) => {
    seat.title = game.players[number];
    seat.names = game.named;
  });
}

function receive(message) {
  if (message.type === "watch-choices" && !seats.length) {
    seats = [new SeatForm("First player", message, 8), new SeatForm("Second player", message, 4)];
    document.getElementById("seats").replaceChildren(...seats.map((seat) => seat.root));
    nameSides();
  } else if (message.type === "watch") showGame(message);
  else if (message.type === "watch-move") showMove(message);
  else if (message.type === "error" && request) {
    showRefusal(message.text);
  } else if (message.type === "working" && waiting && message.before) {
    showStatus(`Waiting for ${message.before} other requests …`);
  }
}

/** Show an error; if no board is shown yet, return to the form. */
function showRefusal(text) {
  running = waiting = false;
  if (viewer) {
    showControls();
    showStatus(text);
  } else {
    request = null;
    location.hash = "";
  }
}

function start(newRequest) {
  stopTimer();
  request = newRequest;
  end = null;
  running = waiting = true;
  viewer = null;
  section.replaceChildren(
    element("a", { class: "back", href: "#" }, "← all matches"),
    element("h1", {}, "Two players"),
    controls.status = element("p", { class: "status-text", role: "status" }, "Preparing the players …"));
  showSection();
  connection.send({ type: "watch-begin", ...newRequest });
}

/** After a lost connection, resume the game from the moves that were shown. */
function resume() {
  if (end) return;
  waiting = true;
  connection.send({ type: "watch-begin", ...request, moves: viewer?.moves.map((move) => move.text) });
}

function showGame(message) {
  if (!request || end?.stopped) return;
  waiting = false;
  end = message.end;
  if (viewer && viewer.moves.length === message.moves.length) {
    showControls();
    next();
    return;
  }
  viewer = new Viewer(() => Promise.reject(new Error("The board of this position is not available.")));
  viewer.set(message, { ...message.boards, [message.moves.length]: message.board });
  draw(message);
  viewer.show(message.moves.length);
  showControls();
  next();
}

function draw(message) {
  const button = (text, act, main = false) => element("button", { type: "button", class: main ? "main" : null, onclick: act }, text);
  controls.pause = button("Pause", pause, true);
  controls.step = button("One move", step);
  controls.stop = button("Stop", stop);
  controls.again = button("Again", () => start({ ...request, seed: Math.floor(Math.random() * SEEDS) }));
  controls.swap = button("Again, sides swapped", () => start({ ...request, players: [...request.players].reverse() }));
  controls.delay = element("input", { type: "range", min: 0, max: 4, step: 0.25, value: controls.delay?.value ?? 0.75, oninput: showDelay });
  controls.shown = element("span", {});
  controls.status = element("p", { class: "status-text", role: "status", "aria-live": "polite" });
  section.replaceChildren(
    element("a", { class: "back", href: "#" }, "← all matches"),
    element("h1", {}, message.title),
    pairing(message),
    element("div", { class: "sides" },
      element("div", { class: "stack" }, viewer.stage, viewer.bar, viewer.status),
      element("div", { class: "stack" },
        element("div", { class: "panel stack" },
          controls.status,
          element("div", { class: "row" }, controls.pause, controls.step, controls.stop),
          element("label", {}, element("span", {}, "Pause between moves: ", controls.shown), controls.delay),
          element("div", { class: "row" }, controls.again, controls.swap)),
        element("div", { class: "panel" }, element("h2", {}, "Moves"), viewer.list,
          element("p", { class: "muted small" }, "Scores are from the perspective of the side that moved.")))));
  showDelay();
}

function showDelay() {
  const text = `${Number(controls.delay.value)} s`;
  controls.shown.textContent = text;
  controls.delay.setAttribute("aria-valuetext", text);
}

function showMove(message) {
  if (!request || !viewer || end?.stopped) return;
  waiting = false;
  lastMove = performance.now();
  if (message.move && message.ply === viewer.moves.length + 1) viewer.add(message.move, message.board);
  end = message.end;
  showControls();
  next();
}

/** Request the next move after the pause. */
function next() {
  stopTimer();
  if (!running || end || waiting) return;
  const remaining = Number(controls.delay.value) * 1000 - (performance.now() - lastMove);
  timer = setTimeout(requestMove, Math.max(0, remaining));
}

function requestMove() {
  if (end || waiting || lost || !viewer) return; // after a reconnect the game resumes by itself
  waiting = true;
  showControls();
  connection.send({ type: "watch-move", ply: viewer.moves.length });
}

function pause() {
  running = !running;
  showControls();
  next();
}

function step() {
  running = false;
  stopTimer();
  requestMove();
}

function stop() {
  running = waiting = false;
  stopTimer();
  end = { stopped: true };
  connection.send({ type: "watch-stop" });
  showControls();
}

/** End the game: the user has left the page's section. */
export function leave() {
  if (!request) return;
  stopTimer();
  connection.send({ type: "watch-stop" });
  request = viewer = null;
  running = waiting = false;
}

function stopTimer() {
  clearTimeout(timer);
}

function showStatus(text) {
  if (controls.status && controls.status.textContent !== text) controls.status.textContent = text;
}

function showControls() {
  if (!viewer || !controls.pause) return;
  controls.pause.textContent = running ? "Pause" : "Continue";
  controls.pause.disabled = controls.stop.disabled = Boolean(end);
  controls.step.disabled = Boolean(end) || (waiting && !running);
  if (end?.stopped) showStatus("Stopped.");
  else if (end) showStatus(`${end.winner ? `${end.winner} wins` : "A draw"}: ${end.reason}${end.score ? `, by ${Math.abs(end.score)} points` : ""}.`);
  else if (!running) showStatus(waiting ? "Thinking …" : "Paused.");
  else showStatus("The game is running.");
}
