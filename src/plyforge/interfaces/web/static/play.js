// The page on which people play.

import { Board, moveButtons } from "./board.js";
import { connect, download, element, say, sideDot } from "./common.js";
import { GameChoice } from "./games.js";

const get = (id) => document.getElementById(id);
const KEY = "plyforge-game";
const LOW = 20; // seconds from which a clock warns
let state = null;
let seen = null; // the clocks as they came, and when
let choosing = false; // whether the form was changed for a game that has not begun

const board = new Board(get("board"), play);
const choice = new GameChoice(chosen);
const connection = connect(heard, (open) => { if (open) rejoin(); });

// The game to come back to: in the address, so that a reload or a second page finds it.

function gameKey() {
  const named = new URLSearchParams(location.hash.slice(1)).get("game");
  if (named) return named;
  try { return sessionStorage.getItem(KEY); } catch { return null; }
}

function keepKey(key) {
  history.replaceState(null, "", `#game=${key}`);
  try { sessionStorage.setItem(KEY, key); } catch { /* the address has it */ }
}

function rejoin() {
  const key = state?.key ?? gameKey();
  if (key) connection.send({ type: "join", key });
}

function heard(message) {
  if (message.type === "state") show(message);
  if (message.type === "position" && !state) board.show({ ...message, legal: [] });
  if (message.type === "hint") hinted(message);
  if (message.type === "record") download(`${state.game.replace(/\W+/g, "-")}.txt`, message.text);
  if (message.type === "error" && state) show(state);
  if (message.type === "gone") {
    history.replaceState(null, "", location.pathname);
    try { sessionStorage.removeItem(KEY); } catch { /* as above */ }
    state = null;
    say("That game is no longer on the server; begin another.");
    preview();
  }
}

/** The board may show an earlier position than the latest that was heard of: `ply` tells which. */
function play(text, ply = state.moves.length) {
  connection.send({ type: "move", text, ply });
}

// Showing

function show(next) {
  const before = state;
  state = next;
  keepKey(next.key);
  seen = { clocks: next.clocks, at: performance.now() };
  const forward = before?.key === next.key && next.moves.length === before.moves.length + 1;
  if (before?.key !== next.key && !choosing) choice.select(next.game);
  board.show({ ...next, ply: next.moves.length, animate: forward }).then(() => { get("board").dataset.key = next.key; });
  get("title").textContent = next.title;
  for (const side of [0, 1]) {
    const seat = get(`seat-${side}`);
    seat.querySelector(".who").replaceChildren(sideDot(next.colours[side]),
      `${next.players[side]}: ${next.people.includes(side) ? "you" : next.seats[side]}`);
    seat.classList.toggle("turn", next.turn === side && !next.end);
  }
  arrangeSeats(next.people);
  showStatus(next, forward);
  showMoves(next.moves);
  showControls(next);
  tick();
  if (wanted && (before?.key !== next.key || document.activeElement === document.body)) focusBoard();
}

/** Who begins a game, or has made a move with a button that is gone, goes on at the board. */
let wanted = false;
async function focusBoard() {
  if (!(await board.focus())) get("special").querySelector("button")?.focus({ preventScroll: true });
  wanted = false;
}

/** The person's side is below the board. */
function arrangeSeats(people) {
  const below = people.length === 1 ? people[0] : 0;
  const holder = get("board").parentNode;
  holder.insertBefore(get(`seat-${1 - below}`), get("board"));
  holder.insertBefore(get(`seat-${below}`), get("board").nextSibling);
}

function showStatus(next, forward) {
  const status = get("status");
  status.classList.toggle("over", Boolean(next.end));
  status.textContent = statusText(next);
  const last = next.last;
  if (forward && last && /^pass$/i.test(last.text)) say(`${next.players[last.side]} passes.`);
}

function statusText(next) {
  const mover = next.players[next.turn];
  const said = next.last ? `${next.players[next.last.side]} played ${next.last.text}. ` : "";
  if (next.end) {
    const { winner, reason, score } = next.end;
    const by = score ? ` by ${Math.abs(score)}` : "";
    const verdict = winner === null ? "A draw" : `${next.players[winner]} wins${by}`;
    return `${verdict}: ${reason}.`;
  }
  if (next.thinking) return `${said}${mover} is thinking …`;
  const again = next.last && next.last.side === next.turn ? " again" : "";
  const only = next.legal.length === 1 ? ` The only move is ${next.legal[0].text}.` : "";
  return `${said}${mover} to move${again}.${only}`;
}

