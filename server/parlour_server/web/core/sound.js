// Short sounds, made by the browser's synthesizer: no files.

/**
 * By name: notes as [start in s, frequency in Hz, length in s, shape]; a shape of "noise" is a burst of noise.
 * @type {Record<string, [start: number, frequency: number, length: number, shape: keyof typeof VOLUME][]>}
 */
const SOUNDS = {
  card: [[0, 900, 0.05, "noise"]],
  draw: [[0, 500, 0.07, "noise"]],
  turn: [
    [0, 660, 0.09, "sine"],
    [0.1, 880, 0.14, "sine"],
  ],
  call: [
    [0, 784, 0.08, "square"],
    [0.09, 1047, 0.16, "square"],
  ],
  caught: [
    [0, 330, 0.12, "sawtooth"],
    [0.12, 247, 0.2, "sawtooth"],
  ],
  slam: [
    [0, 160, 0.22, "noise"],
    [0.02, 98, 0.25, "triangle"],
  ],
  pop: [
    [0, 620, 0.05, "sine"],
    [0.05, 930, 0.08, "sine"],
  ],
  dice: [
    [0, 1800, 0.04, "noise"],
    [0.06, 1400, 0.04, "noise"],
    [0.13, 1700, 0.04, "noise"],
    [0.22, 1300, 0.06, "noise"],
  ],
  tile: [
    [0, 1500, 0.03, "noise"],
    [0.01, 420, 0.06, "triangle"],
  ],
  disc: [
    [0, 300, 0.06, "triangle"],
    [0.08, 220, 0.1, "triangle"],
  ],
  open: [[0, 1200, 0.03, "noise"]],
  flag: [[0, 520, 0.05, "triangle"]],
  mine: [[0, 120, 0.5, "noise"]],
  win: [
    [0, 523, 0.12, "triangle"],
    [0.12, 659, 0.12, "triangle"],
    [0.24, 784, 0.12, "triangle"],
    [0.36, 1047, 0.35, "triangle"],
  ],
  lose: [
    [0, 392, 0.18, "triangle"],
    [0.18, 330, 0.18, "triangle"],
    [0.36, 262, 0.35, "triangle"],
  ],
};
const VOLUME = { noise: 0.25, sine: 0.16, triangle: 0.16, square: 0.05, sawtooth: 0.05 };

/** @type {AudioContext | undefined} */
let context;
/** @type {AudioBuffer | undefined} */
let noise;

/** Make the synthesizer once somebody has pressed: no browser allows it before, and it takes longer than a frame. */
export function ready() {
  if (navigator.userActivation?.hasBeenActive === false) return;
  context ??= new AudioContext();
  noise ??= hiss(context);
}

/**
 * Play a sound, unless the browser has not allowed sound yet: it waits for a press.
 * @param {string} name
 * @param {number} volume From 0 to 1.
 */
export function play(name, volume) {
  if (!volume || document.hidden) return;
  ready();
  if (context?.state === "suspended") context.resume();
  if (context?.state !== "running") return;
  for (const [start, frequency, length, shape] of SOUNDS[name])
    note(context, context.currentTime + start, frequency, length, shape, volume);
}

/**
 * @param {AudioContext} context
 * @param {number} from
 * @param {number} frequency
 * @param {number} length
 * @param {keyof typeof VOLUME} shape
 * @param {number} volume
 */
function note(context, from, frequency, length, shape, volume) {
  const gain = context.createGain(),
    source = shape === "noise" ? burst(context, frequency, gain) : tone(context, frequency, shape, gain);
  gain.gain.setValueAtTime(VOLUME[shape] * volume, from);
  gain.gain.exponentialRampToValueAtTime(0.0005, from + length);
  gain.connect(context.destination);
  source.start(from);
  source.stop(from + length);
}

/**
 * A tone, connected to `gain`.
 * @param {AudioContext} context
 * @param {number} frequency
 * @param {OscillatorType} type
 * @param {GainNode} gain
 */
function tone(context, frequency, type, gain) {
  const source = new OscillatorNode(context, { type, frequency });
  source.connect(gain);
  return source;
}

/**
 * A source of noise around a frequency, connected to `gain`.
 * @param {AudioContext} context
 * @param {number} frequency
 * @param {GainNode} gain
 */
function burst(context, frequency, gain) {
  const source = context.createBufferSource(),
    filter = context.createBiquadFilter();
  Object.assign(source, { buffer: noise, loop: true });
  Object.assign(filter, { type: "bandpass" });
  filter.frequency.value = frequency;
  source.connect(filter);
  filter.connect(gain);
  return source;
}

/**
 * A second of noise.
 * @param {AudioContext} context
 */
function hiss(context) {
  const made = context.createBuffer(1, context.sampleRate, context.sampleRate),
    samples = made.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  return made;
}
