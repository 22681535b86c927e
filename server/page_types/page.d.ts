// Types that the modules of the page share. Those of messages are in protocol.d.ts.

type Plain = Protocol.Plain;
type Room = import("../parlour_server/web/core/session.js").Room;
type Session = import("../parlour_server/web/core/session.js").Session;
type RoomView = import("../parlour_server/web/views/room/room.js").RoomView;

/** A message from the server; only some have these fields. */
type Message = Protocol.Server & { room?: string | null; re?: Protocol.Id | null };

/** A message of a room with a number. */
type RoomMessage = Protocol.ServerUpdate | Protocol.ServerTurn | Protocol.ServerOver | Protocol.ServerSeats | Protocol.ServerChat;

/** A request to the server, without its id. */
type Ask = { t: string } & Plain;

/** A decision that is open for our seat. */
type Question = { rid: number; legal: Plain[]; left: number | null };

/** An error, from the server or from the session. */
type Refusal = { code: string; msg?: string; message?: string; hint?: string | null; retry_after?: number | null; retryAfter?: number | null; phrase?: string | null; fields?: Plain | null };

/** The state of a connection; times are those of `performance.now()`. */
type ConnectionState = { name: "new" | "connecting" | "open" | "waiting" | "ended"; since?: number | null; until?: number; why?: string; msg?: string };

/** What an element contains. */
type Child = Node | string | null | undefined | false | "" | 0 | Child[];

/** The attributes of an element, its listeners, and its properties `value` and `checked`. */
type Props = Record<string, any>;

/** Who we are in this tab. */
type Me = { name: string; token: string | null; chosen: boolean };

/** The page around the views. */
interface App {
  base: URL;
  /** Both are set before a view is shown. */
  session: Session;
  connection: import("../parlour_server/web/core/connection.js").Connection;
  prefs: import("../parlour_server/web/core/storage.js").Prefs;
  me: Me;
  lastName: string;
  identities: import("../parlour_server/web/core/storage.js").Identities;
  matches: import("../parlour_server/web/core/storage.js").Matches;
  readonly view: Shown | null;
  /** Whether the connection is lost, or there was none yet. */
  readonly lost: boolean;
  /** The code for the seats in the address. */
  readonly seatCode: string | undefined;
  roomUrl(code: string): string;
  keep(change: Partial<Me>): void;
  forget(): void;
  connect(name?: string | null, key?: string | null): Promise<void>;
  start(): Promise<void>;
  ask(message: Ask): Promise<any>;
  go(path: string): Promise<void>;
  route(): Promise<void>;
  show(view: Shown): void;
  toast(message: string, code?: string): void;
  explain(error: Refusal, game?: string): Promise<string>;
  showError(error: Refusal): Promise<void>;
  hints(keys?: [key: string, label: string][]): void;
  context(...parts: Child[]): void;
}

/** What the router shows. */
interface Shown {
  title: string;
  el: HTMLElement;
  code?: string;
  /** Whether a new connection shall leave it where it is. */
  busy?: boolean;
  begin?(): void;
  end?(next: Shown): void;
  key?(event: KeyboardEvent): boolean | undefined;
  refocus?(): boolean | undefined;
  heard?(message: Message): void;
  /** Called when a message of a room that is not shown has changed it. */
  elsewhere?(): void;
  refused?(error: Protocol.ServerError): void;
  connected?(yes: boolean): void;
  left?(message: { room: string; why: string }): void;
}

/** What is done to a room with a keyboard, and how a widget is told of it. */
interface Controls {
  take(room: Room): void;
  show(room: Room): void;
  key(event: KeyboardEvent): boolean;
  refocus(): boolean;
  hints(): [key: string, label: string][];
  refused(): void;
  remark(words: string): void;
}

/** The part of a room that shows its game. */
interface Widget {
  el: HTMLElement;
  controls: Controls | null;
  show(room: Room): void;
  news(room: Room, events: Plain[], live: boolean): void;
  tick(room: Room): void;
  manual(): Plain | Promise<Plain>;
  scoreboard?(room: Room): Promise<HTMLElement>;
  /** The event that ended the last round. */
  last?: Plain | null;
  review?(room: Room, result: Protocol.Result): Promise<Node[]>;
  /** Resolves when what moves is drawn, so that the result does not come between its frames. */
  drawing?(): Promise<void>;
  /** Lines of characters that show how the match went, without its secrets. */
  inCharacters?(room: Room, result: Protocol.Result): Promise<string[]>;
}

