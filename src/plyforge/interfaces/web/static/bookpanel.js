// What the server's opening book has in the position: its moves and the replies to them, as a tree.

import { element } from "./common.js";

const get = (id) => document.getElementById(id);

export class BookPanel {
  /** `onFollow(texts)` makes moves. */
  constructor(onFollow) {
    this.onFollow = onFollow;
  }

  /** Show the moves of a message; null if there is no book of the game. */
  show({ moves }) {
    get("book").hidden = moves === null;
    if (moves === null) return;
    const total = moves.reduce((sum, move) => sum + move.games, 0);
    get("book-count").textContent = moves.length ? `${moves.length} moves` : "no moves here";
    get("book-moves").replaceChildren(...moves.map((move) => this.#item(move, [], total)));
  }

  #item(move, path, total) {
    const moves = [...path, move.text];
    const button = element("button", { type: "button", onclick: () => this.onFollow(moves) }, move.text);
    const parts = [];
    if (move.score !== null) parts.push(move.score + (move.proved ? " (proved)" : ""));
    if (move.games) parts.push(`${move.games.toLocaleString("en")} games${total ? `, ${Math.round((100 * move.games) / total)} %` : ""}`);
    if (move.points !== null && move.games) parts.push(`${Math.round(100 * move.points)} % of the points`);
    const replies = move.replies.reduce((sum, reply) => sum + reply.games, 0);
    return element("li", {}, button, ` ${parts.join("; ")}`,
      move.replies.length ? element("ul", {}, ...move.replies.map((reply) => this.#item(reply, moves, replies))) : null);
  }
}
