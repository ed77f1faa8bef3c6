// The page on which people play.

import { Board, moveButtons } from "./board.js";
import { connect, download, element, readGameFile, recordName, say, sideDot } from "./common.js";
import { GameChoice } from "./games.js";
import { GameTree } from "./gametree.js";
import { Marks } from "./marks.js";
import { showMoveList } from "./movelist.js";
import { Premove } from "./premove.js";
import { soundOf, Sounds } from "./sounds.js";

const get = (id) => document.getElementById(id);
const STORED = "plyforge-played"; // the game as this page knows it, in case the server forgets it
const LOW_SECONDS = 20; // below this a clock shows a warning
let state = null;
let latest = null; // the last move of the game, as a node
let viewed = null; // an earlier move whose position is shown; null for the game itself
let clockState = null; // the clocks in the last message, and when it arrived
const reopened = new Set(); // keys of games that the page has asked the server to reopen
let formChanged = false; // whether the form was changed since the last game started

const board = new Board(get("board"), play);
const premove = new Premove(board, () => { if (state && !viewed) showStatus(state, false); });
const marks = new Marks(board);
const sounds = new Sounds(get("sounds"));
const warned = new Set(); // the sides whose clocks have given a warning
const choice = new GameChoice(showChosenGame);
const connection = connect(receive, (open) => { if (open) rejoin(); });

// The key of the game is in the address, so that a reload or a second page can join it. The page also
// keeps the game itself: a server that was started again, or has dropped the game, can reopen it.

function storedGame() {
  try { return JSON.parse(sessionStorage.getItem(STORED)); } catch { return null; }
}

function storeGame(next) {
  history.replaceState(null, "", `#game=${next.key}`);
  const { key, options, start, moves, comments, end, clocks } = next;
  const game = {
    key, options, start, moves: moves.map((move) => move.text), comments,
    result: end?.result ?? "*", reason: end?.reason ?? "", left: clocks?.left ?? null,
  };
  try { sessionStorage.setItem(STORED, JSON.stringify(game)); } catch { /* the address has the key */ }
}

function rejoin() {
  const key = state?.key ?? new URLSearchParams(location.hash.slice(1)).get("game") ?? storedGame()?.key;
  if (key) connection.send({ type: "join", key });
}

/** Reopen a game that the server does not have from what the page knows, or reset the page. */
function reopen(message) {
  const game = storedGame();
  if (game?.key === message.key && !reopened.has(message.key)) {
    reopened.add(message.key);
    connection.send({ type: "reopen", ...game });
    return;
  }
  reset();
  say(`This game is gone: ${message.reason}. Start another.`, true);
}

/** Show the page as it is before a game starts. */
function reset() {
  history.replaceState(null, "", location.pathname);
  try { sessionStorage.removeItem(STORED); } catch { /* there was none */ }
  premove.cancel();
  board.onWaiting = null;
  state = clockState = latest = viewed = null;
  get("title").textContent = "Play";
  get("status").textContent = "Choose a game and press Start.";
  get("status").classList.remove("over");
  for (const side of [0, 1]) {
    get(`seat-${side}`).querySelector(".who").replaceChildren();
    get(`seat-${side}`).classList.remove("turn");
  }
  for (const id of ["moves", "special", "legal", "opening"]) get(id).replaceChildren();
  for (const id of ["undo", "redo", "resign", "hint", "move", "make", "save", "turn"]) get(id).disabled = true;
  get("claim").hidden = true;
  get("analyse").href = "/analyse";
  delete get("board").dataset.key;
  showClocks();
  preview();
}

function receive(message) {
  if (message.type === "state") show(message);
  if (message.type === "position" && !state) board.show({ ...message, legal: [] });
  if (message.type === "position" && viewed) showEarlier(message);
  if (message.type === "hint") showHint(message);
  if (message.type === "record") download(recordName(state.game.replace(/\W+/g, "-"), message.text), message.text);
  if (message.type === "error" && state) show(state);
  if (message.type === "gone") reopen(message);
}

/** Send a move; `ply` is the position that the board shows, which may be behind the latest message. */
function play(text, ply = state.moves.length) {
  connection.send({ type: "move", text, ply });
}

// Display