function showMoves(moves) {
  const list = get("moves");
  list.replaceChildren(...moves.map((move, place) => element("li", {
    class: [move.side ? "second" : "first", place === moves.length - 1 ? "latest" : ""].join(" "),
  }, `${place + 1}. ${move.text}`)));
  list.scrollTop = list.scrollHeight;
}

function showControls(next) {
  const mine = next.legal.length > 0;
  get("undo").disabled = !next.can.undo;
  get("redo").disabled = !next.can.redo;
  get("resign").disabled = Boolean(next.end) || !next.people.length;
  get("hint").disabled = get("move").disabled = get("make").disabled = !mine;
  get("save").disabled = get("turn").disabled = false;
  get("claim").hidden = !next.can.claim;
  get("legal").replaceChildren(...next.legal.map((move) => element("option", { value: move.text })));
  get("special").replaceChildren(...moveButtons(next, (text) => { wanted = true; play(text); }));
  const link = new URLSearchParams({ game: next.game, moves: next.moves.map((move) => move.text).join("\n") });
  if (next.start) link.set("position", next.start);
  get("analyse").href = `/analyse#${link}`;
}

function hinted(message) {
  if (!state || message.ply !== state.moves.length) return;
  board.adorn(message.board);
  say(`Hint: ${message.text}`);
}

// Clocks run here between two messages; the server decides.

function tick() {
  for (const side of [0, 1]) {
    const shown = get(`seat-${side}`).querySelector(".clock");
    if (!seen?.clocks) {
      shown.textContent = "";
      continue;
    }
    const { left, running } = seen.clocks;
    const spent = running === side ? (performance.now() - seen.at) / 1000 : 0;
    const seconds = Math.max(0, left[side] - spent);
    shown.textContent = clockText(seconds);
    shown.classList.toggle("low", seconds < LOW);
  }
}

/** Minutes and seconds, with tenths once they are few; rounded first, so that 59.7 is 1:00. */
function clockText(seconds) {
  const digits = seconds < LOW ? 1 : 0;
  const rounded = Number(seconds.toFixed(digits));
  return `${Math.floor(rounded / 60)}:${(rounded % 60).toFixed(digits).padStart(digits ? 4 : 2, "0")}`;
}

setInterval(tick, 200);

// Controls

for (const name of ["undo", "redo", "resign", "hint", "turn", "claim", "save"]) {
  get(name).addEventListener("click", () => connection.send({ type: name }));
}
get("typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = get("move").value.trim();
  if (text && state) play(text);
  get("move").value = "";
});
get("open").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) {
    const message = { type: "open", text: await file.text() };
    if (!state || (choice.chosen && choice.name !== state.game)) message.new = newGame();
    connection.send(message);
  }
  event.target.value = "";
});

// A new game

/** The game that the form asks for, but where it starts. */
function newGame() {
  const opponent = get("opponent").value;
  const message = { game: choice.name, side: get("side").value, seed: Math.floor(Math.random() * 2 ** 31) };
  if (opponent === "level") message.level = Number(get("level").value);
  if (opponent === "seconds") message.seconds = Number(get("seconds").value);
  if (opponent === "clock") {
    message.minutes = Number(get("minutes").value);
    message.increment = Number(get("increment").value);
  }
  return message;
}

get("new").addEventListener("input", () => { choosing = true; });
get("new").addEventListener("submit", (event) => {
  event.preventDefault();
  choosing = false;
  wanted = true;
  const position = get("position").value.trim();
  connection.send({ type: "new", ...newGame(), ...(position ? { position } : {}) });
  get("board").scrollIntoView({ block: "nearest" });
});
get("level").addEventListener("input", () => { get("level-shown").textContent = get("level").value; });
get("opponent").addEventListener("change", () => {
  for (const field of document.querySelectorAll(".by")) {
    field.hidden = !field.classList.contains(get("opponent").value);
  }
});

/** Another game was chosen: its sides, and its start while no game is played. */
function chosen() {
  const game = choice.chosen;
  if (!game) return;
  const [first, second] = get("side").options;
  [first, second].forEach((option, side) => {
    const order = ["first", "second"][side];
    const name = game.players[side];
    option.textContent = name.toLowerCase() === order ? name : `${name} (${order})`;
  });
  get("position").value = "";
  preview();
}

function preview() {
  if (!state && choice.chosen) connection.send({ type: "look", game: choice.name });
}

try {
  await choice.fill();
  chosen();
} catch (error) {
  say(`The list of games did not come: ${error.message}`, true);
}
