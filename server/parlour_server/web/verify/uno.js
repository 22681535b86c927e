// Replay a match of UNO from its records, by the rules of SPEC.md: the full state, deck and hands included.

import { COLOURS, WILD, WILD_FOUR, suit, symbol } from "../games/uno/cards.js";
import { below, dealKey, drawn, words } from "../core/fair.js";
import { counted, falling, lightest, ranks, winners, worth } from "./uno_scoring.js";
import { canonical as text, wrong } from "./game_file.js";
import { PHASES, canonical, redact, view } from "./uno_view.js";

const SKIP = 10,
  REVERSE = 11,
  DRAW_TWO = 12,
  HAND = 7,
  NOBODY = -1;
/** @param {number} card */
const colourOf = (card) => COLOURS.indexOf(suit(card));
/** @param {number} n */
const range = (n) => [...Array(n).keys()];
/** @param {number[]} numbers */
const ascending = (numbers) => [...numbers].sort((a, b) => a - b);

export class Match {
  /** The options whose rules it knows. */
  static OPTIONS = [
    "preset",
    "scoring",
    "target",
    "breath",
    "pause",
    "call_penalty",
    "false_call_penalty",
    "no_bluff",
    "strict_wild4",
    "first_card_number_only",
    "stack2",
    "stack4",
    "stack_cross",
    "seven_zero",
    "jump_in",
    "draw_until",
    "force_play",
    "multi_play",
  ];

  /**
   * `begun`: the first record of a match file.
   * @param {Plain} begun
   */
  constructor({ options, players, secret, context, nonces, standin = false }) {
    /**
     * @template Value
     * @param {Value} value
     * @returns {Value[]}
     */
    const each = (value) => players.map(() => value);
    this.options = options;
    this.standin = standin;
    this.seats = players.length;
    this.key = (/** @type {number} */ deal) => dealKey(secret, context, deal, nonces);
    this.round = 0;
    this.dealer = 0;
    this.scores = each(0);
    /** @type {number[][]} */
    this.hands = each([]);
    /** @type {number[]} */
    this.deck = [];
    /** @type {number[]} */
    this.pile = [];
    this.colour = NOBODY;
    this.direction = 1;
    this.reshuffles = 0;
    this.passes = 0;
    this.phase = "pause";
    this.turn = NOBODY;
    this.question = 0;
    /** @type {number[]} */
    this.drawn = [];
    this.resume = "play";
    this.called = 0;
    this.exposed = NOBODY;
    this.occasion = 0;
    /** @type {number[]} */
    this.held = [];
    this.pending = 0;
    this.laidBy = NOBODY;
    this.stood = each(0);
    this.claims = each(0);
    this.offender = NOBODY;
    /** @type {number[]} */
    this.evidence = [];
    this.guilty = false;
    this.before = NOBODY;
    this.out = 0;
    /** @type {number[]} */
    this.leavers = [];
    this.fell = each(0);
    /** @type {number[]} */
    this.winners = [];
    this.why = null;
    /** @type {Plain[]} */
    this.log = [];
    this.#beginRound();
  }

  /**
   * Apply a record. Returns its events; fails if the rules do not allow it.
   * @param {Plain} record
   */
  follow(record) {
    this.log = [];
    if (record.r === "act") this.#act(record.seat, record.act);
    else if (record.r === "timeout") this.#timeOut(record.seat);
    else if (record.r === "timer") this.#timer(record.name);
    else if (record.r === "vacated" && !this.standin) this.#leave(record.seat, "left");
    return this.log;
  }

  /** @param {number} seat */
  #timeOut(seat) {
    if (!this.#legal(seat)) throw wrong("turn", null, { seat });
    this.#act(seat, this.#default());
  }

