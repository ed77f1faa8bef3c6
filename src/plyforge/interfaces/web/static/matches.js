// Stored matches: the list, one match, one game; and watching two players.

import { download, element, fetchJson, recordName, say } from "./common.js";
import { ROWS, columnHelp, formatCount, date, emptyNotice, failure, pager, plot, scrollBox, sentence, table } from "./archive.js";
import { Viewer, pairing } from "./viewer.js";
import { isWatching, leave, setUpForm } from "./watch.js";

const views = Object.fromEntries(["overview", "watching", "match", "replay"].map((name) => [name, document.getElementById(name)]));
const stored = document.getElementById("stored");
let begin = 0;
let gamesBegin = 0;
let replay = null;

function show(name) {
  for (const [other, section] of Object.entries(views)) section.hidden = other !== name;
  document.getElementById("main").focus({ preventScroll: true });
  scrollTo(0, 0);
}

/** Show what the address names: the list, #watch, #match-2 or #match-2-game-7. */
function route() {
  const match = /^#match-(\d+)(?:-game-(\d+))?$/.exec(location.hash);
  if (location.hash !== "#watch") leave();
  if (location.hash === "#watch" && isWatching()) show("watching");
  else if (match?.[2]) openGame(match[1], match[2]);
  else if (match) { gamesBegin = 0; openMatch(match[1]); }
  else { show("overview"); list(); }
}

async function fill(place, work, retry) {
  place.setAttribute("aria-busy", "true");
  try {
    place.replaceChildren(...(await work()).filter(Boolean));
  } catch (error) {
    place.replaceChildren(failure(error, retry));
  }
  place.setAttribute("aria-busy", "false");
}

// The list

function list(from = begin) {
  begin = from;
  return fill(stored, async () => {
    const page = await fetchJson(`/api/matches?from=${from}&limit=${ROWS}`);
    if (!page.total) return [emptyNotice("No matches are stored.", page.command, "plyforge serve --matches FILE")];
    return [
      element("p", { class: "muted small" }, `From ${page.file}, newest first.`),
      element("ul", { class: "list" }, ...page.matches.map((match) => element("li", {}, card(match)))),
      pager(page.total, page.from, page.matches.length, "matches", list),
    ];
  }, () => list(from));
}

function card(match) {
  const [one, other] = match.players;
  const rest = match.players.length - 2;
  return element("a", { class: "card panel", href: `#match-${match.id}` },
    element("h3", {}, match.players.length === 2 ? `${one.name} – ${other.name}` : `${one.name}, ${other.name}${rest > 0 ? ` and ${rest} more` : ""}`),
    element("p", {}, match.title, match.players.length === 2 ? ` · ${one.points} : ${other.points}` : ` · ${one.name} leads with ${one.points}`),
    element("p", { class: "muted small" }, `${formatCount(match.games)} games · Elo ${match.lead ?? `of the first ${one.elo} ± ${one.margin}`} · `, date(match.created)));
}

// One match

function openMatch(id) {
  show("match");
  views.match.replaceChildren(element("p", { class: "wait" }, "Loading …"));
  return fill(views.match, async () => {
    const match = await fetchJson(`/api/matches/${id}`);
    const games = element("div", {});
    if (match.games) listGames(match, games);
    return [
      element("a", { class: "back", href: "#" }, "← all matches"),
      element("h1", {}, `${match.title}: ${formatCount(match.games)} games`),
      element("p", { class: "muted" }, "Started ", date(match.created), "."),
      element("div", { class: "stack" },
        ...match.tables.map((one, place) => table({ ...one, title: one.title || ["Standings", "Cross-table"][place] })),
        columnHelp(match.columns),
        element("ul", { class: "remarks" }, ...match.remarks.map((text) => element("li", {}, text))),
        match.games ? plot(`/api/matches/${match.id}/plot.svg?games=${match.games}`, `Ratings of the players of ${match.title}, with intervals`) : null,
        match.games ? element("div", { class: "row games-head" }, element("h2", {}, "Games"), matchDownload(match)) : element("p", { class: "muted" }, "No game has ended yet."),
        games),
    ];
  }, () => openMatch(id));
}

function listGames(match, place, from = gamesBegin) {
  gamesBegin = from;
  const again = (start) => listGames(match, place, start);
  return fill(place, async () => {
    const page = await fetchJson(`/api/matches/${match.id}/games?from=${from}&limit=${ROWS}`);
    return [gamesTable(match, page.games), columnHelp(GAME_COLUMNS), pager(page.total, page.from, page.games.length, "games", again)];
  }, () => again(from));
}

