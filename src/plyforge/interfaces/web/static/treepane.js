// One tree in its pane: zoom, steps in the order of visits, the selected node.

import { element, svg } from "./common.js";

const MIN_ZOOM = 0.1;
const MAX_ZOOM = 4;
const ZOOM_STEP = 1.25;
/** The formats of files, and how their names end. */
export const FORMATS = { svg: "svg", png: "png", dot: "dot", tikz: "tex" };
/** The smallest zoom at which a tree is fitted, by the detail of its nodes. */
const MIN_FIT = { full: 0.35, value: 0.5, dot: 0.3 };
const MAX_FIT_FULL = 2; // the largest zoom at which a tree is fitted to the whole window

export class Pane {
  /** `onChange(pane)` is called when the step or the node changes; `onRequest(pane, what, node)` when
   *  a node is clicked ("details"), collapsed or expanded ("toggle"), when the whole tree is to be
   *  expanded ("expand"), and when it is to be saved in a format ("export"). */
  constructor(message, onChange, onRequest) {
    this.place = message.place;
    this.title = message.title;
    this.onChange = onChange;
    this.onRequest = onRequest;
    this.zoom = 1;
    this.zoomed = false;
    this.view = element("div", {
      class: "view", tabindex: "0", role: "application", "aria-label": `Tree of ${message.title}; arrow keys step`,
    });
    this.visits = message.counts.visits;
    this.remark = element("p", { class: "note small" });
    this.note(message.note);
    this.drawn = element("span", { class: "muted small" });
    this.sentence = element("p", { class: "sentence" });
    this.open = element("p", { class: "open small muted" });
    this.expandButton = this.#button("Expand", "Expand the tree", () => onRequest(this, "expand"));
    this.fullButton = this.#button("Full", "Full screen", () => this.setFull(!this.full));
    this.fullButton.setAttribute("aria-pressed", "false");
    this.root = element("section", { class: "pane panel", "aria-label": message.title },
      element("header", { class: "row" },
        element("h2", {}, message.title),
        element("span", { class: "muted small" }, message.idea),
        this.drawn,
        element("span", { class: "zoom row" },
          this.#button("−", "Smaller", () => this.zoomBy(1 / ZOOM_STEP)),
          this.#button("+", "Larger", () => this.zoomBy(ZOOM_STEP)),
          this.#button("Fit", "Fit the width", () => this.fit(MIN_ZOOM)),
          this.expandButton, this.#exportMenu(), this.fullButton)),
      this.remark, this.sentence, this.open, this.view);
    this.view.addEventListener("click", (event) => this.#onClick(event, "details"));
    this.view.addEventListener("dblclick", (event) => this.#onClick(event, "toggle"));
    this.view.addEventListener("wheel", (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? ZOOM_STEP : 1 / ZOOM_STEP);
    }, { passive: false });
    this.show(message.svg);
    this.goTo(0, false);
    // Scroll bars, other panes and the window's size change the width.
    new ResizeObserver(() => {
      if (!this.zoomed && this.view.clientWidth !== this.width) this.fit(this.minZoom);
    }).observe(this.view);
  }

  /** Add a note on the complete tree. */
  note(text) {
    this.remark.textContent = `${this.remark.textContent} ${text}`.trim();
    this.remark.hidden = !this.remark.textContent;
  }

  #button(text, label, action) {
    return element("button", { type: "button", title: label, "aria-label": `${label}: ${this.title}`, onclick: action }, text);
  }

  #exportMenu() {
    const menu = element("select", { "aria-label": `Save the tree: ${this.title}`, title: "Save the tree as a file" },
      element("option", { value: "" }, "Save as …"), ...Object.keys(FORMATS).map((name) => element("option", { value: name }, name === "tikz" ? "TikZ" : name.toUpperCase())));
    menu.addEventListener("change", () => {
      if (menu.value) this.onRequest(this, "export", menu.value);
      menu.value = "";
    });
    return menu;
  }

  /** Fill the window with the pane, below the steps, or return it to its place. */
  setFull(on) {
    this.full = on;
    this.root.classList.toggle("full", on);
    document.body.classList.toggle("one-tree", on);
    this.fullButton.setAttribute("aria-pressed", String(on));
    this.fullButton.textContent = on ? "Close" : "Full";
    this.fit();
    this.view.focus();
  }

  #onClick(event, what) {
    const node = event.target.closest(".visit");
    if (!node) return;
    event.preventDefault();
    this.choose(node);
    this.onRequest(this, what, node);
  }

