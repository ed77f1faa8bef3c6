// The page on which positions and games are analysed.

import { Board, moveButtons } from "./board.js";
import { announce, connect, download, element, fetchJson, say, svg } from "./common.js";
import { GameChoice } from "./games.js";
import { Setup } from "./setup.js";

const get = (id) => document.getElementById(id);
let choices = { drivers: [], presets: [], switches: [] };
let record = newRecord(""); // the whole game; other moves make another record
let ply = 0; // the position on the board
let accepted = null; // record and ply that the server accepted last
let requests = 0; // the number of requests for a position
const pending = new Map(); // record and ply of each request without a reply
let shown = null; // the position as the server sent it
let job = null; // the running job, a key of JOBS
let started = false; // whether the server has confirmed it
let analysed = null; // the position that the lines belong to
const judgements = new Map(); // by ply
let reached = ""; // the depth of the last iteration of the current search
let configurations = []; // rows of the comparison

/** The button that starts and stops each job, and its text while the job is not running. */
const JOBS = { search: ["start", "Analyse"], compare: ["compare", "Compare"], judge: ["judge", "Judge the moves"] };

const board = new Board(get("board"), play);
const choice = new GameChoice(() => begin(choice.name));
const connection = connect(receive, (open) => {
  if (!open) setJob(null);
  if (!open || !record.game) return;
  if (setup.active) setup.sketch();
  else requestPosition();
});
const setup = new Setup(board, (message) => connection.send(message), positionFields, setEditing);

/** Make a record; its notes are tags, result, comments and marks, shared by records derived from it. */
function newRecord(game, position = null, moves = [], { tags = [], result = null, comments = [], marks = [] } = {}) {
  const notes = {
    tags, result, comments: new Map(comments.map((one) => [one.ply, one.text])), marks: new Map(marks.map((one) => [one.ply, one.mark])),
  };
  return { game, position, moves, notes };
}

/** The whole game as the fields of a message. */
function gameFields() {
  const { game, position, moves, notes } = record;
  return {
    game, position, moves, tags: notes.tags, result: notes.result,
    comments: [...notes.comments].map(([at, text]) => ({ ply: at, text: text.trim() })),
    marks: [...notes.marks].map(([at, mark]) => ({ ply: at, mark })),
  };
}

/** The position on the board as the fields of a message. */
function positionFields() {
  const place = { game: record.game, moves: record.moves.slice(0, ply) };
  if (record.position) place.position = record.position;
  return place;
}

/** Request the position; a running analysis continues from there. */
function requestPosition() {
  requests += 1;
  pending.set(requests, { record, ply, again: job === "search" });
  connection.send({ type: "look", number: requests, ...positionFields() });
}

/** Keep the record that the server has accepted; a later error returns to it. */
function accept(message) {
  const request = pending.get(message.number) ?? { record, ply };
  for (const number of pending.keys()) if (number <= message.number) pending.delete(number);
  const texts = message.moves.map((move) => move.text);
  record = { ...request.record, moves: [...texts, ...request.record.moves.slice(request.ply)] };
  ply = texts.length;
  const before = accepted?.record;
  accepted = { record, ply };
  if (before?.notes !== record.notes) dropJudgements();
  else dropOutdatedNotes(before.moves);
  if (!request.again || job !== "search" || message.number < requests) return;
  if (message.end) stop();
  else start();
}

/** Return to the last record that the server accepted. */
function restore() {
  ({ record, ply } = accepted ?? { record: newRecord(record.game), ply: 0 });
}

/** Drop the notes on moves that were replaced, and the result. */
function dropOutdatedNotes(before) {
  const { moves, notes } = record;
  let same = 0;
  while (same < before.length && before[same] === moves[same]) same += 1;
  if (same === before.length && same === moves.length) return;
  for (const items of [notes.comments, notes.marks]) {
    for (const at of [...items.keys()]) if (at > same) items.delete(at);
  }
  notes.result = null;
  notes.tags = notes.tags.filter((tag) => !["Score", "Termination"].includes(tag.name));
  dropJudgements(same, same === before.length);
}

