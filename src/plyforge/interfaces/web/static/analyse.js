// The page on which positions and games are analysed.

import { Board, moveButtons } from "./board.js";
import { connect, download, element, fetched, say, svg, whisper } from "./common.js";
import { GameChoice } from "./games.js";
import { Setup } from "./setup.js";

const get = (id) => document.getElementById(id);
let choices = { drivers: [], presets: [], switches: [] };
let record = { game: "", position: null, moves: [] }; // the whole game
let ply = 0; // where in it the board stands
let shown = null; // the position as the server told it
let searching = false;
let analysed = null; // the position that the lines belong to
let reached = ""; // the depth of the last iteration of the search under way
let judgements = new Map();
let judgedText = "";
let ways = []; // rows of the comparison

const board = new Board(get("board"), play);
const choice = new GameChoice(() => begin(choice.name));
const connection = connect(heard, (open) => {
  if (!open || !record.game) return;
  if (setup.active) setup.sketch();
  else look();
});
const setup = new Setup(board, (message) => connection.send(message), here, editing);

function here() {
  const place = { game: record.game, moves: record.moves.slice(0, ply) };
  if (record.position) place.position = record.position;
  return place;
}

function look() {
  connection.send({ type: "look", ...here() });
}

function heard(message) {
  switch (message.type) {
    case "position": if (message.arranged) adopt(message); setup.close(); showPosition(message); break;
    case "setup": setup.open(message); break;
    case "sketch": setup.show(message); break;
    case "info": showInfo(message); break;
    case "progress": showProgress(message); break;
    case "row": showRow(message); break;
    case "judged": showJudgement(message); break;
    case "games": showGames(message); break;
    case "record": kept(message); break;
    case "working": if (message.before) say(`Waiting for ${message.before} other searches …`); break;
    case "done": setSearching(false); break;
    case "error":
      setSearching(false);
      if (setup.active) setup.refused(message.text);
      else if (shown) board.show({ ...shown, animate: false });
      break;
  }
}

// The position

function showPosition(message) {
  const animate = shown && message.ply === shown.ply + 1 && message.title === shown.title;
  shown = message;
  board.show({ ...message, animate });
  get("title").textContent = message.title;
  get("position").value = message.position;
  if (message.position !== analysed) forgetAnalysis();
  get("turn").textContent = message.end ? `${message.result}: ${message.end}` : `${message.players[message.turn]} to move`;
  record.moves.splice(0, message.moves.length, ...message.moves.map((move) => move.text));
  ply = message.moves.length;
  showMoves(message);
  for (const [id, off] of [["first", ply === 0], ["back", ply === 0],
    ["forward", ply >= record.moves.length], ["last", ply >= record.moves.length]]) get(id).disabled = off;
  get("special").replaceChildren(...moveButtons(message, play));
  get("start").disabled = Boolean(message.end);
  get("set-up").hidden = !message.arrangeable || message.kind === null;
  const link = new URLSearchParams({ game: record.game, moves: record.moves.join("\n") });
  if (record.position) link.set("position", record.position);
  history.replaceState(null, "", `#${link}`);
  const tree = new URLSearchParams({ game: record.game, position: message.position, depth: 3, algorithms: "alpha-beta negascout" });
  get("tree").href = `/tree#${tree}`;
}

function showMoves(message) {
  const sides = message.moves.map((move) => move.side);
  get("moves").replaceChildren(...record.moves.map((text, place) => element("li", {
    class: [sides[place] ?? place % 2 ? "second" : "first", place === ply - 1 ? "latest" : ""].join(" "),
    title: judgements.get(place + 1)?.comment,
  }, element("button", { type: "button", onclick: () => go(place + 1), "aria-current": place === ply - 1 ? "true" : null },
    `${place + 1}. ${text}`), element("span", { class: "mark" }, judgements.get(place + 1)?.mark ?? ""))));
}

function go(to) {
  ply = Math.max(0, Math.min(record.moves.length, to));
  restart();
}

function play(text) {
  if (record.moves[ply] !== text) {
    record.moves.length = ply;
    forget();
  }
  record.moves[ply] = text;
  ply += 1;
  restart();
}

/** Another position: look at it, and go on analysing if that was under way. */
function restart() {
  const again = searching;
  look();
  if (again) start();
}

function forgetAnalysis() {
  analysed = null;
  get("summary").replaceChildren(element("span", { class: "muted" }, "Not analysed yet."));
  get("variations").replaceChildren();
  get("bar").style.setProperty("--share", "50%");
  get("bar").removeAttribute("aria-valuetext");
}

function forget() {
  judgements = new Map();
  judgedText = "";
  get("graph").hidden = get("save-judged").hidden = true;
}