const GAME_COLUMNS = {
  game: "the game's number; click it to see the moves",
  first: "the player of the side that moves first",
  second: "the player of the other side",
  result: "1-0: the first side has won, 0-1: the second, 1/2-1/2: a draw",
  moves: "moves of both sides, with those of the opening",
  end: "why the game ended",
};

function gamesTable(match, games) {
  const heads = Object.keys(GAME_COLUMNS);
  const rows = games.map((game) => element("tr", {},
    element("th", { scope: "row" }, element("a", { href: `#match-${match.id}-game-${game.number}` }, `game ${game.number}`)),
    element("td", { "data-head": "first" }, game.players[0]), element("td", { "data-head": "second" }, game.players[1]),
    element("td", { class: "result", "data-head": "result" }, game.result), element("td", { "data-head": "moves" }, String(game.plies)),
    element("td", { "data-head": "end" }, game.reason + (game.loop ? " (a loop)" : ""))));
  return scrollBox("Games", element("table", { class: "games cards" },
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows)));
}

// One game

function openGame(id, number) {
  show("replay");
  views.replay.replaceChildren(element("p", { class: "wait" }, "Loading …"));
  const address = `/api/matches/${id}/games/${number}`;
  return fill(views.replay, async () => {
    const game = await fetchJson(address);
    replay = new Viewer(async (ply) => (await fetchJson(`${address}/boards/${ply}`)).board);
    replay.set(game);
    requestAnimationFrame(() => replay.show(game.moves.length)); // once it is in the page
    return [
      element("a", { class: "back", href: `#match-${id}` }, "← match"),
      element("h1", {}, `${game.title}, game ${game.number}`),
      pairing(game, game.result),
      element("p", { class: "muted" }, `${sentence(game.reason)} Keys: ← and → step through the moves, Home and End jump to the ends.`),
      element("div", { class: "row" },
        element("a", { class: "button", href: analysisLink(game) }, "Analyse this game"),
        element("button", { type: "button", onclick: () => save(address, `match-${id}-game-${number}`) }, "Download")),
      element("div", { class: "sides" },
        element("div", { class: "stack" }, replay.stage, replay.bar, replay.status, replay.comment),
        element("div", { class: "panel" }, element("h2", {}, "Moves"), replay.list)),
    ];
  }, () => openGame(id, number));
}

/** The address of a game on the page for analysis. */
function analysisLink(game) {
  const link = new URLSearchParams({ game: game.game, moves: game.moves.map((move) => move.text).join("\n") });
  if (game.start !== null) link.set("position", game.start);
  return `/analyse#${link}`;
}

async function save(address, name) {
  try {
    const { text } = await fetchJson(`${address}/record`);
    download(recordName(name, text), text);
  } catch (error) {
    say(error.message, true);
  }
}

const BATCH = 20; // games per request, so that the server can answer others in between

/** A button that saves all games of a match in one file; while it works it shows how far it is, and stops it. */
function matchDownload(match) {
  let working = false;
  const title = `Download all ${formatCount(match.games)} games`;
  const button = element("button", {
    type: "button", onclick: async () => {
      if (working) {
        working = false;
        return;
      }
      working = true;
      try {
        const text = await fetchRecords(match, 0, (done) => {
          button.textContent = `Stop (${formatCount(done)} of ${formatCount(match.games)} games)`;
          return working && button.isConnected;
        });
        if (text !== null) download(recordName(`match-${match.id}`, text), text);
      } catch (error) {
        say(error.message, true);
      }
      working = false;
      button.textContent = title;
    },
  }, title);
  return button;
}

/** Return all games of a match as text, in one format; null if `onProgress(games)` says to stop. */
async function fetchRecords(match, plain, onProgress) {
  const parts = [];
  for (let from = 0; from < match.games; from += BATCH) {
    if (!onProgress(from)) return null;
    const part = await fetchJson(`/api/matches/${match.id}/records?from=${from}&limit=${BATCH}&plain=${plain}`);
    if (parts.length && parts[0].own !== part.own) return fetchRecords(match, 1, onProgress);
    parts.push(part);
  }
  const manyLines = parts.some((part) => part.text.split("\n").length > part.games + 1);
  return parts.map((part) => part.text).join(manyLines ? "\n" : "");
}

addEventListener("hashchange", route);
setUpForm(views.watching, () => { if (location.hash === "#watch") show("watching"); else location.hash = "#watch"; });
route();
