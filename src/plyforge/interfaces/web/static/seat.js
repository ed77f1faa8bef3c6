// The form for one player: its kind and settings, and the description made from them.

import { element } from "./common.js";

const LIMITS = {
  depth: { label: "Plies", value: 4, step: 1 },
  nodes: { label: "Nodes per move", value: 20000, step: 1 },
  time: { label: "Seconds per move", value: 0.5, step: "any" },
};

export class SeatForm {
  constructor(title, choices, level) {
    this.choices = choices;
    this.kind = select("Kind", {
      level: "engine at a level", engine: "engine with a limit", textbook: "textbook algorithm",
      random: "random moves", named: "player of the game", description: "by description",
    });
    this.named = select("Player", {});
    const { engine, textbook } = choices.bounds;
    this.level = number("Level", engine.level, level, 1);
    this.limit = select("Limit", { depth: "depth", nodes: "nodes", time: "time" });
    this.amount = number("Plies", engine.depth, LIMITS.depth.value, 1);
    this.driver = select("Driver", { "": "default", ...toOptions(choices.drivers) });
    this.preset = select("Preset", { "": "default", ...toOptions(choices.presets) });
    this.algorithm = select("Algorithm", toOptions(choices.algorithms));
    this.plies = number("Depth", textbook.depth, 2, 1);
    this.text = element("input", { type: "text", maxlength: 200, value: "engine:depth=3,off=history", spellcheck: "false", autocapitalize: "off" });
    this.groups = {
      level: [this.level.label],
      engine: [this.limit.label, this.amount.label, this.driver.label, this.preset.label],
      textbook: [this.algorithm.label, this.plies.label],
      random: [],
      named: [this.named.label],
      description: [element("label", { class: "wide" }, "Description", this.text)],
    };
    this.legend = element("legend", {}, title);
    this.root = element("fieldset", { class: "seat" }, this.legend, element("div", { class: "row" },
      this.kind.label, ...Object.values(this.groups).flat()));
    this.algorithm.input.value = "alpha-beta";
    this.kind.input.addEventListener("change", () => this.showSettings());
    this.limit.input.addEventListener("change", () => this.showLimit());
    this.showSettings();
  }

  /** Show the settings of the chosen kind; hidden ones are disabled, so that they are not validated. */
  showSettings() {
    for (const [kind, labels] of Object.entries(this.groups)) {
      for (const label of labels) {
        label.hidden = kind !== this.kind.input.value;
        for (const input of label.querySelectorAll("input, select")) input.disabled = label.hidden;
      }
    }
  }

  showLimit() {
    const name = this.limit.input.value;
    const { input, label } = this.amount;
    const [low, high] = this.choices.bounds.engine[name];
    Object.assign(input, { min: low, max: high, step: LIMITS[name].step, value: LIMITS[name].value });
    label.firstChild.textContent = LIMITS[name].label;
  }

  get description() {
    const kind = this.kind.input.value;
    if (kind === "level") return `engine:level=${this.level.input.value}`;
    if (kind === "random") return "random";
    if (kind === "named") return this.named.input.value;
    if (kind === "description") return this.text.value;
    if (kind === "textbook") return `textbook:${this.algorithm.input.value},depth=${this.plies.input.value}`;
    const parts = [`${this.limit.input.value}=${this.amount.input.value}`];
    for (const name of ["driver", "preset"]) {
      if (this[name].input.value) parts.push(`${name}=${this[name].input.value}`);
    }
    return `engine:${parts.join(",")}`;
  }

  set title(text) {
    this.legend.textContent = text;
  }

  /** Offer the players that the game names, if there are any. */
  set names(names) {
    this.named.input.replaceChildren(...names.map((name) => element("option", { value: name }, name)));
    const option = this.kind.input.querySelector("option[value=named]");
    option.hidden = option.disabled = !names.length;
    if (!names.length && this.kind.input.value === "named") {
      this.kind.input.value = "level";
      this.showSettings();
    }
  }
}

function toOptions(names) {
  return Object.fromEntries(names.map((name) => [name, name]));
}

function select(label, options) {
  const input = element("select", {}, ...Object.entries(options).map(([value, text]) => element("option", { value }, text)));
  return { input, label: element("label", {}, label, input) };
}

function number(label, [low, high], value, step) {
  const input = element("input", { type: "number", min: low, max: high, value, step, required: true });
  return { input, label: element("label", {}, label, input) };
}