for (const [id, to] of [["first", () => 0], ["back", () => ply - 1], ["forward", () => ply + 1], ["last", () => record.moves.length]]) {
  get(id).addEventListener("click", () => go(to()));
}
addEventListener("keydown", (event) => {
  if (setup.active || event.target.closest("input, textarea, select, .cell, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowLeft") go(ply - 1);
  if (event.key === "ArrowRight") go(ply + 1);
});

// The search

function how() {
  const boxes = [...get("switches").querySelectorAll("input")];
  const on = boxes.filter((box) => box.checked && !box.defaultChecked).map((box) => box.value);
  const off = boxes.filter((box) => !box.checked && box.defaultChecked).map((box) => box.value);
  return { driver: get("driver").value, preset: get("preset").value, on, off };
}

function start() {
  connection.send({
    type: "search", ...here(), how: how(), lines: Number(get("lines").value) || 1, seconds: Number(get("seconds").value) || 10,
  });
  reached = "";
  setSearching(true);
}

function setSearching(on) {
  searching = on;
  get("start").textContent = on ? "Stop" : "Analyse";
  get("start").setAttribute("aria-pressed", String(on));
}

get("start").addEventListener("click", () => {
  if (searching) connection.send({ type: "stop" });
  else start();
});

function count(number) {
  return number === null ? "–" : Math.round(number).toLocaleString("en");
}

/** The depth of the score; an iteration that was stopped is deeper than the last complete one. */
function depths(message) {
  const deepest = message.lines[0].depth;
  return deepest > message.depth ? `depth ${deepest} unfinished (${message.depth} complete)` : `depth ${message.depth}`;
}

function figures(message) {
  return `${count(message.nodes)} nodes, ${count(message.speed)} a second, ${message.seconds.toFixed(1)} s`;
}

function showInfo(message) {
  if (!shown || setup.active || message.ply !== shown.ply) return;
  analysed = shown.position;
  reached = depths(message);
  if (message.board) board.adorn(message.board);
  const [best] = message.lines;
  const share = Math.round(100 * best.first);
  const bar = get("bar");
  bar.style.setProperty("--share", `${share}%`);
  bar.style.setProperty("--first", `var(--side-${shown.colours[0]})`);
  bar.style.setProperty("--second", `var(--side-${shown.colours[1]})`);
  bar.classList.toggle("above", shown.first_above);
  get("bar").setAttribute("aria-valuenow", share);
  get("bar").setAttribute("aria-valuetext", `${share} % for ${shown.players[0]}`);
  const bound = { exact: "", lower: " or better", upper: " or worse", none: " (unknown)" }[message.bound] ?? "";
  get("summary").replaceChildren(
    element("strong", {}, `${best.score}${bound}`), ` for ${shown.players[shown.turn]}${best.proved ? ", proved" : ""}`,
    element("br"), element("span", { class: "running" }, `${reached}, ${figures(message)}`),
  );
  if (message.last) whisper(`Best: ${best.moves[0]}, ${best.score}${bound} at ${depths(message)}.`);
  get("variations").replaceChildren(...message.lines.map((line) => element("li", {},
    element("span", { class: "score" }, line.score),
    element("span", {}, ...line.moves.map((text, place) => element("button", {
      type: "button", onclick: () => { for (const move of line.moves.slice(0, place + 1)) playAll(move); restart(); },
    }, text))))));
}

/** Figures of an iteration under way: nothing but their line changes. */
function showProgress(message) {
  if (!shown || setup.active || message.ply !== shown.ply) return;
  const summary = get("summary");
  if (!summary.querySelector(".running")) summary.replaceChildren("Searching …", element("br"), element("span", { class: "running" }));
  analysed = shown.position;
  const known = message.known ? ` (${message.known})` : "";
  summary.querySelector(".running").textContent = `${reached ? `${reached}, then ` : "depth "}${message.depth}${known}: ${figures(message)}`;
}

function playAll(text) {
  if (record.moves[ply] !== text) {
    record.moves.length = ply;
    forget();
  }
  record.moves[ply] = text;
  ply += 1;
}

// Ways of searching, side by side

function describe(way) {
  const parts = [way.driver];
  if (way.preset !== "exact") parts.push(way.preset);
  if (way.on.length) parts.push(`+ ${way.on.join(" + ")}`);
  if (way.off.length) parts.push(`without ${way.off.join(", ")}`);
  return parts.join(", ");
}

function showWays() {
  get("compared").tBodies[0].replaceChildren(...ways.map((way, place) => element("tr", { "data-place": place },
    element("td", {}, describe(way), place ? element("button", {
      type: "button", class: "tiny", "aria-label": `Remove ${describe(way)}`, onclick: () => { ways.splice(place, 1); showWays(); },
    }, "×") : null),
    ...Array.from({ length: 9 }, () => element("td", {}, "")))));
}

function showRow(message) {
  const row = get("compared").querySelector(`tr[data-place="${message.place}"]`);
  if (!row) return;
  const [best] = message.lines;
  const cells = [best.moves[0], best.score, message.depth + (message.last && !message.complete ? "…" : ""), count(message.nodes), count(message.counts.leaves),
    count(message.counts.cuts), count(message.counts.transpositions), message.counts.searches, message.seconds.toFixed(2)];
  cells.forEach((text, place) => { row.cells[place + 1].textContent = text; });
}

get("compare").addEventListener("click", () => {
  ways[0] = how();
  showWays();
  connection.send({ type: "compare", ...here(), ways, depth: Number(get("compare-depth").value) || 6 });
});
get("add").addEventListener("change", (event) => {
  const value = event.target.value;
  event.target.value = "";
  if (!value) return;
  if (ways.length >= 6) {
    say("Six ways at most; remove one.", true);
    return;
  }
  const [kind, name] = value.split(" ");
  const way = { driver: "pvs", preset: "exact", on: [], off: [] };
  if (kind === "driver") way.driver = name;
  else way.off = [name];
  ways.push(way);
  showWays();
});

// A whole game

get("judge").addEventListener("click", () => {
  forget();
  connection.send({ type: "judge", game: record.game, moves: record.moves, ...(record.position ? { position: record.position } : {}) });
  say("Judging the moves, one after the other …");
});

function showJudgement(message) {
  judgements.set(message.ply, message);
  if (shown) showMoves(shown);
  const picture = svg(message.graph);
  picture.addEventListener("click", (event) => {
    const point = event.target.closest("[data-ply]");
    if (point) go(Number(point.dataset.ply));
  });
  get("graph").replaceChildren(picture);
  get("graph").hidden = false;
}

function kept(message) {
  if (message.annotated) {
    judgedText = message.text;
    get("save-judged").hidden = false;
    say("All moves are judged.");
  } else download(`${record.game.replace(/\W+/g, "-")}.txt`, message.text);
}

get("save-judged").addEventListener("click", () => download(`${record.game.replace(/\W+/g, "-")}-judged.txt`, judgedText));
get("save").addEventListener("click", () => connection.send({ type: "write", game: record.game, moves: record.moves, ...(record.position ? { position: record.position } : {}) }));
get("open").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (file) connection.send({ type: "load", game: record.game, text: await file.text() });
  event.target.value = "";
});