/** The sentences of a game. */
interface Words {
  rules(options: Plain, game: string): string[];
  describe(room: Room, event: any): string | null | undefined;
}

/** What a widget needs of the view around it; a replay has no `act`. */
type Host = Omit<RoomView, "act"> & { act?: RoomView["act"] };

/** The end of a match, with the commitment that was shown before it. */
type Over = Omit<Protocol.ServerOver, "commit"> & { commit?: string };

/** A cell of a board of Minesweeper. */
type Cell = HTMLButtonElement & { x: number; y: number };

/** A move of UNO: the decision that it answers, and the action. */
type Way = [rid: number, action: Plain];

/** What is asked before a move of UNO is complete: a field of the action. */
type Choice = { field: string; values: any[] };

/** All moves of UNO that we can make, by card or by what they do. */
type UnoMoves = { plays: Map<number, Way[]>; answers: Map<string, Way[]>; reactions: Map<string, Way[]> };

/** How the form for a new room shows the options of a game. */
type Form = {
  cards?: string;
  /** The options that most people change; all if it is absent. */
  first?: string[];
  explained?: string[];
  /** `none` is the number that an empty field stands for. */
  fields: Record<string, { scale?: number; none?: number; when?: (options: Plain) => boolean }>;
};

/** What the page knows of a game. */
interface GameParts {
  /** Whether a screen reader hears the log. */
  readsLog?: boolean;
  /** The events that are shown one by one. */
  paced?: string[];
  words(): Promise<Words>;
  widget(): Promise<{ Widget: new (view: Host) => Widget }>;
  openHands?(): Promise<{ hands(place: HTMLElement, all: [name: string, cards: number[]][], small: boolean): void }>;
  /** The words of a review, for games that the server can review. */
  review?(): Promise<GameReview>;
  manual?(): Promise<{ howTo(options: Plain): string[] }>;
  form?(): Promise<{ FORM: Form }>;
}

/** A review in words: what was found, with the number of the act where there is one, and a remark on one decision. */
interface GameReview {
  /** An action in words. */
  action(action: Plain): string;
}

/** A cell of a board by row and column from 0; null: a whole row or column. */
type Place = [row: number | null, column: number | null];

/** An action of any game: the decision that it answers, its words, the cells that it names, and its other values. */
type AnyWay = { rid: number; action: Plain; words: string; places: Place[]; values: any[] };

/** Many actions of one decision that differ in `fields` only. */
type AnyGroup = { key: string; ways: AnyWay[]; fields: string[] };

/** A part of a view. `owners`: the seats of the pieces on a board, -1 for none; `hands`: what lies at each seat. */
type Part =
  | { kind: "board"; name: string; rows: string[][]; owners: number[][]; columns: boolean }
  | { kind: "cards"; name: string; values: any[]; words: string[]; of: Piece; hand: boolean }
  | { kind: "pile"; name: string; words: string; n: number; act: string }
  | { kind: "backs"; name: string; counts: (number | null)[]; of: Piece }
  | { kind: "open" | "laid"; name: string; hands: string[][]; of: Piece }
  | { kind: "sealed" | "badge"; name: string; seats: number[]; of: Piece }
  | { kind: "seated"; name: string; words: string[] }
  | { kind: "table"; name: string; heads: string[]; rows: string[][] }
  | { kind: "marks"; name: string; cells: [number, number][] }
  | { kind: "fact"; name: string; words: string };

/** The items of a room's menu, with their arguments. */
type MenuItems = { help: []; copy: []; share: []; qr: []; leave: []; manage: [name: string]; give: [name: string]; left: [why: string] };

/** An option of a game, as the server offers it. */
type Option = { name: string; usual: any; allowed?: any[]; low?: number; high?: number; means: string; then?: Record<string, Plain> };

/** What a seat of the table shows: its hidden hand, words by class, what lies before it; `on`: its turn. */
type SeatShown = { count: number | null; of?: Piece; tally: Record<string, string>; shout?: string; out?: boolean; on?: boolean; before?: ((place: HTMLElement) => void) | null };

/** What values are drawn as. */
type Piece = "cards" | "dice" | "tiles";

/** How a game shows a field of its view: see SPEC.md#described. */
type Layout = { kind: string; of?: Piece; act?: string; signs?: string; columns?: boolean };
