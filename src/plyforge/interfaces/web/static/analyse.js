// The page on which positions and games are analysed: the position, the tree of moves, and how to
// walk it. The search is in searchpanel.js, files and judgements in gamefiles.js.

import { Board, moveButtons } from "./board.js";
import { BookPanel } from "./bookpanel.js";
import { announce, connect, element, say } from "./common.js";
import { GameFiles } from "./gamefiles.js";
import { GameChoice } from "./games.js";
import { GameTree } from "./gametree.js";
import { Marks } from "./marks.js";
import { showMoveList } from "./movelist.js";
import { Jobs, SearchPanel } from "./searchpanel.js";
import { Setup } from "./setup.js";
import { SharedSearch } from "./sharedsearch.js";

const get = (id) => document.getElementById(id);
const STORED = "plyforge-analysed";
const SAVE_DELAY = 300; // milliseconds until a change is stored in the browser
let tree = new GameTree("");
let node = tree.root; // the position that the user wants to see
let accepted = null; // tree and node of the last position from the server; an error returns to it
let requests = 0; // the number of requests for a position
const unsent = []; // requests that wait for the connection
let connected = false;
const pending = new Map(); // what each request without a reply is for
const trees = new Map(); // by id, for Back and Forward
let shown = null; // the position as the server sent it
let analysed = null; // the position that the lines belong to
let turned = false;
let complaint = ""; // what is wrong with the address; said when a board is shown
let failure = ""; // why there is no board

const board = new Board(get("board"), (text) => follow([text]));
const marks = new Marks(board, (list) => {
  if (!accepted) return;
  accepted.node.marks = list;
  store();
});
const choice = new GameChoice(() => begin(choice.name));
const connection = connect(receive, (open) => {
  connected = open;
  if (open) resume();
  else jobs.set(null);
  showAvailability();
});
const send = (message) => connection.send(message);
const jobs = new Jobs(send, () => {
  search.update();
  shared.update();
});
const search = new SearchPanel(jobs, positionFields, follow, showInfo);
const shared = new SharedSearch(jobs, positionFields, () => search.configuration, follow);
const CONTINUED = { search, share: shared }; // jobs that continue at the next position
const book = new BookPanel(follow);
const files = new GameFiles(jobs, send, { current: () => ({ tree, node }), limits: () => choice.limits, onOpen: openGame, onGo: (to) => go(to, true), onJudged: showJudgement });
const setup = new Setup(board, send, positionFields, setEditing);
const NEED_POSITION = ["flip", "comment", "position", "set", "copy", "reset", "line", "follow", "open", "save"];

/** Enable what can be used now, and say beside the buttons of the jobs why they cannot. */
function showAvailability() {
  let reason = "";
  if (!shown) reason = failure || "Loading the position …";
  else if (!connected) reason = "Not connected to the server.";
  else if (setup.active) reason = "Finish setting up the pieces first.";
  const noSearch = reason || (shown.end ? "The game is over." : "");
  jobs.setUnavailable({ search: noSearch, share: noSearch, compare: reason, judge: reason });
  for (const id of NEED_POSITION) get(id).disabled = !shown;
}

/** The position on the board as the fields of a message. */
function positionFields() {
  const fields = { game: tree.game, moves: node.moves, turned };
  if (tree.position) fields.position = tree.position;
  return fields;
}

/** Request a position; with `push` it becomes an entry of the browser's history. A running analysis
 *  continues there. Without a connection the request waits: sent after the one that `resume` makes, its
 *  reply would not count as the latest. */
function request(target, moves, { push = false, partial = false } = {}) {
  requests += 1;
  pending.set(requests, { tree: target, push });
  const message = { type: "look", number: requests, game: target.game, moves, turned, partial };
  if (target.position) message.position = target.position;
  if (connected) send(message);
  else unsent.push(message);
}

/** The connection is open: send what waits for it, or request again what the page shows. */
function resume() {
  const waiting = unsent.splice(0);
  for (const message of waiting) send(message);
  if (setup.active) setup.sketch();
  else if (waiting.length || !tree.game) return;
  else if (accepted) request(tree, node.moves);
  else openLink();
}

function receive(message) {
  switch (message.type) {
    case "position": showPosition(message); break;
    case "setup": setup.open(message); break;
    case "sketch": setup.show(message); break;
    case "info": if (jobs.accepts("search") && belongs(message)) search.showInfo(message, shown); break;
    case "progress": if (jobs.accepts("search") && belongs(message)) { analysed = shown.position; search.showProgress(message); } break;
    case "row": if (jobs.accepts("compare")) search.showRow(message); break;
    case "shared": if (jobs.accepts("share") && belongs(message)) { analysed = shown.position; shared.show(message); } break;
    case "book": if (belongs(message)) book.show(message); break;
    case "judged": if (jobs.accepts("judge")) files.showJudgement(message); break;
    case "games": files.showList(message); break;
    case "loaded": files.open(message); break;
    case "graph": files.showGraph(message.graph); break;
    case "record": files.receiveRecord(message); break;
    case "working": jobs.confirmed = true; if (message.before) say(`Waiting for ${message.before} other searches …`); break;
    case "done": if (jobs.confirmed) jobs.set(null); break;
    case "error":
      if (jobs.running && !jobs.confirmed) jobs.stop();
      if (accepted) ({ tree, node } = accepted);
      if (setup.active) setup.showRefusal(message.text);
      else if (shown) {
        board.show({ ...shown, animate: false });
        continueSearch();
      } else if (!complaint) {
        complaint = message.text;
        begin(tree.game.split(":")[0]);
      } else {
        failure = `The position could not be loaded: ${message.text}`;
        showAvailability();
      }
      break;
  }
}

