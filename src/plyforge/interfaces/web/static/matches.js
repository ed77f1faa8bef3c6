// Stored matches: the list, one match, one game; and the table at which two players are watched.

import { element, fetched } from "./common.js";
import { ROWS, counted, date, empty, failure, pager, plot, scrolling, sentence, table } from "./archive.js";
import { Viewer, pairing } from "./viewer.js";
import { begins, leave, watching } from "./watch.js";

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

/** The address tells what is shown: nothing, #watch, #match-2, #match-2-game-7. */
function route() {
  const found = /^#match-(\d+)(?:-game-(\d+))?$/.exec(location.hash);
  if (location.hash !== "#watch") leave();
  if (location.hash === "#watch" && watching()) show("watching");
  else if (found?.[2]) openGame(found[1], found[2]);
  else if (found) { gamesBegin = 0; openMatch(found[1]); }
  else { show("overview"); list(); }
}

async function into(place, work, again) {
  place.setAttribute("aria-busy", "true");
  try {
    place.replaceChildren(...(await work()).filter(Boolean));
  } catch (error) {
    place.replaceChildren(failure(error, again));
  }
  place.setAttribute("aria-busy", "false");
}

// The list

function list(from = begin) {
  begin = from;
  return into(stored, async () => {
    const given = await fetched(`/api/matches?from=${from}&most=${ROWS}`);
    if (!given.total) return [empty("No matches are stored.", given.command, "plyforge serve --matches FILE")];
    return [
      element("p", { class: "muted small" }, `In ${given.file}; the newest first.`),
      element("ul", { class: "list" }, ...given.matches.map((match) => element("li", {}, card(match)))),
      pager(given.total, given.from, given.matches.length, "matches", list),
    ];
  }, () => list(from));
}

function card(match) {
  const [one, other] = match.players;
  const rest = match.players.length - 2;
  return element("a", { class: "card panel", href: `#match-${match.id}` },
    element("h3", {}, match.players.length === 2 ? `${one.name} – ${other.name}` : `${one.name}, ${other.name}${rest > 0 ? ` and ${rest} more` : ""}`),
    element("p", {}, match.title, match.players.length === 2 ? ` · ${one.points} : ${other.points}` : ` · ${one.name} leads with ${one.points}`),
    element("p", { class: "muted small" }, `${counted(match.games)} games · Elo ${match.lead ?? `of the first ${one.elo} ± ${one.margin}`} · `, date(match.created)));
}

// One match

function openMatch(id) {
  show("match");
  views.match.replaceChildren(element("p", { class: "wait" }, "Reading …"));
  return into(views.match, async () => {
    const match = await fetched(`/api/matches/${id}`);
    const games = element("div", {});
    if (match.games) listGames(match, games);
    return [
      element("a", { class: "back", href: "#" }, "← all matches"),
      element("h1", {}, `${match.title}: ${counted(match.games)} games`),
      element("p", { class: "muted" }, "Played from ", date(match.created), "."),
      element("div", { class: "stack" },
        ...match.tables.map((one, place) => table({ ...one, title: one.title || ["Standings", "Who beat whom"][place] })),
        element("ul", { class: "remarks" }, ...match.remarks.map((text) => element("li", {}, text))),
        match.games ? plot(`/api/matches/${match.id}/plot.svg?games=${match.games}`, `Ratings of the players of ${match.title}, with intervals`) : null,
        match.games ? element("h2", {}, "Games") : element("p", { class: "muted" }, "No game is over yet."),
        games),
    ];
  }, () => openMatch(id));
}

function listGames(match, place, from = gamesBegin) {
  gamesBegin = from;
  const again = (start) => listGames(match, place, start);
  return into(place, async () => {
    const given = await fetched(`/api/matches/${match.id}/games?from=${from}&most=${ROWS}`);
    return [gamesTable(match, given.games), pager(given.total, given.from, given.games.length, "games", again)];
  }, () => again(from));
}

function gamesTable(match, games) {
  const heads = ["game", "first", "second", "result", "moves", "end"];
  const rows = games.map((game) => element("tr", {},
    element("th", { scope: "row" }, element("a", { href: `#match-${match.id}-game-${game.number}` }, `game ${game.number}`)),
    element("td", { "data-head": "first" }, game.players[0]), element("td", { "data-head": "second" }, game.players[1]),
    element("td", { class: "result", "data-head": "result" }, game.result), element("td", { "data-head": "moves" }, String(game.plies)),
    element("td", { "data-head": "end" }, game.reason + (game.loop ? " (a loop)" : ""))));
  return scrolling("Games", element("table", { class: "games cards" },
    element("thead", {}, element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows)));
}

// One game

function openGame(id, number) {
  show("replay");
  views.replay.replaceChildren(element("p", { class: "wait" }, "Reading …"));
  const address = `/api/matches/${id}/games/${number}`;
  return into(views.replay, async () => {
    const game = await fetched(address);
    replay = new Viewer(async (ply) => (await fetched(`${address}/boards/${ply}`)).board);
    replay.set(game);
    requestAnimationFrame(() => replay.show(game.moves.length)); // once it has its place
    return [
      element("a", { class: "back", href: `#match-${id}` }, "← the match"),
      element("h1", {}, `${game.title}, game ${game.number}`),
      pairing(game, game.result),
      element("p", { class: "muted" }, `${sentence(game.reason)} Keys: ← and → go back and forth, Home and End to the ends.`),
      element("div", { class: "sides" },
        element("div", { class: "stack" }, replay.stage, replay.bar, replay.told, replay.comment),
        element("div", { class: "panel" }, element("h2", {}, "Moves"), replay.list)),
    ];
  }, () => openGame(id, number));
}

addEventListener("hashchange", route);
begins(views.watching, () => { if (location.hash === "#watch") show("watching"); else location.hash = "#watch"; });
route();