function receive(message) {
  switch (message.type) {
    case "position": if (message.arranged) startFromSetup(message); setup.close(); showPosition(message); break;
    case "setup": setup.open(message); break;
    case "sketch": setup.show(message); break;
    case "info": if (started && job === "search") showInfo(message); break;
    case "progress": if (started && job === "search") showProgress(message); break;
    case "row": if (started && job === "compare") showRow(message); break;
    case "judged": if (started && job === "judge") showJudgement(message); break;
    case "games": showGames(message); break;
    case "graph": showGraph(message.graph); break;
    case "record": receiveRecord(message); break;
    case "working": started = true; if (message.before) say(`Waiting for ${message.before} other searches …`); break;
    case "done": if (started) setJob(null); break;
    case "error":
      if (job && !started) stop();
      restore();
      if (setup.active) setup.showRefusal(message.text);
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
  showEvaluation(message.evaluation);
  if (message.position !== analysed) clearAnalysis();
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

/** Show the static evaluation and its terms, as `plyforge eval` prints them. */
function showEvaluation(evaluation) {
  get("evaluation").hidden = evaluation === null;
  if (evaluation === null) return;
  const format = (number) => String(Number(number.toPrecision(6)));
  get("value").textContent = format(evaluation.value);
  get("terms").hidden = evaluation.terms.length === 0;
  get("terms").tBodies[0].replaceChildren(...evaluation.terms.map((term) => element("tr", {},
    ...[term.name, format(term.value), format(term.weight), format(term.value * term.weight)].map((text) => element("td", {}, text)))));
}

function showMoves(message) {
  const sides = message.moves.map((move) => move.side);
  const { comments, marks } = record.notes;
  get("moves").replaceChildren(...record.moves.map((text, place) => {
    const mark = judgements.get(place + 1)?.mark || marks.get(place + 1) || "";
    return element("li", {
      class: [sides[place] ?? place % 2 ? "second" : "first", place === ply - 1 ? "latest" : "", comments.has(place + 1) ? "noted" : ""].join(" "),
      title: commentText(place + 1),
    }, element("button", { type: "button", onclick: () => go(place + 1), "aria-current": place === ply - 1 ? "true" : null },
      `${place + 1}. ${text}`), element("span", { class: mark.startsWith("!") ? "mark good" : "mark" }, mark));
  }));
}

function commentText(at) {
  return [record.notes.comments.get(at), judgements.get(at)?.comment].filter(Boolean).join("; ");
}

/** Show the comments of user and engine on the last move. */
function showComment() {
  const text = ply ? `${ply}. ${record.moves[ply - 1]}` : "the start position";
  get("comment-label").firstElementChild.textContent = `Comment on ${text}`;
  get("comment").value = record.notes.comments.get(ply) ?? "";
  showJudgementText();
}

function showJudgementText() {
  const text = judgements.get(ply)?.comment;
  get("judgement").textContent = text ? `The engine's judgement: ${text}` : "";
}

get("comment").addEventListener("input", (event) => {
  if (!accepted) return;
  const { comments } = accepted.record.notes;
  if (event.target.value.trim()) comments.set(accepted.ply, event.target.value);
  else comments.delete(accepted.ply);
  const item = get("moves").children[accepted.ply - 1];
  if (!item) return;
  item.classList.toggle("noted", comments.has(accepted.ply));
  item.title = commentText(accepted.ply);
});

function go(to) {
  ply = Math.max(0, Math.min(record.moves.length, to));
  requestPosition();
}

function play(text) {
  follow([text]);
}

/** Make moves; if the record has them already, the moves after them stay. */
function follow(texts) {
  const same = texts.every((text, place) => record.moves[ply + place] === text);
  if (!same) record = { ...record, moves: [...record.moves.slice(0, ply), ...texts] };
  ply += texts.length;
  requestPosition();
}

function clearAnalysis() {
  analysed = null;
  get("summary").replaceChildren(element("span", { class: "muted" }, "Not analysed yet."));
  get("variations").replaceChildren();
  get("bar").style.setProperty("--share", "50%");
  get("bar").removeAttribute("aria-valuetext");
}

/** Drop the judgements of replaced moves, and the graph unless moves were only added. */
function dropJudgements(same = 0, added = false) {
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

function configuration() {
  const boxes = [...get("switches").querySelectorAll("input")];
  const on = boxes.filter((box) => box.checked && !box.defaultChecked).map((box) => box.value);
  const off = boxes.filter((box) => !box.checked && box.defaultChecked).map((box) => box.value);
  return { driver: get("driver").value, preset: get("preset").value, on, off };
}

function start() {
  reached = "";
  startJob("search", { ...positionFields(), how: configuration(), lines: Number(get("lines").value) || 1, seconds: Number(get("seconds").value) || 10 });
}

/** Start a job in place of the running one. */
function startJob(kind, message) {
  connection.send({ type: kind, ...message });
  setJob(kind);
}

/** Stop the running job, and ignore what it still sends. */
function stop() {
  connection.send({ type: "stop" });
  setJob(null);
}

function setJob(kind) {
  job = kind;
  started = false;
  for (const [one, [id, text]] of Object.entries(JOBS)) {
    get(id).textContent = one === kind ? "Stop" : text;
    get(id).setAttribute("aria-pressed", String(one === kind));
  }
}

/** Let the button of a job start it, or stop it and show its result. */
function addJobButton(kind, begin) {
  get(JOBS[kind][0]).addEventListener("click", () => {
    if (job === kind) connection.send({ type: "stop" });
    else begin();
  });
}

addJobButton("search", start);

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

function showInfo(message) {
  if (!shown || setup.active || message.ply !== shown.ply) return;
  analysed = shown.position;
  reached = depthText(message);
  if (message.board) board.showArrows(message.board);
  const [best] = message.lines;
  const share = Math.round(100 * best.first);
  const bar = get("bar");
  bar.style.setProperty("--share", `${share}%`);
  bar.style.setProperty("--first", `var(--side-${shown.colours[0]})`);
  bar.style.setProperty("--second", `var(--side-${shown.colours[1]})`);
  bar.classList.toggle("above", shown.first_above);
  get("bar").setAttribute("aria-valuenow", share);
  get("bar").setAttribute("aria-valuetext", `${share} % for ${shown.players[0]}`);
  get("summary").replaceChildren(
    element("strong", {}, scoreText(best)), ` for ${shown.players[shown.turn]}${best.proved ? ", proved" : ""}`,
    element("br"), element("span", { class: "running" }, `${reached}, ${figuresText(message)}`),
  );
  if (message.last) announce(`Best: ${best.moves[0]}, ${scoreText(best)} at ${depthText(message)}.`);
  get("variations").replaceChildren(...message.lines.map((line) => element("li", {},
    element("span", { class: "score" }, scoreText(line), element("span", { class: "depth" }, `depth ${line.depth}`)),
    element("span", {}, ...line.moves.map((text, place) => element("button", {
      type: "button", onclick: () => follow(line.moves.slice(0, place + 1)),
    }, text))))));
}

/** Show the figures of an unfinished iteration; only their line changes. */
function showProgress(message) {
  if (!shown || setup.active || message.ply !== shown.ply) return;
  const summary = get("summary");
  if (!summary.querySelector(".running")) summary.replaceChildren("Searching …", element("br"), element("span", { class: "running" }));
  analysed = shown.position;
  const known = message.known ? ` (${message.known})` : "";
  summary.querySelector(".running").textContent = `${reached ? `${reached}, then ` : "depth "}${message.depth}${known}: ${figuresText(message)}`;
}

// Configurations of the search, side by side

function describe(one) {
  const parts = [one.driver];
  if (one.preset !== "exact") parts.push(one.preset);
  if (one.on.length) parts.push(`+ ${one.on.join(" + ")}`);
  if (one.off.length) parts.push(`without ${one.off.join(", ")}`);
  return parts.join(", ");
}

function showConfigurations() {
  get("compared").tBodies[0].replaceChildren(...configurations.map((one, place) => element("tr", { "data-place": place },
    element("td", {}, describe(one), place ? element("button", {
      type: "button", class: "tiny", "aria-label": `Remove ${describe(one)}`, onclick: () => { configurations.splice(place, 1); showConfigurations(); },
    }, "×") : null),
    ...Array.from({ length: 9 }, () => element("td", {}, "")))));
}

function showRow(message) {
  const row = get("compared").querySelector(`tr[data-place="${message.place}"]`);
  if (!row) return;
  const [best] = message.lines;
  const cells = [best.moves[0], best.score, message.depth + (message.last && !message.complete ? "…" : ""), formatCount(message.nodes), formatCount(message.counts.leaves),
    formatCount(message.counts.cuts), formatCount(message.counts.transpositions), message.counts.searches, message.seconds.toFixed(2)];
  cells.forEach((text, place) => { row.cells[place + 1].textContent = text; });
}

addJobButton("compare", () => {
  configurations[0] = configuration();
  showConfigurations();
  startJob("compare", { ...positionFields(), configurations, depth: Number(get("compare-depth").value) || 6 });
});
get("add").addEventListener("change", (event) => {
  const value = event.target.value;
  event.target.value = "";
  if (!value) return;
  if (configurations.length >= 6) {
    say("At most six configurations; remove one.", true);
    return;
  }
  const [kind, name] = value.split(" ");
  const added = { driver: "pvs", preset: "exact", on: [], off: [] };
  if (kind === "driver") added.driver = name;
  else added.off = [name];
  configurations.push(added);
  showConfigurations();
});

// A whole game

addJobButton("judge", () => {
  dropJudgements();
  startJob("judge", gameFields());
  say("Judging the moves …");
});

function showJudgement(message) {
  judgements.set(message.ply, message);
  get("save-judged").hidden = false;
  if (shown) showMoves(shown);
  showJudgementText();
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

function receiveRecord(message) {
  if (message.annotated) say("All moves have been judged.");
  else download(`${record.game.replace(/\W+/g, "-")}${message.judged ? "-judged" : ""}.txt`, message.text);
}

get("save").addEventListener("click", () => connection.send({ type: "write", ...gameFields() }));
get("save-judged").addEventListener("click", () => {
  const judged = [...judgements.values()].map((one) => ({ ply: one.ply, comment: one.comment, mark: one.mark }));
  const [{ annotator }] = judgements.values();
  connection.send({ type: "write", ...gameFields(), judged, annotator });
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
  record = newRecord(record.game, game.start, game.moves, game);
  ply = record.moves.length;
  requestPosition();
  if (game.comments.length) connection.send({ type: "graph", ...positionFields(), comments: game.comments });
}

// Set-up

function begin(game, position = null, moves = []) {
  get("line").value = "";
  record = newRecord(game, position, moves);
  ply = moves.length;
  requestPosition();
}

/** Start a new game from the pieces that were set up. */
function startFromSetup(message) {
  shown = null;
  record = newRecord(record.game, message.position);
  ply = 0;
}

/** Start or end setting up pieces; meanwhile the position is neither played nor searched. */
function setEditing(on) {
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
    say("The browser does not allow copying. The text is selected; copy it with the keyboard.");
  }
});
get("follow").addEventListener("click", () => {
  const texts = get("line").value.split(/[\s,]+/).map((text) => text.replace(/^\d+\.+/, ""));
  follow(texts.filter(Boolean));
});
try {
  const linked = new URLSearchParams(location.hash.slice(1));
  await choice.fill(linked.get("game"));
  choices = await fetchJson("/api/choices");
  get("driver").replaceChildren(...choices.drivers.map((one) => element("option", { value: one.name, title: one.summary, selected: one.name === "pvs" }, one.name)));
  get("preset").replaceChildren(...choices.presets.map((name) => element("option", { value: name }, name)));
  get("switches").replaceChildren(...choices.switches.map((one) => element("label", { class: "check", title: one.summary },
    element("input", { type: "checkbox", value: one.name, checked: one.on }), one.name)));
  get("add").replaceChildren(element("option", { value: "" }, "…"),
    ...choices.drivers.map((one) => element("option", { value: `driver ${one.name}` }, `driver ${one.name}`)),
    ...choices.switches.filter((one) => one.on).map((one) => element("option", { value: `off ${one.name}` }, `without ${one.name}`)));
  configurations = [configuration(), { driver: "alphabeta", preset: "exact", on: [], off: [] }, { driver: "mtdf", preset: "exact", on: [], off: [] }];
  showConfigurations();
  begin(linked.get("game") ?? choice.name, linked.get("position"), (linked.get("moves") ?? "").split("\n").filter(Boolean));
} catch (error) {
  say(`The page could not be loaded: ${error.message}`, true);
}
