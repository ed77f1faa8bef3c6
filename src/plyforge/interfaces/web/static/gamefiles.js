// Whole games on the page for analysis: load, judge and save them.

import { download, element, readGameFile, recordName, say, svg } from "./common.js";

const get = (id) => document.getElementById(id);

export class GameFiles {
  /** `current()` returns the tree and the node on the page, `limits()` those of the server, `onOpen(loaded)` shows a game,
   *  `onGo(node)` a position. */
  constructor(jobs, send, { current, limits, onOpen, onGo, onJudged }) {
    this.jobs = jobs;
    this.send = send;
    this.current = current;
    this.onGo = onGo;
    this.onOpen = onOpen;
    this.onJudged = onJudged;
    this.judged = []; // the nodes of the line that was judged last
    this.graphed = []; // the nodes of the line that the graph shows
    this.annotator = "";
    jobs.addButton("judge", () => this.#judge());
    get("save").addEventListener("click", () => send({ type: "write", ...current().tree.fields }));
    get("save-judged").addEventListener("click", () => this.#saveJudged());
    get("open").addEventListener("change", async (event) => {
      const [file] = event.target.files;
      const text = file ? await readGameFile(file, limits()) : null;
      if (text !== null) send({ type: "load", game: current().tree.game, text });
      event.target.value = "";
    });
  }

  // Judging

  #judge() {
    const { tree, node } = this.current();
    this.drop();
    this.judged = tree.line(node);
    const comments = this.judged.map((one, place) => ({ ply: place + 1, text: one.comment.trim() })).filter((one) => one.text);
    this.jobs.start("judge", { game: tree.game, position: tree.position, moves: this.judged.map((one) => one.text) }, { comments });
    say("Judging the moves …");
  }

  showJudgement(message) {
    const node = this.judged[message.ply - 1];
    if (!node) return;
    node.judgement = message;
    this.annotator = message.annotator;
    get("save-judged").hidden = false;
    this.graphed = this.judged;
    this.showGraph(message.graph);
    this.onJudged(node);
  }

  /** Drop all judgements and the graph. */
  drop() {
    if (this.jobs.running === "judge") this.jobs.stop();
    for (const node of this.judged) node.judgement = null;
    this.judged = [];
    get("save-judged").hidden = true;
    this.showGraph(null);
  }

  /** Drop the judgements if a move of their line was removed. */
  forget(removed) {
    if (this.judged.includes(removed)) this.drop();
  }

  showGraph(text) {
    get("graph").hidden = text === null;
    if (text === null) {
      get("graph").replaceChildren();
      return;
    }
    const picture = svg(text);
    picture.addEventListener("click", (event) => {
      const ply = Number(event.target.closest("[data-ply]")?.dataset.ply ?? NaN);
      if (ply === 0) this.onGo(this.current().tree.root);
      else if (this.graphed[ply - 1]) this.onGo(this.graphed[ply - 1]);
    });
    get("graph").replaceChildren(picture);
  }

  // Files

  /** Save with judgements; the server adds those of the main line, the others are comments. */
  #saveJudged() {
    const { tree } = this.current();
    const main = tree.line(tree.root);
    const judged = this.judged.filter((node) => node.judgement && main.includes(node))
      .map((node) => ({ ply: node.ply, comment: node.judgement.comment, mark: node.judgement.mark }));
    const others = this.judged.filter((node) => node.judgement && !main.includes(node));
    const before = others.map((node) => [node.comment, node.mark]);
    for (const node of others) {
      node.comment = [node.comment.trim(), node.judgement.comment].filter(Boolean).join("; ");
      node.mark = node.judgement.mark || node.mark;
    }
    this.send({ type: "write", ...tree.fields, judged, annotator: this.annotator });
    others.forEach((node, place) => { [node.comment, node.mark] = before[place]; });
  }

  receiveRecord(message) {
    if (message.annotated) say("All moves have been judged.");
    else download(recordName(`${this.current().tree.game.replace(/\W+/g, "-")}${message.judged ? "-judged" : ""}`, message.text), message.text);
  }

  showList(message) {
    get("loaded").hidden = message.games.length < 2;
    get("games").replaceChildren(...message.games.map((game, place) => element("li", {}, element("button", {
      type: "button", onclick: () => this.send({ type: "pick", number: place + 1 }),
    }, `${place + 1}. ${game.name}, ${game.result}, ${game.moves} moves`))));
    if (message.more) get("games").append(element("li", {}, `and ${message.more} more, which the list leaves out`));
  }

  /** Show a game of the file, and the graph of the scores in its comments. */
  open(loaded) {
    const tree = this.onOpen(loaded);
    if (!loaded.comments.length) return;
    this.graphed = tree.line(tree.root);
    this.send({ type: "graph", game: tree.game, position: tree.position, moves: this.graphed.map((node) => node.text), comments: loaded.comments });
  }
}