function showGames(message) {
  get("loaded").hidden = message.games.length < 2;
  get("games").replaceChildren(...message.games.map((game, number) => element("li", {}, element("button", {
    type: "button", onclick: () => openGame(game),
  }, `${number + 1}. ${game.name}, ${game.result}, ${game.moves.length} moves`))));
  if (message.more) get("games").append(element("li", {}, `and ${message.more} more`));
  openGame(message.games[0]);
}

function openGame(game) {
  forget();
  record = { game: record.game, position: game.start, moves: [...game.moves] };
  ply = record.moves.length;
  restart();
}

// Setting up

function begin(game, position = null, moves = []) {
  forget();
  shown = null;
  get("line").value = "";
  record = { game, position, moves };
  ply = moves.length;
  restart();
}

/** The pieces that were set up are where a new game begins. */
function adopt(message) {
  forget();
  shown = null;
  record = { game: record.game, position: message.position, moves: [] };
  ply = 0;
}

/** Pieces are being set up, or no longer: the position before them is neither played nor searched. */
function editing(on) {
  if (on && searching) connection.send({ type: "stop" });
  for (const id of ["start", "compare", "judge"]) get(id).disabled = on;
  for (const id of ["special", "moves", "turn"]) get(id).hidden = on;
  get("graph").hidden = on || !judgements.size;
  if (!on && shown) {
    get("start").disabled = Boolean(shown.end);
    board.show({ ...shown, animate: false });
  }
}

get("set").addEventListener("click", () => begin(record.game, get("position").value.trim() || null));
get("reset").addEventListener("click", () => begin(record.game));
get("copy").addEventListener("click", async () => {
  try {
    await navigator.clipboard.writeText(get("position").value);
    say("Copied.");
  } catch {
    get("position").select();
    say("The browser does not allow copying; the text is selected, copy it with the keyboard.");
  }
});
get("follow").addEventListener("click", () => {
  const words = get("line").value.replace(/\d+\.+\s/g, " ").split(/[\s,]+/).filter(Boolean);
  record.moves.length = ply;
  record.moves.push(...words);
  ply = record.moves.length;
  restart();
});
try {
  const asked = new URLSearchParams(location.hash.slice(1));
  await choice.fill(asked.get("game"));
  choices = await fetched("/api/choices");
  get("driver").replaceChildren(...choices.drivers.map((one) => element("option", { value: one.name, title: one.summary, selected: one.name === "pvs" }, one.name)));
  get("preset").replaceChildren(...choices.presets.map((name) => element("option", { value: name }, name)));
  get("switches").replaceChildren(...choices.switches.map((one) => element("label", { class: "check", title: one.summary },
    element("input", { type: "checkbox", value: one.name, checked: one.on }), one.name)));
  get("add").replaceChildren(element("option", { value: "" }, "…"),
    ...choices.drivers.map((one) => element("option", { value: `driver ${one.name}` }, `driver ${one.name}`)),
    ...choices.switches.filter((one) => one.on).map((one) => element("option", { value: `off ${one.name}` }, `without ${one.name}`)));
  ways = [how(), { driver: "alphabeta", preset: "exact", on: [], off: [] }, { driver: "mtdf", preset: "exact", on: [], off: [] }];
  showWays();
  begin(asked.get("game") ?? choice.name, asked.get("position"), (asked.get("moves") ?? "").split("\n").filter(Boolean));
} catch (error) {
  say(`The page could not be filled: ${error.message}`, true);
}