function show(next) {
  const before = state;
  state = next;
  reopened.delete(next.key);
  storeGame(next);
  clockState = { clocks: next.clocks, at: performance.now() };
  const forward = before?.key === next.key && next.moves.length === before.moves.length + 1;
  if (before?.key !== next.key || before.moves.length !== next.moves.length) marks.show([]);
  if (before?.key !== next.key && !formChanged) choice.select(next.game);
  board.show({ ...next, ply: next.moves.length, animate: forward }).then(() => { get("board").dataset.key = next.key; });
  const sound = soundOf(before, next);
  if (sound) sounds.play(sound);
  if (before?.key !== next.key) premove.cancel();
  premove.update(next);
  get("title").textContent = next.title;
  for (const side of [0, 1]) {
    const seat = get(`seat-${side}`);
    seat.querySelector(".who").replaceChildren(sideDot(next.colours[side]),
      `${next.players[side]}: ${next.people.includes(side) ? "you" : next.seats[side]}`);
    seat.classList.toggle("turn", next.turn === side && !next.end);
  }
  arrangeSeats(next.people);
  showStatus(next, forward);
  get("opening").textContent = next.opening ?? "";
  showMoves(next);
  showControls(next);
  showClocks();
  if (focusWanted && (before?.key !== next.key || document.activeElement === document.body)) focusBoard();
}

/** Whether the board gets the focus: after a game starts, or after a move by a button that is gone. */
let focusWanted = false;
async function focusBoard() {
  if (!(await board.focus())) get("special").querySelector("button")?.focus({ preventScroll: true });
  focusWanted = false;
}

/** Put the person's side below the board. */
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
  const played = next.last ? `${next.players[next.last.side]} played ${next.last.text}. ` : "";
  if (next.chance) return `${played}Chance moves for ${mover}: choose the outcome below the board, or type it.`;
  const dice = next.rolled ? `Rolled: ${next.rolled}. ` : "";
  const lastMove = played + dice;
  if (next.end) {
    const { winner, reason, score } = next.end;
    const by = score ? ` by ${Math.abs(score)}` : "";
    const verdict = winner === null ? "A draw" : `${next.players[winner]} wins${by}`;
    return `${verdict}: ${reason}.`;
  }
  const later = premove.text ? ` Premove: ${premove.text}. Escape or a right click cancels it.` : "";
  if (next.thinking) return `${lastMove}${mover} is thinking …${later}`;
  const again = !dice && next.last && next.last.side === next.turn ? " again" : "";
  const only = next.legal.length === 1 ? ` The only move is ${next.legal[0].text}.` : "";
  return `${lastMove}${mover} to move${again}.${only}`;
}

function showMoves(next) {
  const tree = new GameTree(next.game, next.start);
  latest = tree.follow(next.moves);
  viewed = null;
  showMoveList(get("moves"), tree, latest, view);
}

/** Show an earlier position of the game; the latest is the game itself. */
function view(node) {
  if (!node) return;
  if (node === latest) {
    show(state);
    return;
  }
  viewed = node;
  premove.cancel();
  board.onWaiting = null;
  const message = { type: "look", game: state.game, moves: node.moves, turned: state.turned };
  if (state.start) message.position = state.start;
  connection.send(message);
}

function showEarlier(message) {
  get("opening").textContent = message.opening ?? "";
  marks.show([]);
  board.show({ ...message, legal: [] });
  get("special").replaceChildren();
  let root = viewed;
  while (root.parent) root = root.parent;
  showMoveList(get("moves"), { root }, viewed, view);
  const where = viewed.parent ? `The position after ${viewed.numbered}` : "The start position";
  get("status").textContent = `${where}. Choose the last move to return to the game.`;
}

