// A game with variations as a tree of moves: the first child of a node is the main line.

import { readMarks, withMarks } from "./marks.js";

let created = 0;

export class Node {
  constructor(parent, text = null, side = null) {
    this.parent = parent;
    this.text = text;
    this.side = side;
    this.children = [];
    this.comment = "";
    this.marks = []; // arrows and marked cells
    this.before = ""; // a comment before the first move of a variation
    this.mark = "";
    this.judgement = null;
  }

  /** The nodes from the first move to this one. */
  get path() {
    const nodes = [];
    for (let node = this; node.parent; node = node.parent) nodes.unshift(node);
    return nodes;
  }

  get ply() {
    return this.path.length;
  }

  get moves() {
    return this.path.map((node) => node.text);
  }

  /** The number of the move: a new one begins with each turn of the first side. */
  get number() {
    let number = 1;
    for (let node = this; node.parent?.parent; node = node.parent) {
      if (node.side === 0 && node.parent.side === 1) number += 1;
    }
    return number;
  }

  /** The move with its number, such as "3… Nc6". */
  get numbered() {
    return `${this.number}${this.side === 1 ? "…" : "."} ${this.text}`;
  }

  /** The first node of the innermost variation that contains this one; null on the main line. */
  get branch() {
    for (let node = this; node.parent; node = node.parent) if (node.parent.children[0] !== node) return node;
    return null;
  }

  find(text) {
    return this.children.find((child) => child.text === text) ?? null;
  }

  /** This node and what follows it on the main line from here. */
  get continuation() {
    const nodes = [this];
    while (nodes.at(-1).children.length) nodes.push(nodes.at(-1).children[0]);
    return nodes;
  }
}

export class GameTree {
  constructor(game, position = null, { tags = [], result = null } = {}) {
    this.id = `${Date.now()}-${created += 1}`;
    this.game = game;
    this.position = position;
    this.tags = tags;
    this.result = result;
    this.root = new Node(null);
  }

  /** Make a tree of a game as the server or the browser's storage has it. */
  static from(game, { start, tags, result, ...branch }) {
    const tree = new GameTree(game, start, { tags, result });
    addBranch(tree.root, branch);
    return tree;
  }

  /** The game in the form that `from` reads. */
  get stored() {
    const { game, position, tags, result } = this;
    return { game, start: position, tags, result, ...branchFields(this.root.children[0], true, (node) => ({ side: node.side, text: node.text })) };
  }

  /** The game as the fields of a message. */
  get fields() {
    const { game, position, tags, result } = this;
    return { game, position, tags, result, ...branchFields(this.root.children[0], true, (node) => node.text) };
  }

  /** The whole line through a node: the moves to it, and the main line from there. */
  line(node) {
    return [...node.path.slice(0, -1), ...node.continuation].filter((one) => one.parent);
  }

  /** Return the node after moves, each with text and side; add those that are new. */
  follow(moves) {
    let node = this.root;
    for (const { text, side } of moves) {
      let next = node.find(text);
      if (!next) {
        next = new Node(node, text, side);
        node.children.push(next);
        if (!next.branch) this.#dropResult();
      }
      next.side = side;
      node = next;
    }
    return node;
  }

  /** Put a variation before its alternatives. */
  promote(branch) {
    const { children } = branch.parent;
    children.unshift(...children.splice(children.indexOf(branch), 1));
    if (!branch.branch) this.#dropResult();
  }

  /** Remove a move and everything after it; return the node before it. */
  remove(node) {
    if (!node.branch) this.#dropResult();
    const { children } = node.parent;
    children.splice(children.indexOf(node), 1);
    return node.parent;
  }

  /** Drop the result: it belongs to the main line as it was. */
  #dropResult() {
    this.result = null;
    this.tags = this.tags.filter((tag) => !["Score", "Termination"].includes(tag.name));
  }
}

function addBranch(parent, { moves = [], comments = [], marks = [], variations = [] }) {
  const nodes = [parent];
  for (const { text, side } of moves) {
    let node = nodes.at(-1).find(text);
    if (!node) {
      node = new Node(nodes.at(-1), text, side);
      nodes.at(-1).children.push(node);
    }
    nodes.push(node);
  }
  for (const { ply, text } of comments) {
    if (ply) setComment(nodes[ply], text);
    else if (parent.parent === null && !parent.comment) setComment(parent, text);
    else if (nodes[1]) nodes[1].before = text;
  }
  for (const { ply, mark } of marks) nodes[ply].mark = mark;
  for (const variation of variations) addBranch(nodes[variation.number - 1], variation);
}

function setComment(node, comment) {
  ({ text: node.comment, marks: node.marks } = readMarks(comment));
}

/** The line from a node on, with its variations; those of the first move only if it is the main line. */
function branchFields(first, main, toMove) {
  if (!first) return { moves: [], comments: [], marks: [], variations: [] };
  const nodes = first.continuation;
  const comments = nodes.map((node, place) => ({ ply: place + 1, text: withMarks(node.comment, node.marks) })).filter((one) => one.text);
  const before = main ? withMarks(first.parent.comment, first.parent.marks) : first.before;
  if (before) comments.unshift({ ply: 0, text: before });
  const variations = nodes.flatMap((node, place) => (place || main ? node.parent.children.slice(1) : [])
    .map((other) => ({ number: place + 1, ...branchFields(other, false, toMove) })));
  const marks = nodes.map((node, place) => ({ ply: place + 1, mark: node.mark })).filter((one) => one.mark);
  return { moves: nodes.map(toMove), comments, marks, variations };
}
