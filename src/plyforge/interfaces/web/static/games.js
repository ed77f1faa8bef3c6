// Choosing a game and its variant: the fields `game`, `variant` and `variants` of a page.

import { element, fetched } from "./common.js";

const get = (id) => document.getElementById(id);

export class GameChoice {
  /** `onChange()` is called when the reader has chosen another game or variant. */
  constructor(onChange) {
    this.games = [];
    get("game").addEventListener("change", () => { this.#offer(); onChange(); });
    get("variant").addEventListener("change", onChange);
  }

  /** Ask the server which games there are; `wished` is chosen, or else the first. */
  async fill(wished = null) {
    this.games = (await fetched("/api/games")).games;
    get("game").replaceChildren(...this.games.map((game) => element("option", { value: game.name }, game.title)));
    this.select(wished ?? this.games[0]?.name ?? "");
  }

  /** Let the fields show a game, with its variant. */
  select(name) {
    const named = (wanted) => this.games.find((game) => game.name === wanted);
    const known = named(name) ?? named(name.split(":")[0]);
    if (!known) return;
    get("game").value = known.name;
    this.#offer();
    if (known.name !== name) get("variant").value = variantOf(name);
  }

  /** The game that is chosen, as the server offers it. */
  get chosen() {
    return this.games.find((game) => game.name === get("game").value) ?? null;
  }

  /** Its name, with the variant. */
  get name() {
    const variant = get("variant").value.trim();
    const name = get("game").value;
    return variant ? `${name.split(":")[0]}:${variant}` : name;
  }

  #offer() {
    const game = this.chosen;
    if (!game) return;
    get("variant").value = "";
    get("variant").placeholder = game.parameters || "none";
    get("variant").disabled = !game.parameters;
    get("variants").replaceChildren(...game.variants.map((name) => element("option", { value: variantOf(name) })));
  }
}

function variantOf(name) {
  return name.split(":").slice(1).join(":");
}