  /** Replace the drawing; the step stays the same. */
  show(text) {
    const before = this.events && this.step < this.events.length ? this.#time() : Infinity;
    const chosen = this.now?.dataset.visit;
    this.picture = svg(text);
    const box = this.picture.viewBox.baseVal;
    this.size = [box.width, box.height];
    this.view.replaceChildren(this.picture);
    this.nodes = new Map();
    for (const node of this.picture.querySelectorAll(".visit")) this.nodes.set(node.dataset.visit, node);
    const hidden = this.visits - this.nodes.size;
    this.drawn.textContent = hidden ? `· ${hidden.toLocaleString("en")} of ${this.visits.toLocaleString("en")} visits collapsed` : "";
    this.expandButton.hidden = !hidden;
    const parents = new Set([...this.nodes.values()].map((node) => node.dataset.parent));
    this.events = [];
    this.entered = new Set(); // the nodes that one step enters and another leaves
    for (const node of this.nodes.values()) {
      const [began, ended] = [Number(node.dataset.began), Number(node.dataset.ended)];
      if (parents.has(node.dataset.visit) || (node.dataset.worker && ended > began + 1 && !node.classList.contains("collapsed"))) {
        this.entered.add(node);
        this.events.push({ at: began, node, kind: "enter" });
      }
      this.events.push({ at: ended, node, kind: "leave" });
      // What workers of a parallel search do at a node besides entering and leaving it.
      for (const [at, text] of JSON.parse(node.dataset.steps ?? "[]")) this.events.push({ at, node, kind: "other", text });
    }
    this.events.sort((one, other) => one.at - other.at);
    this.step = this.events.length;
    this.raised = new Map(); // by visit, the windows after each of its children that has ended
    this.now = null;
    if (before !== Infinity) this.goTo(this.events.filter((event) => event.at <= before).length, false);
    if (this.nodes.has(chosen)) this.choose(this.nodes.get(chosen), false);
    this.#applyZoom();
  }

