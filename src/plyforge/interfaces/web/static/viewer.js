// A game shown move by move: a stored one, or one in progress.

import { element, sideDot, svg } from "./common.js";

const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
let current = null;

document.addEventListener("keydown", (event) => current?.key(event));

export class Viewer {
  /** `load(ply)` returns a promise of the board after a number of moves. */
  constructor(load) {
    this.load = load;
    this.boards = new Map();
    this.moves = [];
    this.ply = 0;
    this.stage = element("div", { class: "stage" });
    this.list = element("ol", { class: "moves", "aria-label": "Moves" });
    this.status = element("p", { class: "status-text", role: "status", "aria-live": "polite" });
    this.comment = element("p", { class: "comment" });
    this.buttons = {
      first: this.button("«", "First position", () => this.show(0)),
      back: this.button("‹", "One move back", () => this.show(this.ply - 1)),
      forward: this.button("›", "One move forward", () => this.show(this.ply + 1)),
      last: this.button("»", "Last position", () => this.show(this.moves.length)),
    };
    this.bar = element("div", { class: "row bar", role: "group", "aria-label": "Navigate the game" },
      ...Object.values(this.buttons));
    current = this;
  }

  button(sign, label, act) {
    return element("button", { type: "button", "aria-label": label, title: label, onclick: act },
      element("span", { "aria-hidden": "true" }, sign));
  }

  key(event) {
    const name = KEYS[event.key];
    if (!name || event.altKey || event.ctrlKey || event.metaKey || !this.stage.isConnected) return;
    if (this.stage.closest("[hidden]") || event.target.closest("input, select, textarea, .scroll, .paper")) return;
    event.preventDefault();
    this.buttons[name].click();
  }

  /** Show a game: `moves` of {side, text}, of which `opening` are random; boards by ply. */
  set(game, boards = {}) {
    this.game = game;
    this.moves = [];
    this.boards = new Map(Object.entries(boards).map(([ply, text]) => [Number(ply), text]));
    this.list.replaceChildren();
    for (const move of game.moves) this.append(move);
  }

  append(move) {
    this.moves.push(move);
    const ply = this.moves.length;
    const opening = ply <= (this.game.opening ?? 0);
    this.list.append(element("li", { class: opening ? "opening" : null },
      element("button", {
        type: "button", "data-ply": ply, title: opening ? "random move before the players began" : null,
        "aria-label": `Move ${ply}, ${this.game.sides[move.side]}: ${move.text}${move.score ? `, score ${move.score}` : ""}`,
        onclick: () => this.show(ply),
      },
      element("span", { class: "number" }, String(ply)),
      sideDot(this.game.colours[move.side]),
      element("span", { class: "text" }, move.text),
      move.score ? element("span", { class: "score" }, move.score) : null)));
  }

  /** Add a move of a game in progress; show it if the last position is shown. */
  add(move, board) {
    const atEnd = this.ply === this.moves.length;
    this.append(move);
    this.boards.set(this.moves.length, board);
    if (atEnd) this.show(this.moves.length);
    else this.mark();
  }

  async show(ply) {
    this.ply = Math.min(Math.max(ply, 0), this.moves.length);
    this.mark();
    const requested = this.ply;
    try {
      const text = await this.board(requested);
      if (requested !== this.ply) return;
      this.stage.replaceChildren(svg(text));
      if (requested < this.moves.length) this.board(requested + 1).catch(() => {});
    } catch (error) {
      if (requested === this.ply) this.stage.replaceChildren(element("p", { class: "error" }, error.message));
    }
  }

  async board(ply) {
    if (!this.boards.has(ply)) {
      const board = this.load(ply);
      this.boards.set(ply, board);
      board.catch(() => this.boards.delete(ply));
    }
    return this.boards.get(ply);
  }

  mark() {
    const { ply } = this;
    for (const old of this.list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const current = this.list.querySelector(`[data-ply="${ply}"]`);
    if (current) {
      current.setAttribute("aria-current", "step");
      const item = current.parentElement;
      const top = item.offsetTop; // relative to the list, which is positioned
      if (top < this.list.scrollTop || top + item.offsetHeight > this.list.scrollTop + this.list.clientHeight) {
        this.list.scrollTop = top - this.list.clientHeight / 2;
      }
    }
    const move = this.moves[ply - 1];
    this.status.textContent = move
      ? `${ply} of ${this.moves.length}: ${this.game.sides[move.side]} ${move.text}${details(move)}`
      : "Start position";
    this.comment.textContent = this.game.comments?.[ply] ?? "";
    this.buttons.first.disabled = this.buttons.back.disabled = ply === 0;
    this.buttons.last.disabled = this.buttons.forward.disabled = ply >= this.moves.length;
  }
}

function details(move) {
  const parts = [];
  if (move.score) parts.push(`score ${move.score}`);
  if (move.depth) parts.push(`depth ${move.depth}`);
  if (move.nodes) parts.push(`${move.nodes.toLocaleString("en")} nodes`);
  if (move.seconds !== undefined) parts.push(`${move.seconds.toFixed(2)} s`);
  return parts.length ? ` (${parts.join(", ")})` : "";
}

/** Make a line that names the players of both sides. */
export function pairing(game, result = "") {
  const side = (number) => element("span", { class: "player" },
    sideDot(game.colours[number]), element("strong", {}, game.sides[number]), ` ${game.players[number]}`);
  return element("p", { class: "pairing" }, side(0), element("span", { class: "versus" }, result || "vs."), side(1));
}
