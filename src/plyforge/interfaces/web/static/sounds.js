// Sounds of a game, made by the browser: no files are loaded. They are off until the user wants them.

const STORED = "plyforge-sounds";

/** Each sound is a list of notes: start in seconds, pitch in hertz, length in seconds, and wave form. */
const NOTES = {
  move: [[0, 220, 0.07, "triangle"]],
  capture: [[0, 165, 0.06, "square"], [0.05, 110, 0.1, "triangle"]],
  end: [[0, 262, 0.18, "sine"], [0.16, 330, 0.18, "sine"], [0.32, 392, 0.35, "sine"]],
  low: [[0, 880, 0.08, "sine"], [0.14, 880, 0.08, "sine"]],
};
const VOLUME = 0.15;
const MIN_GAIN = 0.0001; // an exponential ramp cannot end at 0

export class Sounds {
  /** `button` switches the sounds on and off; the choice is remembered. */
  constructor(button) {
    this.button = button;
    this.context = null;
    let on = false;
    try { on = localStorage.getItem(STORED) === "on"; } catch { /* no storage: off */ }
    this.#set(on);
    button.addEventListener("click", () => {
      this.#set(!this.on);
      try { localStorage.setItem(STORED, this.on ? "on" : "off"); } catch { /* only for this page */ }
      this.play("move");
    });
  }

  #set(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
  }

  /** Play a sound if sounds are on. A browser allows them only after the user has clicked or typed. */
  play(name) {
    if (!this.on) return;
    try {
      this.context ??= new AudioContext();
      if (this.context.state === "suspended") this.context.resume();
      for (const note of NOTES[name]) playNote(this.context, note);
    } catch { /* a browser without sound */ }
  }
}

function playNote(context, [start, pitch, length, type]) {
  const at = context.currentTime + start;
  const oscillator = new OscillatorNode(context, { type, frequency: pitch });
  const gain = new GainNode(context, { gain: MIN_GAIN });
  gain.gain.setValueAtTime(MIN_GAIN, at);
  gain.gain.exponentialRampToValueAtTime(VOLUME, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(MIN_GAIN, at + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(at);
  oscillator.stop(at + length);
}

/** The sound of a new state of a game; null if nothing happened. After a capture
 *  there are fewer pieces. */
export function soundOf(before, next) {
  if (!before || before.key !== next.key) return null;
  if (next.end && !before.end) return "end";
  if (next.moves.length <= before.moves.length) return null;
  return countPieces(next) < countPieces(before) ? "capture" : "move";
}

function countPieces({ kind, board }) {
  return kind === "pits" ? 0 : board.split('data-piece="').length;
}
