// Setting up pieces: this keeps track of them, the server draws them and, at the end, checks whether
// they are a position.

import { element, say, svg } from "./common.js";

const get = (id) => document.getElementById(id);
const MAX_DIGITS = 3;
const REMOVE = "remove";
const NUMBER = "number";

export class Setup {
  /** `send(message)` sends to the server, `where()` returns the position on the page, `onChange(on)`
   *  is called when setting up starts and ends. */
  constructor(board, send, where, onChange) {
    this.board = board;
    this.send = send;
    this.where = where;
    this.onChange = onChange;
    this.active = false;
    this.pieces = new Map(); // from cell to letter or number, as strings
    this.start = [];
    this.palette = [];
    this.counted = false;
    this.chosen = REMOVE;
    this.typed = null;
    get("set-up").addEventListener("click", () => {
      if (this.active) this.#cancel();
      else send({ type: "setup", ...where() });
    });
    get("number").addEventListener("focus", () => this.#choose(NUMBER));
    get("number").addEventListener("input", () => this.#choose(NUMBER));
    get("clear").addEventListener("click", () => this.#replace([]));
    get("from-start").addEventListener("click", () => this.#replace(this.start));
    get("setup-done").addEventListener("click", () => {
      send({ type: "arrange", ...this.#boardFields(), side: Number(get("side").value), extras: this.#chosenExtras() });
    });
    get("side").addEventListener("change", () => this.sketch());
    get("setup-cancel").addEventListener("click", () => this.#cancel());
    get("setup").addEventListener("keydown", (event) => { if (event.key === "Escape") this.#cancel(); });
  }

  /** Start with the pieces and the palette from the server. */
  open({ palette, counted, pieces, start, players, side, kind, board, extras }) {
    this.active = true;
    this.kind = kind;
    this.palette = palette;
    this.counted = counted;
    this.start = start;
    this.pieces = new Map(pieces.map((one) => [one.cell, one.piece]));
    const button = (value, content, title) => element("button", {
      type: "button", class: "piece-choice", value, title, onclick: () => this.#choose(value),
    }, content);
    const sides = [...new Set(palette.map((one) => one.side))];
    get("palette").replaceChildren(
      ...sides.map((owner) => element("div", { class: "row" },
        ...palette.filter((one) => one.side === owner).map((one) => button(one.piece, svg(one.picture), one.name)))),
      button(REMOVE, "Remove", "Remove a piece"),
    );
    get("palette").hidden = !palette.length;
    get("number-label").hidden = !counted;
    get("number-label").firstElementChild.textContent = kind === "pits" ? "Seeds in the pit" : "Number";
    get("setup-keys").textContent = keyHelp(palette, counted);
    get("side-label").hidden = !players;
    get("side").replaceChildren(...(players ?? ["", ""]).map((name, number) => element("option", { value: number }, name)));
    get("side").value = String(side);
    this.#choose(palette.length ? palette[0].piece : NUMBER);
    this.#showPanel(true);
    this.board.edit((cell, key) => this.#onCell(cell, key));
    this.onChange(true);
    get("extras").replaceChildren();
    this.show({ board, extras });
    (palette.length ? get("palette").querySelector("button") : get("number")).focus();
  }

  /** Show a picture of the pieces, and what else belongs to the position. */
  show({ board, extras }) {
    if (!this.active) return;
    this.board.show({ board, kind: this.kind });
    if (extras) this.#showExtras(extras);
  }

  /** Offer what the pieces allow; a choice of the user stays if it is still possible. */
  #showExtras(extras) {
    for (const { name, value, choices } of extras) {
      let field = this.#extraFields.find((one) => one.name === name);
      if (!field) {
        field = element("select", { name, "data-wanted": value, onchange: () => { field.dataset.wanted = field.value; } });
        get("extras").append(element("label", {}, name, field));
      }
      const { wanted } = field.dataset;
      field.replaceChildren(...choices.map((choice) => element("option", { value: choice }, choice)));
      field.value = choices.includes(wanted) ? wanted : value;
      field.disabled = choices.length < 2;
    }
    get("extras").hidden = !this.#extraFields.length;
  }

  get #extraFields() {
    return [...get("extras").querySelectorAll("select")];
  }

  #chosenExtras() {
    return this.#extraFields.map(({ name, value }) => ({ name, value }));
  }

  /** Show why the server refused the pieces. */
  showRefusal(text) {
    say("");
    get("refusal").textContent = text;
  }

  /** End setting up; the page shows a position again. */
  close() {
    if (!this.active) return;
    this.active = false;
    const within = get("setup").contains(document.activeElement);
    this.#showPanel(false);
    this.board.edit(null);
    this.onChange(false);
    if (within) get("set-up").focus();
  }

  /** Request a picture of the pieces. */
  sketch() {
    get("refusal").textContent = "";
    this.send({ type: "sketch", ...this.#boardFields(), side: Number(get("side").value) });
  }

  #cancel() {
    this.close();
    say("The position is unchanged.");
  }

  #showPanel(open) {
    get("setup").hidden = !open;
    get("refusal").textContent = "";
    get("set-up").setAttribute("aria-expanded", String(open));
  }

  #boardFields() {
    const { game, position } = this.where();
    return { game, position, pieces: [...this.pieces].map(([cell, piece]) => ({ cell, piece })) };
  }

  #replace(pieces) {
    this.pieces = new Map(pieces.map((one) => [one.cell, one.piece]));
    this.typed = null;
    for (const field of this.#extraFields) delete field.dataset.wanted;
    this.sketch();
  }

  #choose(piece) {
    this.chosen = piece;
    for (const button of get("palette").querySelectorAll("button")) button.setAttribute("aria-pressed", String(button.value === piece));
  }

  /** A click places the chosen piece, or removes it if it is there already; keys place their piece. */
  #onCell(cell, key) {
    if (key !== null) return this.#onKey(cell, key);
    this.typed = null;
    if (this.chosen === NUMBER) this.#put(cell, String(Math.max(0, Math.trunc(Number(get("number").value) || 0))));
    else this.#put(cell, this.chosen === REMOVE || this.pieces.get(cell) === this.chosen ? null : this.chosen);
    return true;
  }

  #onKey(cell, key) {
    if (key === "Delete" || key === "Backspace") {
      this.typed = null;
      this.#put(cell, null);
      return true;
    }
    if (this.palette.some((one) => one.piece === key)) {
      this.#put(cell, key);
      return true;
    }
    if (!this.counted || !/^[0-9]$/.test(key)) return false;
    const before = this.typed?.cell === cell ? this.typed.text : "";
    this.typed = { cell, text: String(Number((before + key).slice(-MAX_DIGITS))) };
    this.#put(cell, this.typed.text);
    return true;
  }

  #put(cell, piece) {
    if (piece === null) this.pieces.delete(cell);
    else this.pieces.set(cell, piece);
    this.sketch();
  }
}

function keyHelp(palette, counted) {
  const examples = palette.slice(0, 2).map((one) => one.piece).join(" or ");
  const typing = [palette.length && examples.length < 10 ? `a piece's letter (${examples})` : "", counted ? "a number" : ""].filter(Boolean);
  return `Click a cell to place the chosen piece. With the keyboard: arrow keys move from cell to cell; Enter${
    typing.length ? `, ${typing.join(", ")}` : ""} or Delete changes a cell.`;
}
