// The page on which positions and games are analysed.

import { Board, moveButtons } from "./board.js";
import { connect, download, element, fetched, say, svg, whisper } from "./common.js";
import { GameChoice } from "./games.js";
import { Setup } from "./setup.js";

const get = (id) => document.getElementById(id);
let choices = { drivers: [], presets: [], switches: [] };
let record = fresh(""); // the whole game; other moves make another one
let ply = 0; // where in it the board stands
let accepted = null; // record and ply as the server last took them
let asked = 0; // how often it was asked about a position
const proposed = new Map(); // record and ply of each question that is not answered yet
let shown = null; // the position as the server told it
let job = null; // what the server is doing for this page, of JOBS
let begun = false; // whether it has said so
let analysed = null; // the position that the lines belong to
const judgements = new Map(); // by ply
let reached = ""; // the depth of the last iteration of the search under way
let ways = []; // rows of the comparison

/** The button that begins and stops each job, and its text before. */
const JOBS = { search: ["start", "Analyse"], compare: ["compare", "Compare"], judge: ["judge", "Judge the moves"] };

const board = new Board(get("board"), play);
const choice = new GameChoice(() => begin(choice.name));
const connection = connect(heard, (open) => {
  if (!open) setJob(null);
  if (!open || !record.game) return;
  if (setup.active) setup.sketch();
  else look();
});
const setup = new Setup(board, (message) => connection.send(message), here, editing);

/** A record; its notes are what a file tells besides the moves, shared by all that became of it. */
function fresh(game, position = null, moves = [], { tags = [], result = null, comments = [], marks = [] } = {}) {
  const notes = {
    tags, result, comments: new Map(comments.map((one) => [one.ply, one.text])), marks: new Map(marks.map((one) => [one.ply, one.mark])),
  };
  return { game, position, moves, notes };
}

/** The whole game, as a message has it. */
function whole() {
  const { game, position, moves, notes } = record;
  return {
    game, position, moves, tags: notes.tags, result: notes.result,
    comments: [...notes.comments].map(([at, text]) => ({ ply: at, text: text.trim() })),
    marks: [...notes.marks].map(([at, mark]) => ({ ply: at, mark })),
  };
}

function here() {
  const place = { game: record.game, moves: record.moves.slice(0, ply) };
  if (record.position) place.position = record.position;
  return place;
}

/** Look at the position; an analysis that is under way goes on from there. */
function look() {
  asked += 1;
  proposed.set(asked, { record, ply, again: job === "search" });
  connection.send({ type: "look", number: asked, ...here() });
}

/** The server takes a record: from now on an error leads back to it. */
function accept(message) {
  const told = proposed.get(message.number) ?? { record, ply };
  for (const number of proposed.keys()) if (number <= message.number) proposed.delete(number);
  const texts = message.moves.map((move) => move.text);
  record = { ...told.record, moves: [...texts, ...told.record.moves.slice(told.ply)] };
  ply = texts.length;
  const before = accepted?.record;
  accepted = { record, ply };
  if (before?.notes !== record.notes) forget();
  else outdate(before.moves);
  if (!told.again || job !== "search" || message.number < asked) return;
  if (message.end) stop();
  else start();
}

/** What the server refused is not kept. */
function restore() {
  ({ record, ply } = accepted ?? { record: fresh(record.game), ply: 0 });
}

/** Other moves than before: what was said of those that are gone goes with them, and the end. */
function outdate(before) {
  const { moves, notes } = record;
  let same = 0;
  while (same < before.length && before[same] === moves[same]) same += 1;
  if (same === before.length && same === moves.length) return;
  for (const words of [notes.comments, notes.marks]) {
    for (const at of [...words.keys()]) if (at > same) words.delete(at);
  }
  notes.result = null;
  notes.tags = notes.tags.filter((tag) => !["Score", "Termination"].includes(tag.name));
  forget(same, same === before.length);
}

function heard(message) {
  switch (message.type) {
    case "position": if (message.arranged) adopt(message); setup.close(); showPosition(message); break;
    case "setup": setup.open(message); break;
    case "sketch": setup.show(message); break;
    case "info": if (begun && job === "search") showInfo(message); break;
    case "progress": if (begun && job === "search") showProgress(message); break;
    case "row": if (begun && job === "compare") showRow(message); break;
    case "judged": if (begun && job === "judge") showJudgement(message); break;
    case "games": showGames(message); break;
    case "graph": showGraph(message.graph); break;
    case "record": kept(message); break;
    case "working": begun = true; if (message.before) say(`Waiting for ${message.before} other searches …`); break;
    case "done": if (begun) setJob(null); break;
    case "error":
      if (job && !begun) stop();
      restore();
      if (setup.active) setup.refused(message.text);
      else if (shown) board.show({ ...shown, animate: false });
      break;
  }
}

// The position

function showPosition(message) {
  const animate = shown && message.ply === shown.ply + 1 && message.title === shown.title;
  accept(message);
  shown = message;
  board.show({ ...message, animate });
  get("title").textContent = message.title;
  get("position").value = message.position;
  if (message.position !== analysed) forgetAnalysis();
  get("turn").textContent = message.end ? `${message.result}: ${message.end}` : `${message.players[message.turn]} to move`;
  showMoves(message);
  showComment();
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
  const { comments, marks } = record.notes;
  get("moves").replaceChildren(...record.moves.map((text, place) => {
    const mark = judgements.get(place + 1)?.mark || marks.get(place + 1) || "";
    return element("li", {
      class: [sides[place] ?? place % 2 ? "second" : "first", place === ply - 1 ? "latest" : "", comments.has(place + 1) ? "noted" : ""].join(" "),
      title: said(place + 1),
    }, element("button", { type: "button", onclick: () => go(place + 1), "aria-current": place === ply - 1 ? "true" : null },
      `${place + 1}. ${text}`), element("span", { class: mark.startsWith("!") ? "mark good" : "mark" }, mark));
  }));
}