/** Let the running search continue at the position on the board, if it was started for another one. */
function continueSearch() {
  const running = CONTINUED[jobs.running];
  if (!running || jobs.isFor(positionFields())) return;
  if (shown.end) jobs.stop();
  else running.start();
}

/** Whether a message of the search belongs to the position on the board. */
function belongs(message) {
  return shown && !setup.active && message.ply === shown.ply;
}

// The position

/** Take the moves as the server writes them; only the latest reply changes where the user is. */
function accept(message) {
  const asked = pending.get(message.number) ?? { tree, push: true };
  for (const number of pending.keys()) if (number <= message.number) pending.delete(number);
  if (message.arranged) asked.tree = new GameTree(tree.game, message.position);
  const reached = asked.tree.follow(message.moves);
  const before = accepted?.tree;
  accepted = { tree: asked.tree, node: reached };
  if (message.number === requests || message.arranged) ({ tree, node } = accepted);
  if (before !== asked.tree) files.drop();
  return { ...asked, node: reached };
}

function showPosition(message) {
  const before = accepted?.node;
  const asked = accept(message);
  setup.close();
  const animate = shown && asked.node.parent === before && message.title === shown.title;
  shown = message;
  marks.show(asked.node.marks);
  board.show({ ...message, animate });
  const last = message.moves.at(-1);
  if (animate && last) announce(`${message.players[last.side]} played ${last.text}.`);
  get("title").textContent = message.title;
  get("position").value = message.position;
  get("opening").textContent = message.opening ?? "";
  showEvaluation(message.evaluation);
  if (message.position !== analysed) clearAnalysis();
  get("turn").textContent = message.end ? `${message.result}: ${message.end}` : `${message.players[message.turn]} to move`;
  showMoves();
  showComment();
  get("special").replaceChildren(...moveButtons(message, (text) => follow([text])));
  showAvailability();
  get("set-up").hidden = !message.arrangeable || message.kind === null;
  remember(asked);
  const link = new URLSearchParams({ game: tree.game, position: message.position, depth: 3, algorithms: "alpha-beta negascout" });
  get("tree").href = `/tree#${link}`;
  if (message.problem ?? complaint) say(message.problem ?? complaint, true);
  complaint = "";
  if (message.number === requests) continueSearch();
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

function showInfo(message) {
  analysed = shown.position;
  if (message.board) board.showArrows(message.board);
  showBar(message.lines[0].first);
}

/** Show the expected score of the first side. */
function showBar(first) {
  const share = Math.round(100 * first);
  const bar = get("bar");
  bar.style.setProperty("--share", `${share}%`);
  bar.style.setProperty("--first", `var(--side-${shown.colours[0]})`);
  bar.style.setProperty("--second", `var(--side-${shown.colours[1]})`);
  bar.classList.toggle("above", shown.first_above !== turned);
  bar.setAttribute("aria-valuenow", share);
  bar.setAttribute("aria-valuetext", `${share} % for ${shown.players[0]}`);
}

/** Clear the lines; the bar shows the judgement of the move, if it has one. */
function clearAnalysis() {
  analysed = null;
  search.clear();
  shared.clear();
  showBar(accepted.node.judgement?.first ?? 0.5);
}

// Comments and judgements

function showComment() {
  const { node: at } = accepted;
  get("comment-label").firstElementChild.textContent = `Comment on ${at.parent ? at.numbered : "the start position"}`;
  get("comment").value = at.comment;
  const text = at.judgement?.comment;
  get("judgement").textContent = text ? `The engine's judgement: ${text}` : "";
}

get("comment").addEventListener("input", (event) => {
  if (!accepted) return;
  accepted.node.comment = event.target.value;
  showMoves();
  store();
});

function showJudgement(at) {
  showMoves();
  if (at !== accepted?.node) return;
  if (!analysed) showBar(at.judgement.first);
  get("judgement").textContent = `The engine's judgement: ${at.judgement.comment}`;
}

// Walking the tree

function showMoves() {
  showMoveList(get("moves"), tree, node, (to) => go(to, true));
  const ends = { first: !node.parent, back: !node.parent, forward: !node.children.length, last: !node.children.length, promote: !node.branch, delete: !node.parent };
  for (const [id, off] of Object.entries(ends)) get(id).disabled = off;
}

function go(to, push = false) {
  if (!to || !accepted) return;
  node = to;
  request(tree, to.moves, { push });
}

/** Make moves; those that the tree does not have yet become a variation. */
function follow(texts) {
  request(tree, [...node.moves, ...texts], { push: true });
}

/** The move beside this one: another variation from the position before it. */
function sibling(step) {
  const { children } = node.parent ?? { children: [] };
  return children[children.indexOf(node) + step] ?? null;
}

const STEPS = {
  first: () => tree.root, back: () => node.parent, forward: () => node.children[0], last: () => node.continuation.at(-1),
};
for (const [id, step] of Object.entries(STEPS)) get(id).addEventListener("click", () => go(step()));
const KEYS = { ArrowLeft: STEPS.back, ArrowRight: STEPS.forward, Home: STEPS.first, End: STEPS.last, ArrowUp: () => sibling(-1), ArrowDown: () => sibling(1) };
addEventListener("keydown", (event) => {
  if (setup.active || event.target.closest("input, textarea, select, .cell, summary, dialog") || event.ctrlKey || event.metaKey || event.altKey) return;
  const to = KEYS[event.key]?.();
  if (!to) return;
  event.preventDefault();
  go(to);
});
get("promote").addEventListener("click", () => {
  tree.promote(node.branch);
  showMoves();
  store();
  say("The variation comes first now.");
});
get("delete").addEventListener("click", () => {
  const removed = node;
  const before = tree.remove(node);
  files.forget(removed);
  go(before);
});
get("flip").addEventListener("click", () => {
  turned = !turned;
  if (setup.active) setup.sketch();
  else request(tree, node.moves);
});

// The address names the line; the browser's storage also has comments and variations, for a reload.

function linkTo(target, at) {
  const line = target.line(at);
  const link = new URLSearchParams({ game: target.game, moves: line.map((one) => one.text).join("\n") });
  if (target.position) link.set("position", target.position);
  if (at.ply < line.length) link.set("ply", at.ply);
  return `#${link}`;
}

function remember(asked) {
  trees.set(asked.tree.id, asked.tree);
  const state = { tree: asked.tree.id, moves: asked.node.path.map(({ text, side }) => ({ text, side })) };
  const link = linkTo(asked.tree, asked.node);
  if (asked.push && location.hash !== link) history.pushState(state, "", link);
  else history.replaceState(state, "", link);
  store();
}

let saving = 0;
function store() {
  clearTimeout(saving);
  saving = setTimeout(storeNow, SAVE_DELAY);
}

function storeNow() {
  if (!accepted) return;
  try { sessionStorage.setItem(STORED, JSON.stringify({ link: location.hash, tree: accepted.tree.stored })); } catch { /* only the address is kept */ }
}
addEventListener("pagehide", storeNow);

addEventListener("popstate", (event) => {
  if (!tree.game) return; // the address is read when the games are known
  const known = trees.get(event.state?.tree);
  if (!known) {
    openLink();
    return;
  }
  tree = known;
  node = known.follow(event.state.moves);
  if (choice.name !== tree.game) choice.select(tree.game);
  request(tree, node.moves);
});

/** Show what the address names; the browser may have stored more of it. */
function openLink() {
  const link = new URLSearchParams(location.hash.slice(1));
  const moves = (link.get("moves") ?? "").split("\n").filter(Boolean);
  const game = link.get("game") ?? choice.name;
  if (!choice.has(game)) {
    complaint = `The link names the game "${game}", which this server does not have.`;
    begin(choice.name);
    return;
  }
  let stored = null;
  try { stored = JSON.parse(sessionStorage.getItem(STORED)); } catch { /* nothing is stored */ }
  tree = stored?.link === location.hash ? GameTree.from(game, stored.tree) : new GameTree(game, link.get("position"));
  node = tree.root;
  const ply = Number(link.get("ply") ?? moves.length);
  if (ply >= moves.length || tree.root.children.length) request(tree, moves.slice(0, ply), { partial: true });
  else {
    request(tree, moves, { partial: true });
    request(tree, moves.slice(0, ply), { partial: true });
  }
}

// Other games and positions

function begin(game, position = null) {
  get("line").value = "";
  tree = new GameTree(game, position);
  node = tree.root;
  request(tree, [], { push: true });
}

function openGame(loaded) {
  tree = GameTree.from(tree.game, loaded);
  node = tree.root.continuation.at(-1);
  request(tree, node.moves, { push: true });
  return tree;
}

/** Start or end setting up pieces; meanwhile the position is neither played nor searched. */
function setEditing(on) {
  if (on && jobs.running) jobs.stop();
  showAvailability();
  for (const id of ["special", "moves", "turn", "comment-label", "judgement"]) get(id).hidden = on;
  get("graph").hidden = on || !get("graph").childElementCount;
  if (!on && shown) board.show({ ...shown, animate: false });
}

get("set").addEventListener("click", () => begin(tree.game, get("position").value.trim() || null));
get("reset").addEventListener("click", () => begin(tree.game));
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
showAvailability(); // some browsers keep the state of buttons when a page is reloaded
try {
  await search.fill(); // before there are games to choose
  await choice.fill(new URLSearchParams(location.hash.slice(1)).get("game"));
  openLink();
} catch (error) {
  failure = `The page could not be loaded: ${error.message}`;
  showAvailability();
  say(failure, true);
}
