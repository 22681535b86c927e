// Names for guests, of two friendly words: quiet-otter, ruhiger-otter.

/** By language: words that go with each of the animals. German ones are all masculine. */
export const WORDS = {
  en: [
    "able-bold-brave-bright-calm-cheery-clever-cosy-curious-eager-fancy-gentle-golden-happy-honest-jolly-keen-" +
      "kind-lively-lucky-merry-modest-neat-nimble-patient-polite-proud-quick-quiet-rapid-silver-sleepy-steady-" +
      "sunny-swift-tidy-warm-wise-witty",
    "alpaca-badger-bear-beaver-bison-camel-crane-dolphin-falcon-finch-fox-gecko-hare-heron-koala-lemur-llama-" +
      "lynx-mole-moose-newt-otter-owl-panda-pony-puffin-quail-raven-robin-salmon-seal-stork-swan-tapir-tiger-" +
      "trout-turtle-walrus-wren-yak",
  ],
  de: [
    "braver-bunter-drolliger-edler-eiliger-eifriger-feiner-flinker-forscher-froher-goldener-heiterer-heller-" +
      "kecker-kleiner-kluger-leiser-lieber-lustiger-milder-munterer-mutiger-netter-pfiffiger-rascher-ruhiger-" +
      "sachter-sanfter-scheuer-schneller-silberner-sonniger-stiller-stolzer-treuer-wacher-warmer-weiser-" +
      "wendiger-witziger",
    "adler-biber-bison-dachs-delfin-elch-falke-fink-fuchs-gecko-hamster-hase-hecht-hirsch-igel-kater-koala-" +
      "kranich-kuckuck-lachs-lemur-luchs-marder-molch-otter-panda-pelikan-pinguin-rabe-reiher-schwan-seehund-" +
      "spatz-specht-storch-tapir-tiger-uhu-wal-wolf-zander-zeisig",
  ],
};

/**
 * A name for a guest.
 * @param {string} language
 * @param {(n: number) => Uint8Array} random
 * @param {boolean} taken Whether names of two words are in use: it gets a number, too.
 */
export function guestName(language, random, taken) {
  const words = WORDS[/** @type {keyof typeof WORDS} */ (language)] ?? WORDS.en,
    [first, second, number] = random(3);
  const one = (/** @type {string} */ list, /** @type {number} */ at) => list.split("-")[at % list.split("-").length];
  return `${one(words[0], first)}-${one(words[1], second)}${taken ? `-${10 + (number % 90)}` : ""}`;
}
