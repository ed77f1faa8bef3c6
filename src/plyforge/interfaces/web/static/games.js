// The choice of a game and its variant: the fields `game`, `variant` and `variants` of a page.

import { element, fetchJson } from "./common.js";

const get = (id) => document.getElementById(id);

export class GameChoice {
  /** `onChange()` is called when the user has chosen another game or variant. */
  constructor(onChange) {
    this.games = [];
    this.limits = {}; // how much the server accepts
    get("game").addEventListener("change", () => { this.#showVariants(); onChange(); });
    get("variant").addEventListener("change", onChange);
  }

  /** Load the list of games; select `preferred`, or else the first. */
  async fill(preferred = null) {
    ({ games: this.games, limits: this.limits } = await fetchJson("/api/games"));
    get("game").replaceChildren(...this.games.map((game) => element("option", { value: game.name }, game.title)));
    this.select(preferred ?? this.games[0]?.name ?? "");
  }

  /** Select a game and its variant. */
  select(name) {
    const find = (other) => this.games.find((game) => game.name === other);
    const known = find(name) ?? find(name.split(":")[0]);
    if (!known) return;
    get("game").value = known.name;
    this.#showVariants();
    if (known.name !== name) get("variant").value = variantOf(name);
  }

  /** Whether the server offers a game, in whatever variant. */
  has(name) {
    return this.games.some((game) => game.name.split(":")[0] === name.split(":")[0]);
  }

  /** The selected game, as the server describes it. */
  get chosen() {
    return this.games.find((game) => game.name === get("game").value) ?? null;
  }

  /** The selected game's name, with its variant. */
  get name() {
    const variant = get("variant").value.trim();
    const name = get("game").value;
    return variant ? `${name.split(":")[0]}:${variant}` : name;
  }

  #showVariants() {
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