  /** @param {string} name */
  #timer(name) {
    if (this.phase !== name) throw wrong("phase", null, { phase: name });
    if (name === "breath") this.#endBreath();
    else this.#beginRound();
  }

  /**
   * @param {string} e
   * @param {Plain} [more]
   */
  #emit(e, more = {}) {
    this.log.push({ e, ...more });
  }
  /** @param {number} seat */
  #in(seat) {
    return !((this.out >> seat) & 1);
  }
  #stillIn() {
    return range(this.seats).filter((seat) => this.#in(seat));
  }
  get #top() {
    return symbol(this.pile[this.pile.length - 1]);
  }

  /** @param {number} seat */
  #after(seat) {
    for (let k = 1; k <= this.seats; k++) {
      const next = (((seat + this.direction * k) % this.seats) + this.seats) % this.seats;
      if (this.#in(next)) return next;
    }
    return seat;
  }

  /**
   * @param {number} turn
   * @param {string} phase
   */
  #ask(turn, phase) {
    this.turn = turn;
    this.phase = phase;
    this.question++;
  }

  // --- rounds ---

  #beginRound() {
    this.round++;
    this.stream = this.key(this.round);
    this.direction = 1;
    this.dealer =
      this.round > 1
        ? this.#after(this.dealer)
        : below(words(/** @type {Uint8Array} */ (this.stream), "start"), this.seats);
    this.reshuffles = 0;
    this.passes = 0;
    this.called = 0;
    const card = this.#deal(),
      first = this.#after(this.dealer);
    this.colour = colourOf(card);
    this.#emit("deal", {
      round: this.round,
      dealer: this.dealer,
      top: card,
      colour: COLOURS[this.colour] ?? null,
      hands: [...this.hands],
    });
    if (this.#top === SKIP) this.#miss(first);
    else if (this.#top === REVERSE) this.#reverseFirst(first);
    else if (this.#top === DRAW_TWO) this.#drawFirst(first);
    else this.#ask(first, this.#top === WILD ? "colour" : "play");
  }

  #next() {
    return /** @type {number} */ (this.deck.pop());
  }

  #deal() {
    this.deck = drawn(words(/** @type {Uint8Array} */ (this.stream), "deck"), range(108));
    this.hands = this.hands.map((_, seat) => (this.#in(seat) ? ascending(this.deck.splice(-HAND)) : []));
    let card = this.#next();
    const begins = () => (this.options.first_card_number_only ? symbol(card) < 10 : symbol(card) !== WILD_FOUR);
    while (!begins()) {
      this.deck = this.#shuffled([card, ...this.deck]);
      card = this.#next();
    }
    this.pile = [card];
    return card;
  }

  /** @param {number[]} cards */
  #shuffled(cards) {
    return drawn(words(/** @type {Uint8Array} */ (this.stream), `reshuffle/${++this.reshuffles}`), cards);
  }

  /** @param {number} first */
  #reverseFirst(first) {
    if (this.#stillIn().length === 2) return this.#miss(first);
    this.#turnRound();
    this.#ask(this.dealer, "play");
  }

  /** @param {number} first */
  #drawFirst(first) {
    this.#take(first, 2, "first");
    this.#ask(this.#after(first), "play");
  }

  #turnRound() {
    this.direction = -this.direction;
    this.#emit("reverse", { direction: this.direction });
  }

  /** @param {number} seat */
  #miss(seat) {
    this.#emit("skip", { seat });
    this.#ask(this.#after(seat), "play");
  }

  /** @param {number | null} winner */
  #endRound(winner) {
    const points = this.hands.map(worth);
    this.scores = counted(this, winner, points);
    this.turn = NOBODY;
    this.exposed = NOBODY;
    this.drawn = [];
    this.pending = 0;
    this.#emit("round", { winner, points, scores: [...this.scores] });
    for (const seat of falling(this, this.#stillIn())) {
      this.fell[seat] = this.round;
      this.#close(seat, "points");
    }
    const best = winners(this, this.#stillIn(), winner);
    if (best.length === 1) this.#endMatch(best, this.options.scoring === "single" ? "round" : "target");
    else if (this.options.pause) this.phase = "pause";
    else this.#beginRound();
  }

  /**
   * @param {number} seat
   * @param {string} why
   */
  #close(seat, why) {
    this.out |= 1 << seat;
    this.#emit("out", { seat, why });
  }

  /**
   * @param {number[]} winners
   * @param {string} why
   */
  #endMatch(winners, why) {
    this.phase = "over";
    this.turn = NOBODY;
    this.exposed = NOBODY;
    this.laidBy = NOBODY;
    this.pending = 0;
    this.winners = winners;
    this.why = why;
    this.#emit("match", { winners });
  }

  // --- cards ---

  get #available() {
    return this.deck.length + this.pile.length - 1;
  }

  /**
   * @param {number} seat
   * @param {number} n
   * @param {string | null} why
   */
  #take(seat, n, why) {
    /** @type {number[]} */
    const cards = [];
    while (cards.length < n && (this.deck.length || this.#turnOver())) cards.push(this.#next());
    if (cards.length) {
      this.hands[seat] = ascending([...this.hands[seat], ...cards]);
      this.called &= ~(1 << seat);
    }
    if (why) this.#emit("draw", { seat, n: cards.length, why, cards });
    return cards;
  }

  #turnOver() {
    if (this.pile.length < 2) return false;
    this.deck = this.#shuffled(this.pile.slice(0, -1));
    this.pile = this.pile.slice(-1);
    this.#emit("reshuffle", { deck: this.deck.length });
    return true;
  }

  /** @param {number} top */
  #stacks(top) {
    const { stack2, stack4, stack_cross: cross } = this.options,
      [two, four] = top === DRAW_TWO ? [stack2, cross] : [cross, stack4];
    return (/** @type {number} */ card) => (two && symbol(card) === DRAW_TWO) || (four && symbol(card) === WILD_FOUR);
  }

  /** @param {number} card */
  #fits(card) {
    const top = this.#top,
      fits = card >= 100 || colourOf(card) === this.colour || (top < WILD && symbol(card) === top);
    return fits && (!this.pending || this.#stacks(top)(card));
  }

  /** @param {number[]} hand */
  #bluff(hand) {
    return this.options.strict_wild4
      ? hand.some((card) => symbol(card) !== WILD_FOUR && this.#fits(card))
      : hand.some((card) => colourOf(card) === this.colour);
  }

  #playable() {
    const hand = this.hands[this.turn],
      bluff = this.options.no_bluff && this.#bluff(hand);
    return hand.filter(
      (card) =>
        this.#fits(card) &&
        (this.phase !== "drawn" || this.drawn.includes(card)) &&
        !(bluff && symbol(card) === WILD_FOUR),
    );
  }

  // --- questions ---

  /**
   * What answers the question that a seat is asked, null if it is asked none, and what it may do besides.
   * @param {number} seat
   */
  questions(seat) {
    return { legal: this.#legal(seat), may: this.#may(seat) };
  }

  /** @param {number} seat */
  #legal(seat) {
    const { phase, pending, options } = this;
    if (this.turn !== seat || PHASES.indexOf(phase) > 3) return null;
    if (phase === "colour") return COLOURS.map((colour) => ({ do: "colour", colour }));
    const stands = phase === "challenge" && !(pending && this.evidence.length);
    const plays = stands ? [] : this.#playable().flatMap((card) => this.#ways("play", seat, card));
    if (phase === "challenge") return [...plays, { do: "accept" }, { do: "challenge" }];
    if (pending) return [...plays, { do: "accept" }];
    return plays.length && options.force_play ? plays : [...plays, { do: phase === "drawn" ? "pass" : "draw" }];
  }

  /** @param {number} seat */
  #may(seat) {
    if (!this.#in(seat) || this.phase === "pause" || this.phase === "over") return [];
    const caught = this.#stillIn().filter(
      (of) => of !== seat && this.hands[of].length === 1 && this.#catchable(seat, of),
    );
    const same = (/** @type {number} */ card) =>
      card < 100 && colourOf(card) === colourOf(this.pile[this.pile.length - 1]) && symbol(card) === this.#top;
    const jumps = this.laidBy === NOBODY || this.laidBy === seat ? [] : this.hands[seat].filter(same);
    return [
      ...(this.exposed === seat ? [{ do: "uno" }] : []),
      ...caught.map((of) => ({ do: "catch", seat: of })),
      ...jumps.flatMap((card) => this.#ways("jump", seat, card)),
    ];
  }

  /**
   * @param {number} seat
   * @param {number} of
   */
  #catchable(seat, of) {
    return this.options.false_call_penalty
      ? !((this.claims[of] >> seat) & 1)
      : this.exposed === of && !this.held.includes(seat);
  }

  /**
   * The acts that play a card: with each colour, each seat to swap hands with, and with and without a call.
   * @param {string} what
   * @param {number} seat
   * @param {number} card
   * @returns {Plain[]}
   */
  #ways(what, seat, card) {
    const left = this.hands[seat].length - 1,
      moves = this.#moves(symbol(card)),
      plain = { do: what, card };
    const ways =
      card >= 100
        ? COLOURS.map((colour) => ({ ...plain, colour }))
        : moves && symbol(card) === 7 && left
          ? this.#stillIn()
              .filter((other) => other !== seat)
              .map((swap) => ({ ...plain, swap }))
          : [plain];
    return left === 1 && !moves ? ways.flatMap((way) => [{ ...way, uno: true }, way]) : ways;
  }

  /**
   * Whether the rules allow an act.
   * @param {number} seat
   * @param {Plain} action
   */
  #allows(seat, action) {
    const legal = this.#legal(seat),
      may = this.#may(seat),
      { uno, ...rest } = action,
      said = text(uno ? action : rest);
    if (action.do === "resign") return legal !== null || may.length > 0;
    return (
      [...(legal ?? []), ...may].some((each) => text(each) === said) || (legal !== null && this.#several(seat, action))
    );
  }

  /**
   * Whether several cards of one number may be played together.
   * @param {number} seat
   * @param {Plain} action
   */
  #several(seat, { do: what, cards, uno, swap, ...rest }) {
    const hand = this.hands[seat],
      { options, phase } = this;
    if (
      !options.multi_play ||
      what !== "play" ||
      phase !== "play" ||
      this.pending ||
      !cards ||
      cards.length < 2 ||
      Object.keys(rest).length
    )
      return false;
    const number = symbol(cards[0]),
      left = hand.length - cards.length,
      moves = this.#moves(number),
      swaps = moves && number === 7 && left > 0;
    if (
      new Set(cards).size < cards.length ||
      !cards.every((/** @type {number} */ card) => hand.includes(card) && symbol(card) === number)
    )
      return false;
    if (number >= SKIP || !this.#fits(cards[0]) || (uno && (left !== 1 || moves))) return false;
    return swaps ? swap !== seat && this.#stillIn().includes(swap) : swap === undefined;
  }

  // --- answers ---

  /**
   * @param {number} seat
   * @param {Plain} action
   */
  #act(seat, action) {
    const { do: what } = action;
    if (!this.#allows(seat, action)) throw wrong("act", null, { seat, act: text(action) });
    if (what === "resign") return this.#leave(seat, "resigned");
    if (what === "uno") return this.#call();
    if (what === "catch") return this.#catch(seat, action.seat);
    if (what === "jump") {
      this.#cutBreath();
      this.turn = seat;
    }
    const laid = action.cards ?? [];
    for (const card of laid.slice(0, -1)) this.#put(seat, card);
    this.exposed = NOBODY;
    this.laidBy = NOBODY;
    /** @type {Record<string, () => void>} */
    const acts = {
      play: () => this.#lay(seat, laid.length ? { ...action, card: laid.at(-1) } : action, laid),
      jump: () => acts.play(),
      draw: () => this.#draw(),
      pass: () => this.#pass(),
      accept: () => this.#accept(),
      challenge: () => this.#challenge(),
      colour: () => this.#name(action.colour),
    };
    acts[what]();
  }

  /**
   * @param {number} seat
   * @param {number} card
   */
  #put(seat, card) {
    if (!this.hands[seat].includes(card)) throw wrong("card", null, { seat, card });
    this.hands[seat] = this.hands[seat].filter((other) => other !== card);
    this.pile.push(card);
  }

  /**
   * @param {number} seat
   * @param {Plain} action
   * @param {number[]} cards
   */
  #lay(seat, { do: what, card, colour, uno, swap }, cards) {
    const rest = this.hands[seat].filter((other) => other !== card),
      left = rest.length,
      number = symbol(card),
      calls = Boolean(uno) && (!cards.length || left === 1);
    if (number === WILD_FOUR)
      Object.assign(this, { offender: seat, evidence: rest, guilty: this.#bluff(rest), before: this.colour });
    this.#put(seat, card);
    this.colour = card < 100 ? colourOf(card) : COLOURS.indexOf(colour);
    this.drawn = [];
    this.passes = 0;
    this.#emit("play", {
      seat,
      card,
      ...(card >= 100 && { colour }),
      ...(calls && { uno: true }),
      ...(what === "jump" && { jump: true }),
      ...(swap !== undefined && { swap }),
      ...(cards.length && { cards }),
    });
    this.#effect(seat, number, swap);
    if (left < 2) this.#runLow(seat, number, calls);
    if (left && this.options.jump_in) {
      this.laidBy = seat;
      this.#openBreath();
    }
  }

  /**
   * @param {number} seat
   * @param {number} number
   * @param {number} swap
   */
  #effect(seat, number, swap) {
    if (number === SKIP || (number === REVERSE && this.#stillIn().length === 2)) this.#miss(this.#after(seat));
    else if (number === REVERSE) {
      this.#turnRound();
      this.#ask(this.#after(seat), "play");
    } else if (number === DRAW_TWO) this.#demand(seat, 2);
    else if (number === WILD_FOUR && this.options.no_bluff) this.#demand(seat, 4);
    else if (number === WILD_FOUR) {
      this.#owe(4);
      this.#ask(this.#after(seat), "challenge");
    } else {
      this.#moveHands(seat, number, swap);
      this.#ask(this.#after(seat), "play");
    }
  }

  /** @param {number} n */
  #owe(n) {
    if ([23, 104].some(this.#stacks(this.#top))) this.pending += n;
  }

  /**
   * @param {number} seat
   * @param {number} n
   */
  #demand(seat, n) {
    const victim = this.#after(seat);
    this.#owe(n);
    if (this.pending && this.hands[seat].length) return this.#ask(victim, "play");
    this.#penalty(victim);
    this.#ask(this.#after(victim), "play");
  }

  /** @param {number} seat */
  #penalty(seat) {
    const [n, why] = this.#top === DRAW_TWO ? [2, "two"] : [4, "four"];
    this.#take(seat, this.pending || n, this.pending > n ? "stack" : why);
    this.pending = 0;
  }

  /**
   * @param {number} seat
   * @param {number} number
   * @param {boolean} calls
   */
  #runLow(seat, number, calls) {
    if (!this.hands[seat].length) {
      this.called &= ~(1 << seat);
      if (this.phase !== "challenge") this.#endRound(seat);
    } else if (!this.#moves(number)) {
      this.#stand(seat);
      if (calls) this.called |= 1 << seat;
      else {
        this.exposed = seat;
        this.#openBreath();
      }
    }
  }

  #draw() {
    const { turn: seat } = this;
    if (this.options.draw_until) this.#drawUntil(seat);
    else this.drawn = this.#take(seat, 1, "turn");
    this.#ask(seat, "drawn");
  }

  /** @param {number} seat */
  #drawUntil(seat) {
    /** @type {number[]} */
    const cards = [];
    this.phase = "drawn";
    this.drawn = [];
    while (this.#available && !this.#playable().length) {
      cards.push(...this.#take(seat, 1, null));
      this.drawn = cards.slice(-1);
    }
    this.#emit("draw", { seat, n: cards.length, why: "turn", cards });
  }

  #pass() {
    this.#emit("pass", { seat: this.turn });
    this.passes = this.drawn.length ? 0 : this.passes + 1;
    this.drawn = [];
    if (this.passes === this.#stillIn().length) this.#endRound(lightest(this.hands, this.#stillIn()));
    else this.#ask(this.#after(this.turn), "play");
  }

  #accept() {
    this.#emit("accept", { seat: this.turn });
    this.#penalty(this.turn);
    this.#loseTurn();
  }

  #challenge() {
    const { turn: seat, offender: of, guilty, evidence } = this,
      n = this.pending || 4;
    this.#emit("challenge", { seat, of, guilty, hand: evidence });
    this.pending = 0;
    if (!guilty) {
      this.#take(seat, n + 2, "challenge");
      return this.#loseTurn();
    }
    if (this.#in(of)) this.#take(of, n, "challenge");
    this.#ask(seat, "play");
  }

  #loseTurn() {
    if (this.phase === "challenge" && !this.evidence.length) this.#endRound(this.offender);
    else this.#ask(this.#after(this.turn), "play");
  }

  /** @param {string} colour */
  #name(colour) {
    this.colour = COLOURS.indexOf(colour);
    this.#emit("colour", { seat: this.turn, colour });
    this.#ask(this.turn, "play");
  }

  /** The action taken for a seat whose time is up. */
  #default() {
    const hand = this.hands[this.turn],
      held = (/** @type {string} */ colour) => hand.filter((card) => suit(card) === colour).length;
    const colour = COLOURS.reduce((best, other) => (held(other) > held(best) ? other : best));
    if (this.phase === "colour") return { do: "colour", colour };
    if (this.phase === "challenge" || this.pending) return { do: "accept" };
    const [card] = this.options.force_play ? this.#playable() : [];
    if (card === undefined) return { do: this.phase === "drawn" ? "pass" : "draw" };
    const moves = this.#moves(symbol(card)) && hand.length > 1,
      others = this.#stillIn().filter((seat) => seat !== this.turn);
    const swap = others.reduce((best, other) => (this.hands[other].length < this.hands[best].length ? other : best));
    return {
      do: "play",
      card,
      ...(card >= 100 && { colour }),
      ...(moves && symbol(card) === 7 && { swap }),
      ...(!moves && hand.length === 2 && { uno: true }),
    };
  }

  // --- calling, catching, moving hands, leaving ---

  #openBreath() {
    this.occasion++;
    if (this.options.breath && this.phase !== "breath") Object.assign(this, { resume: this.phase, phase: "breath" });
  }

  /** @param {number} seat */
  #stand(seat) {
    if (!this.options.false_call_penalty) return;
    this.stood[seat] = ++this.occasion;
    this.claims[seat] = 0;
  }

  #call() {
    this.#emit("uno", { seat: this.exposed });
    this.called |= 1 << this.exposed;
    this.#safe();
  }

  #safe() {
    this.exposed = NOBODY;
    this.held = [];
  }

  /**
   * @param {number} by
   * @param {number} of
   */
  #catch(by, of) {
    const cost = this.options.false_call_penalty;
    if (cost) this.claims[of] |= 1 << by;
    if (of !== this.exposed) {
      const n = Math.min(cost, this.#available);
      this.#emit("mistake", { seat: by, of, n });
      this.#punish(by, n, "mistake");
      if (n && by === this.exposed) this.#safe();
    } else if (this.phase === "breath") {
      this.held.push(by);
      this.#emit("held", { seat: by, of });
    } else this.#caught(by);
  }

  /** @param {number} by */
  #caught(by) {
    const seat = this.exposed,
      n = Math.min(this.options.call_penalty, this.#available);
    this.exposed = NOBODY;
    this.#emit("caught", { seat, by, n });
    this.#punish(seat, n, "caught");
  }

  /**
   * @param {number} seat
   * @param {number} n
   * @param {string} why
   */
  #punish(seat, n, why) {
    if (!n) return;
    this.#take(seat, n, why);
    if (seat === this.turn) this.question++;
  }

  #endBreath() {
    this.#cutBreath();
    this.#emit("turn", { seat: this.turn });
  }

  #cutBreath() {
    if (this.phase !== "breath") return;
    this.phase = this.resume;
    if (this.held.length) this.#caught(this.held[0]);
    this.held = [];
  }

  /** @param {number} number */
  #moves(number) {
    return this.options.seven_zero && (number === 0 || number === 7);
  }

  /**
   * @param {number} seat
   * @param {number} number
   * @param {number} swap
   */
  #moveHands(seat, number, swap) {
    if (!this.#moves(number) || !this.hands[seat].length) return;
    const before = [...this.hands],
      moved = new Map(),
      none = swap === undefined;
    if (none) for (const giver of this.#stillIn()) moved.set(this.#after(giver), before[giver]);
    else moved.set(seat, before[swap]).set(swap, before[seat]);
    if (none)
      this.#emit("rotate", { direction: this.direction, hands: before.map((_, taker) => moved.get(taker) ?? []) });
    else this.#emit("swap", { seat, of: swap, hands: [before[swap], before[seat]] });
    for (const [taker, hand] of moved) {
      const stood = before[taker].length === 1 && taker !== seat;
      this.hands[taker] = hand;
      this.called &= ~(1 << taker);
      if (hand.length !== 1) continue;
      this.called |= 1 << taker;
      if (!stood) this.#stand(taker);
    }
  }

  /**
   * @param {number} seat
   * @param {string} why
   */
  #leave(seat, why) {
    if (this.phase === "over" || !this.#in(seat)) return;
    const next = this.#after(seat),
      chooses = PHASES.indexOf(this.phase) < 2 && this.hands[this.turn].length > 1 && this.options.seven_zero;
    this.deck.unshift(...this.hands[seat]);
    this.hands[seat] = [];
    this.passes = 0;
    this.called &= ~(1 << seat);
    if (seat === this.exposed) this.#safe();
    else this.held = this.held.filter((by) => by !== seat);
    this.leavers.push(seat);
    this.#close(seat, why);
    if (this.#stillIn().length === 1) this.#endMatch(this.#stillIn(), "last");
    else if (seat === this.turn) this.#handOn(next);
    // one seat fewer to swap hands with
    else if (chooses && this.#playable().some((card) => symbol(card) === 7)) this.question++;
  }

  /** @param {number} seat */
  #handOn(seat) {
    const breath = this.phase === "breath",
      asked = breath ? this.resume : this.phase;
    if (asked === "challenge" && !this.evidence.length) return this.#endRound(this.offender);
    this.drawn = [];
    this.pending = 0;
    const next = asked === "colour" ? "colour" : "play";
    if (breath) this.resume = next;
    this.#ask(seat, breath ? "breath" : next);
  }

  // --- views ---

  /**
   * What `viewer`, a seat or null, may see.
   * @param {number | null} viewer
   */
  view(viewer) {
    return view(this, viewer);
  }

  /**
   * An event as `viewer` may see it; null if hidden.
   * @param {Plain} event
   * @param {number | null} viewer
   */
  redact(event, viewer) {
    return redact(event, viewer);
  }

  /** The result, once the match is over. */
  get outcome() {
    return this.phase === "over" ? { ranks: ranks(this), scores: this.scores, why: this.why } : null;
  }

  /** The full state as plain data: its hash is in the last record. */
  canonical() {
    return canonical(this);
  }
}