addEventListener("keydown", (event) => {
  if (!latest || event.target.closest("input, textarea, select, .cell, summary, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = viewed ?? latest;
  const to = { ArrowLeft: at.parent, ArrowRight: at.children[0], Home: at.path[0]?.parent, End: latest }[event.key];
  if (!to || to === at) return;
  event.preventDefault();
  view(to);
});

function showControls(next) {
  const mine = next.legal.length > 0;
  get("undo").disabled = !next.can.undo;
  get("redo").disabled = !next.can.redo;
  get("resign").disabled = Boolean(next.end) || !next.people.length;
  get("hint").disabled = get("move").disabled = get("make").disabled = !mine;
  get("save").disabled = get("turn").disabled = false;
  get("claim").hidden = !next.can.claim;
  get("legal").replaceChildren(...next.legal.map((move) => element("option", { value: move.text })));
  get("special").replaceChildren(...moveButtons(next, (text) => { focusWanted = true; play(text); }));
  const link = new URLSearchParams({ game: next.game, moves: next.moves.map((move) => move.text).join("\n") });
  if (next.start) link.set("position", next.start);
  get("analyse").href = `/analyse#${link}`;
}

function showHint(message) {
  if (!state || message.ply !== state.moves.length) return;
  board.showArrows(message.board);
  say(`Hint: ${message.text}`);
}

// Clocks run here between messages; the server decides when time is over.

function showClocks() {
  for (const side of [0, 1]) {
    const clock = get(`seat-${side}`).querySelector(".clock");
    if (!clockState?.clocks) {
      clock.textContent = "";
      continue;
    }
    const { left, running } = clockState.clocks;
    const spent = running === side ? (performance.now() - clockState.at) / 1000 : 0;
    const seconds = Math.max(0, left[side] - spent);
    clock.textContent = clockText(seconds);
    clock.classList.toggle("low", seconds < LOW_SECONDS);
    if (seconds >= LOW_SECONDS) warned.delete(side);
    else if (running === side && state.people.includes(side) && !warned.has(side)) {
      warned.add(side);
      sounds.play("low");
    }
  }
}

/** Format minutes and seconds, with tenths when few are left; round first, so that 59.7 is 1:00. */
function clockText(seconds) {
  const digits = seconds < LOW_SECONDS ? 1 : 0;
  const rounded = Number(seconds.toFixed(digits));
  return `${Math.floor(rounded / 60)}:${(rounded % 60).toFixed(digits).padStart(digits ? 4 : 2, "0")}`;
}

setInterval(showClocks, 200);

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
  const text = file ? await readGameFile(file, choice.limits) : null;
  if (text !== null) {
    const message = { type: "open", text };
    if (!state || (choice.chosen && choice.name !== state.game)) message.new = newGame();
    connection.send(message);
  }
  event.target.value = "";
});

// A new game

/** The game that the form describes, except for its position. */
function newGame() {
  const opponent = get("opponent").value;
  const message = { game: choice.name, side: get("side").value, seed: Math.floor(Math.random() * 2 ** 31) };
  if (choice.chosen?.chance) message.chance = get("chance").value;
  if (opponent === "level") message.level = Number(get("level").value);
  if (opponent === "named") message.player = get("named").value;
  if (opponent === "seconds") message.seconds = Number(get("seconds").value);
  if (opponent === "clock") {
    message.minutes = Number(get("minutes").value);
    message.increment = Number(get("increment").value);
  }
  return message;
}

get("new").addEventListener("input", () => { formChanged = true; });
get("new").addEventListener("submit", (event) => {
  event.preventDefault();
  formChanged = false;
  focusWanted = true;
  const position = get("position").value.trim();
  connection.send({ type: "new", ...newGame(), ...(position ? { position } : {}) });
  get("board").scrollIntoView({ block: "nearest" });
});
get("level").addEventListener("input", () => { get("level-shown").textContent = get("level").value; });
get("opponent").addEventListener("change", showOpponentFields);

function showOpponentFields() {
  for (const field of document.querySelectorAll(".by")) {
    field.hidden = !field.classList.contains(get("opponent").value);
  }
}

/** Offer the players that the chosen game names, if there are any. */
function showNamedPlayers(names) {
  get("named").replaceChildren(...names.map((name) => element("option", { value: name }, name)));
  const option = get("opponent").querySelector("option[value=named]");
  option.hidden = option.disabled = !names.length;
  if (!names.length && get("opponent").value === "named") {
    get("opponent").value = "level";
    showOpponentFields();
  }
}

/** Show the sides of the chosen game, and its start position if no game is in progress. */
function showChosenGame() {
  const game = choice.chosen;
  if (!game) return;
  const [first, second] = get("side").options;
  [first, second].forEach((option, side) => {
    const order = ["first", "second"][side];
    const name = game.players[side];
    option.textContent = name.toLowerCase() === order ? name : `${name} (${order})`;
  });
  get("chance-label").hidden = !game.chance;
  showNamedPlayers(game.named);
  get("position").value = "";
  preview();
}

function preview() {
  if (!state && choice.chosen) connection.send({ type: "look", game: choice.name });
}

try {
  await choice.fill();
  showChosenGame();
} catch (error) {
  say(`The list of games could not be loaded: ${error.message}`, true);
}