  #time() {
    return this.step > 0 ? this.events[this.step - 1].at : -1;
  }

  /** Show the tree at its natural size, or smaller so that it fits; in a full window also larger. */
  fit(minZoom = MIN_FIT[this.picture.classList[1]]) {
    this.zoomed = false;
    this.minZoom = minZoom;
    this.width = this.view.clientWidth;
    const available = this.width - 4;
    const most = this.full ? Math.max(1, Math.min(MAX_FIT_FULL, this.view.clientHeight / this.size[1])) : 1;
    this.zoom = Math.min(most, Math.max(minZoom, available / this.size[0]));
    this.#applyZoom();
    const first = this.nodes.get("0");
    if (first && this.size[0] * this.zoom > available) this.#reveal(first);
  }

  zoomBy(factor) {
    const { view } = this;
    this.zoomed = true;
    const share = (view.scrollLeft + view.clientWidth / 2) / (this.size[0] * this.zoom);
    this.zoom = factor === 0 ? 1 : Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, this.zoom * factor));
    this.#applyZoom();
    view.scrollLeft = share * this.size[0] * this.zoom - view.clientWidth / 2;
  }

  #applyZoom() {
    this.picture.setAttribute("width", this.size[0] * this.zoom);
    this.picture.setAttribute("height", this.size[1] * this.zoom);
  }

  /** Show the tree after a number of steps. */
  goTo(step, notify = true) {
    const to = Math.max(0, Math.min(this.events.length, step));
    const complete = to === this.events.length;
    if (!complete && this.step === this.events.length) {
      for (const node of this.nodes.values()) node.classList.add("ahead");
      this.raised.clear();
      this.step = 0;
    }
    for (; this.step < to; this.step++) this.#apply(this.events[this.step], true);
    for (; this.step > to; this.step--) this.#apply(this.events[this.step - 1], false);
    this.picture.classList.toggle("stepping", !complete);
    if (complete) for (const node of this.nodes.values()) node.classList.remove("ahead", "running");
    if (to > 0) this.choose(this.events[to - 1].node, notify);
    else {
      this.now?.classList.remove("now");
      this.now = null;
      if (notify) this.onChange(this);
    }
    this.#showSentence();
  }

  #apply({ node, kind }, forward) {
    const entered = this.entered.has(node);
    if (kind === "leave") {
      node.classList.toggle("ahead", !forward && !entered);
      node.classList.toggle("running", !forward && entered);
      this.#raise(node, forward);
    } else if (kind === "enter") {
      node.classList.toggle("ahead", !forward);
      node.classList.toggle("running", forward);
    }
  }

  /** Let the window of a node's parent follow the end of the node. */
  #raise(node, forward) {
    const { parent, raised, window: entered } = node.dataset;
    if (raised !== undefined && this.nodes.has(parent)) {
      if (!this.raised.has(parent)) this.raised.set(parent, []);
      if (forward) this.raised.get(parent).push(raised);
      else this.raised.get(parent).pop();
      this.#writeWindow(this.nodes.get(parent), this.#window(this.nodes.get(parent)));
    }
    this.#writeWindow(node, forward ? entered : this.#window(node));
  }

  #writeWindow(node, text) {
    const written = node.querySelector(":scope > .window");
    if (written) written.textContent = text;
  }

  /** The window of a node that is being searched: as it was entered, or as its moves have narrowed it. */
  #window(node) {
    return this.raised.get(node.dataset.visit)?.at(-1) ?? node.dataset.window;
  }

  /** Write what happened in this step, and the windows of the nodes that are being searched. */
  #showSentence() {
    const last = this.events[this.step - 1];
    const step = last?.text && last.node === this.now ? last.text : "";
    this.sentence.textContent = step || this.explain() || "No node has been visited yet.";
    const open = [];
    for (let node = this.events[this.step - 1]?.node; node; node = this.nodes.get(node.dataset.parent)) {
      if (node.classList.contains("running") && node.dataset.label === undefined) open.unshift(`${node.dataset.move ?? "root"} ${this.#window(node)}`);
    }
    this.open.textContent = open.length ? `Windows now: ${open.join(" › ")}` : "";
  }

  /** Select a node. */
  choose(node, notify = true) {
    this.now?.classList.remove("now");
    this.now = node;
    node.classList.add("now");
    this.#reveal(node);
    this.#showSentence();
    if (notify) this.onChange(this);
  }

  /** Select the parent, the first child, or a sibling of the selected node. */
  go(where) {
    const from = this.now ?? this.nodes.get("0");
    if (!from) return;
    const of = (parent) => [...this.nodes.values()].filter((node) => node.dataset.parent === parent);
    let next = null;
    if (where === "up") next = this.nodes.get(from.dataset.parent);
    else if (where === "down") next = of(from.dataset.visit)[0];
    else {
      const row = from.dataset.parent === undefined
        ? [...this.nodes.values()].filter((node) => node.dataset.parent === undefined)
        : of(from.dataset.parent);
      next = row[row.indexOf(from) + (where === "left" ? -1 : 1)];
    }
    if (next) this.choose(next);
  }

  #reveal(node) {
    const box = node.querySelector(".node, .folded").getBoundingClientRect();
    const frame = this.view.getBoundingClientRect();
    const margin = 24;
    if (box.left < frame.left + margin || box.right > frame.right - margin) {
      this.view.scrollLeft += (box.left + box.right) / 2 - (frame.left + frame.right) / 2;
    }
    if (box.top < frame.top + margin || box.bottom > frame.bottom - margin) {
      this.view.scrollTop += (box.top + box.bottom) / 2 - (frame.top + frame.bottom) / 2;
    }
  }

  /** Explain the selected node: why it was left, or how it was entered. */
  explain() {
    if (!this.now) return "";
    if (this.now.classList.contains("ahead") || this.now.classList.contains("running")) return this.now.dataset.entered;
    return this.now.querySelector("title").textContent;
  }

  /** Return the numbers of the collapsed visits. */
  collapsed() {
    return [...this.picture.querySelectorAll(".visit.collapsed")].map((one) => Number(one.dataset.visit));
  }

  /** Return the collapsed visits after a node is collapsed or expanded. */
  collapsedAfterToggle(node) {
    const collapsed = new Set(this.collapsed());
    const number = Number(node.dataset.visit);
    if (!collapsed.delete(number)) collapsed.add(number);
    return [...collapsed];
  }
}