function said(at) {
  return [record.notes.comments.get(at), judgements.get(at)?.comment].filter(Boolean).join("; ");
}

/** What is said of the move that led here, by the reader and by the engine. */
function showComment() {
  const text = ply ? `${ply}. ${record.moves[ply - 1]}` : "the start";
  get("comment-label").firstElementChild.textContent = `Comment on ${text}`;
  get("comment").value = record.notes.comments.get(ply) ?? "";
  showWords();
}

function showWords() {
  const words = judgements.get(ply)?.comment;
  get("judgement").textContent = words ? `The engine's judgement: ${words}` : "";
}

get("comment").addEventListener("input", (event) => {
  if (!accepted) return;
  const { comments } = accepted.record.notes;
  if (event.target.value.trim()) comments.set(accepted.ply, event.target.value);
  else comments.delete(accepted.ply);
  const item = get("moves").children[accepted.ply - 1];
  if (!item) return;
  item.classList.toggle("noted", comments.has(accepted.ply));
  item.title = said(accepted.ply);
});

function go(to) {
  ply = Math.max(0, Math.min(record.moves.length, to));
  look();
}

function play(text) {
  follow([text]);
}

/** Make moves; those that the record has already stay, with what comes after them. */
function follow(texts) {
  const same = texts.every((text, place) => record.moves[ply + place] === text);
  if (!same) record = { ...record, moves: [...record.moves.slice(0, ply), ...texts] };
  ply += texts.length;
  look();
}

function forgetAnalysis() {
  analysed = null;
  get("summary").replaceChildren(element("span", { class: "muted" }, "Not analysed yet."));
  get("variations").replaceChildren();
  get("bar").style.setProperty("--share", "50%");
  get("bar").removeAttribute("aria-valuetext");
}

/** Judgements of moves that are gone, and the graph unless only moves were added. */
function forget(same = 0, added = false) {
  if (job === "judge") stop();
  for (const at of [...judgements.keys()]) if (at > same) judgements.delete(at);
  get("save-judged").hidden = !judgements.size;
  if (!added) showGraph(null);
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
  reached = "";
  work("search", { ...here(), how: how(), lines: Number(get("lines").value) || 1, seconds: Number(get("seconds").value) || 10 });
}

/** Have a job done, in place of the one under way. */
function work(kind, message) {
  connection.send({ type: kind, ...message });
  setJob(kind);
}

/** Whatever is under way ends, and nobody waits for its end. */
function stop() {
  connection.send({ type: "stop" });
  setJob(null);
}

function setJob(kind) {
  job = kind;
  begun = false;
  for (const [one, [id, text]] of Object.entries(JOBS)) {
    get(id).textContent = one === kind ? "Stop" : text;
    get(id).setAttribute("aria-pressed", String(one === kind));
  }
}

/** The button of a job begins it, or lets it tell what it has found and end. */
function button(kind, begin) {
  get(JOBS[kind][0]).addEventListener("click", () => {
    if (job === kind) connection.send({ type: "stop" });
    else begin();
  });
}

button("search", start);

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
      type: "button", onclick: () => follow(line.moves.slice(0, place + 1)),
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

button("compare", () => {
  ways[0] = how();
  showWays();
  work("compare", { ...here(), ways, depth: Number(get("compare-depth").value) || 6 });
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

button("judge", () => {
  forget();
  work("judge", whole());
  say("Judging the moves, one after the other …");
});

function showJudgement(message) {
  judgements.set(message.ply, message);
  get("save-judged").hidden = false;
  if (shown) showMoves(shown);
  showWords();
  showGraph(message.graph);
}

function showGraph(text) {
  get("graph").hidden = text === null;
  if (text === null) {
    get("graph").replaceChildren();
    return;
  }
  const picture = svg(text);
  picture.addEventListener("click", (event) => {
    const point = event.target.closest("[data-ply]");
    if (point) go(Number(point.dataset.ply));
  });
  get("graph").replaceChildren(picture);
}

function kept(message) {
  if (message.annotated) say("All moves are judged.");
  else download(`${record.game.replace(/\W+/g, "-")}${message.judged ? "-judged" : ""}.txt`, message.text);
}

get("save").addEventListener("click", () => connection.send({ type: "write", ...whole() }));
get("save-judged").addEventListener("click", () => {
  const judged = [...judgements.values()].map((one) => ({ ply: one.ply, comment: one.comment, mark: one.mark }));
  const [{ annotator }] = judgements.values();
  connection.send({ type: "write", ...whole(), judged, annotator });
});
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
  record = fresh(record.game, game.start, game.moves, game);
  ply = record.moves.length;
  look();
  if (game.comments.length) connection.send({ type: "graph", ...here(), comments: game.comments });
}

// Setting up

function begin(game, position = null, moves = []) {
  get("line").value = "";
  record = fresh(game, position, moves);
  ply = moves.length;
  look();
}

/** The pieces that were set up are where a new game begins. */
function adopt(message) {
  shown = null;
  record = fresh(record.game, message.position);
  ply = 0;
}

/** Pieces are being set up, or no longer: the position before them is neither played nor searched. */
function editing(on) {
  if (on && job) stop();
  for (const id of ["start", "compare", "judge"]) get(id).disabled = on;
  for (const id of ["special", "moves", "turn", "comment-label", "judgement"]) get(id).hidden = on;
  get("graph").hidden = on || !get("graph").childElementCount;
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
  const words = get("line").value.split(/[\s,]+/).map((word) => word.replace(/^\d+\.+/, ""));
  follow(words.filter(Boolean));
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
