// Short sounds, made by the browser's synthesizer: no files.

/** By name: notes as [start in s, frequency in Hz, length in s, shape]; a shape of "noise" is a burst of noise. */
const SOUNDS = {
  __proto__: null,
  card: [[0, 900, 0.05, "noise"]],
  draw: [[0, 500, 0.07, "noise"]],
  turn: [[0, 660, 0.09, "sine"], [0.1, 880, 0.14, "sine"]],
  call: [[0, 784, 0.08, "square"], [0.09, 1047, 0.16, "square"]],
  caught: [[0, 330, 0.12, "sawtooth"], [0.12, 247, 0.2, "sawtooth"]],
  open: [[0, 1200, 0.03, "noise"]],
  flag: [[0, 520, 0.05, "triangle"]],
  mine: [[0, 120, 0.5, "noise"]],
  win: [[0, 523, 0.12, "triangle"], [0.12, 659, 0.12, "triangle"], [0.24, 784, 0.12, "triangle"], [0.36, 1047, 0.35, "triangle"]],
  lose: [[0, 392, 0.18, "triangle"], [0.18, 330, 0.18, "triangle"], [0.36, 262, 0.35, "triangle"]],
};
const VOLUME = { noise: 0.25, sine: 0.16, triangle: 0.16, square: 0.05, sawtooth: 0.05 };

let context = null, noise = null;

/** Play a sound, unless the browser has not allowed sound yet: it waits for a press. */
export function play(name) {
  context ??= new AudioContext();
  if (context.state === "suspended" && navigator.userActivation?.hasBeenActive) context.resume();
  if (context.state !== "running") return;
  for (const [start, frequency, length, shape] of SOUNDS[name] ?? []) note(context.currentTime + start, frequency, length, shape);
}

function note(from, frequency, length, shape) {
  const gain = context.createGain(), source = shape === "noise" ? burst(frequency, gain) : context.createOscillator();
  if (shape !== "noise") {
    source.type = shape;
    source.frequency.value = frequency;
    source.connect(gain);
  }
  gain.gain.setValueAtTime(VOLUME[shape], from);
  gain.gain.exponentialRampToValueAtTime(0.001, from + length);
  gain.connect(context.destination);
  source.start(from);
  source.stop(from + length);
}

/** A source of noise around a frequency, connected to `gain`. */
function burst(frequency, gain) {
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate, context.sampleRate);
    const samples = noise.getChannelData(0);
    for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  }
  const source = context.createBufferSource(), filter = context.createBiquadFilter();
  Object.assign(source, { buffer: noise, loop: true });
  Object.assign(filter, { type: "bandpass" });
  filter.frequency.value = frequency;
  source.connect(filter);
  filter.connect(gain);
  return source;
}
