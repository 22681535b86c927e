// The messages of protocol version 1. Generated from their schema by tests/web/protocol_types.py: do not edit.

declare namespace Protocol {
  /** An object whose fields a game defines. */
  type Plain = Record<string, any>;
  type Client = ClientJoin | ClientLeave | ClientReady | ClientStart | ClientAct | ClientChat | ClientInvite | ClientManage | ClientConfigure | ClientHandover | ClientHurry | ClientQueue | ClientHello | ClientPing | ClientCreate | ClientList | ClientOffer | ClientStandings | ClientProfile | ClientDescribe | ClientDaily | ClientFile | ClientReview | ClientContinue | ClientChain | ClientMissed | ClientPresets | ClientWebhook | ClientDelete | ClientAdmin;
  type Server = ServerOk | ServerError | ServerWelcome | ServerPong | ServerJoined | ServerRedirect | ServerLeft | ServerRooms | ServerStandings | ServerProfile | ServerDescribed | ServerDaily | ServerFile | ServerReview | ServerChain | ServerMissed | ServerPresets | ServerWebhook | ServerBye | ServerUpdate | ServerTurn | ServerOver | ServerSeats | ServerChat;
  type Integer = number;
  type Id = string | Integer;
  /** Enter a room by its code. ``style``: how a bot plays, shown at its seat. ``seat_code``: that of the room. */
  type ClientJoin = { t: "join"; room: string; as?: "player" | "spectator"; style?: string | null; seat_code?: string | null; id?: Id | null };
  /** Leave a room for good. */
  type ClientLeave = { t: "leave"; room: string; id?: Id | null };
  /** Be ready for a match or rematch, end a pause, or take one's seat back from a stand-in. */
  type ClientReady = { t: "ready"; room: string; ready?: boolean; nonce?: string | null; id?: Id | null };
  /** Begin a match now (host only). */
  type ClientStart = { t: "start"; room: string; id?: Id | null };
  /** Answer decision ``rid`` with an index into its ``legal``, or with an action in full. */
  type ClientAct = { t: "act"; room: string; rid: Integer; act: Integer | Plain; why?: string | null; id?: Id | null };
  /** Send a line of chat to the room. */
  type ClientChat = { t: "chat"; room: string; text: string; id?: Id | null };
  /** Seat an available bot, or any free one if none is named, and let it play in a ``style`` (host only). */
  type ClientInvite = { t: "invite"; room: string; bot?: string | null; seat?: Integer | null; style?: string | null; id?: Id | null };
  /** Kick, ban or mute someone in the room, make them host, or give them time (host only). */
  type ClientManage = { t: "manage"; room: string; do: "kick" | "ban" | "mute" | "unmute" | "host" | "addtime"; name: string; id?: Id | null };
  /** A room's clock, in milliseconds: the bank at the start of a match, what each decision adds, the bank's limit. */
  type Clock = { bank: Integer; add: Integer; cap?: Integer };
  /** Change options, seats and clock for the next match (host only); what is absent is as absent in ``create``. */
  type ClientConfigure = { t: "configure"; room: string; options?: Plain | null; seats?: Integer | null; clock?: Clock | null; id?: Id | null };
  /** As a spectator, ask the owner of ``seat`` for it; as an owner, give the seat ``to`` someone who has asked. */
  type ClientHandover = { t: "handover"; room: string; seat?: Integer | null; to?: string | null; id?: Id | null };
  /** Let bots play without pauses until the end of the match, if all people at the table want that. */
  type ClientHurry = { t: "hurry"; room: string; id?: Id | null };
  /** Wait for a seat at a full table as a spectator, or stop waiting. */
  type ClientQueue = { t: "queue"; room: string; wait?: boolean; seat_code?: string | null; id?: Id | null };
  /** How far a client has followed a room; sent with ``hello`` to resume. */
  type Seen = { room: string; epoch: Integer; seq: Integer };
  /** Take a name, or return as a known identity with a token or key. */
  type ClientHello = { t: "hello"; name: string; kind: "human" | "bot"; token?: string | null; key?: string | null; ticket?: string | null; rooms?: Array<Seen> | null; can?: Array<string> | null; id?: Id | null };
  /** Request a pong. */
  type ClientPing = { t: "ping"; id?: Id | null };
  /** A round of a public beacon in an older match: the hash of its network, and its randomness, in hex. */
  type BeaconRound = { chain: string; round: Integer; randomness?: string };
  /** What determines the deals of a match: the secret S in hex, the context, and the nonces by seat ("": none). */
  type Deal = { secret: string; context: string; nonces: Array<string>; beacon?: BeaconRound };
  /** Open a room and enter it. An absent clock means the default, null means no clocks. */
  type ClientCreate = { t: "create"; game: string; options?: Plain | null; seats?: Integer | null; private?: boolean; kinds?: "any" | "humans" | "bots"; watch?: boolean; hints?: boolean; clock?: Clock | null; standin?: boolean; start?: "host" | "full"; as?: "player" | "spectator"; pace?: Integer | null; deal?: Deal | null; style?: string | null; delay?: Integer; seat_code?: boolean; beacon?: boolean; rated?: boolean; id?: Id | null };
  /** Request the lobby; ``after`` a room code requests the next page, ``room`` the row of that room alone. */
  type ClientList = { t: "list"; game?: string | null; after?: string | null; room?: string | null; id?: Id | null };
  /** Make a bot available for these games, in up to ``max`` rooms at the same time; 0 withdraws it. */
  type ClientOffer = { t: "offer"; games: Array<string>; max: Integer; styles?: Array<string> | null; id?: Id | null };
  /** Request a leaderboard. ``ladder``: that of ``game`` by strength, among all or one sort of players. */
  type ClientStandings = { t: "standings"; game?: string | null; contest?: string | null; after?: string | null; cross?: boolean; ladder?: "all" | "human" | "bot" | "llm" | null; id?: Id | null };
  /** Request what a name has done on this server; absent: one's own. */
  type ClientProfile = { t: "profile"; name?: string | null; id?: Id | null };
  /** Request what a client needs to show a game that it does not know; ``lang`` such as ``de``. */
  type ClientDescribe = { t: "describe"; game: string; lang?: string; id?: Id | null };
  /** Request the table of a daily board; absent: today's. Or ``play`` today's board. */
  type ClientDaily = { t: "daily"; board?: string; day?: string | null; play?: boolean; id?: Id | null };
  /** Request the match file of a finished match; knowing its digest proves that the client was there. */
  type ClientFile = { t: "file"; digest: string; after?: Integer; views?: boolean; seat?: Integer | null; id?: Id | null };
  /** Request the review of a seat in a finished match. ``after``: the number of decisions that the client has. */
  type ClientReview = { t: "review"; digest: string; seat: Integer; after?: Integer; id?: Id | null };
  /** Play on from act number ``act`` of a finished match, in the place of seat ``seat``, against house bots. */
  type ClientContinue = { t: "continue"; digest: string; act: Integer; seat?: Integer; id?: Id | null };
  /** Request links of the server's public chain, from number ``after`` + 1 on. */
  type ClientChain = { t: "chain"; after?: Integer; id?: Id | null };
  /** Request the matches that ended while one was away. ``seen``: digests of those to leave out from now on. */
  type ClientMissed = { t: "missed"; seen?: Array<string> | null; id?: Id | null };
  /** Request the presets of the people of this server, of one ``game`` or all; or first save or remove one's own. */
  type ClientPresets = { t: "presets"; do?: "list" | "save" | "remove"; game?: string | null; name?: string | null; options?: Plain | null; seats?: Integer | null; clock?: Clock | null; id?: Id | null };
  /** Request one's own webhook, which the server calls when it is one's turn; or first set, test or remove it. */
  type ClientWebhook = { t: "webhook"; do?: "show" | "set" | "test" | "remove"; url?: string | null; format?: "json" | "ntfy" | "discord"; lang?: string | null; id?: Id | null };
  /** Delete one's own identity, proved by its key. */
  type ClientDelete = { t: "delete"; key: string; id?: Id | null };
  /** Do what only the admin may, with the admin token. */
  type ClientAdmin = { t: "admin"; token: string; do: "ban" | "unban" | "mute" | "unmute" | "delete" | "close" | "drain" | "contest" | "beacon"; name?: string | null; room?: string | null; args?: Plain | null; id?: Id | null };
  /** The request is done. For an act: the action that was recorded for this rid. */
  type ServerOk = { t: "ok"; room?: string | null; rid?: Integer | null; act?: Plain | null; seat?: Integer | null; re?: Id | null };
  /** A refusal: what was wrong, what is legal, what to do next. */
  type ServerError = { t: "error"; code: string; msg: string; hint?: string | null; room?: string | null; rid?: Integer | null; why?: string | null; act?: Plain | null; legal?: Array<Plain> | null; left?: Integer | null; retry_after?: Integer | null; strikes?: Array<Integer> | null; phrase?: string | null; fields?: Plain | null; re?: Id | null };
  /** The answer to hello. ``rooms`` holds the codes of the rooms where the identity has a seat. */
  type ServerWelcome = { t: "welcome"; name: string; server: string; limits: Plain; can: Array<string>; rooms: Array<string>; token?: string | null; ssh?: Integer | null; re?: Id | null };
  /** The answer to ping. */
  type ServerPong = { t: "pong"; re?: Id | null };
  /** What binds the deals of the next or current match. */
  type FairView = { commit: string; context: string; nonces: Record<string, string>; deal?: "chosen" | "daily"; beacon?: BeaconRound };
  /** One seat as everyone sees it. ``left`` is the time until a stand-in plays for its owner, in milliseconds. */
  type SeatRow = { seat: Integer; name: string; kind: "human" | "bot"; here: boolean; ready: boolean; by: "owner" | "standin"; rating?: Integer; left?: Integer; style?: string; wins?: Integer };
  /** A spectator who has asked the owner of ``seat`` for it. */
  type SeatRequest = { seat: Integer; name: string; kind: "human" | "bot" };
  /** A room as everyone in it sees it, apart from the game. */
  type Table = { state: "waiting" | "playing" | "pause" | "finished" | "closed"; host: string | null; options: Plain; watchers: Integer; fair: FairView; hints: boolean; seats: Array<SeatRow>; size?: Integer; clock?: Clock | null; standin?: boolean; start?: "host" | "full"; kinds?: "any" | "humans" | "bots"; watch?: boolean; private?: boolean; pace?: Integer | null; requests?: Array<SeatRequest>; delay?: Integer; queue?: Array<string>; seat_code?: boolean; beacon?: boolean; unrated?: "casual" | "chosen" | "daily" | "alone" | "absent" | "clock" | "address" };
  /** An optional decision, with ``rid`` and ``legal`` as in a ``turn``. */
  type Offer = { rid: Integer; legal: Array<Plain> };
  type ChatRow = { from: string; text: string };
  /** The whole room, which replaces all that the client knows of it. */
  type ServerJoined = { t: "joined"; room: string; epoch: Integer; seq: Integer; game: string; seat: Integer | null; table: Table; view: Plain | null; events: Array<Plain>; gap: boolean; may: Array<Offer>; clocks: Record<string, Integer>; chat: Array<ChatRow>; why?: "join" | "invited" | "resume" | "sync" | "standin" | null; seat_code?: string | null; elapsed?: Integer | null; re?: Id | null };
  /** The room lives on another server: connect there with this ticket. */
  type ServerRedirect = { t: "redirect"; room: string; url: string; ticket: string; re?: Id | null };
  /** You are no longer in this room. */
  type ServerLeft = { t: "left"; room: string; why: "left" | "kicked" | "banned" | "expired" | "aborted" | "replaced" | "forfeited"; re?: Id | null };
  /** A player who sits in a room of the lobby. */
  type PlayerRow = { name: string; kind: "human" | "bot" };
  /** A room in the lobby. ``players``: those who sit there, by seat; absent if no one may watch. */
  type RoomRow = { room: string; game: string; state: "waiting" | "playing" | "pause" | "finished" | "closed"; seats: Integer; taken: Integer; kinds: "any" | "humans" | "bots"; watch: boolean; host: string | null; players?: Array<PlayerRow>; people?: Integer; rules?: Array<string>; options?: Plain; clock?: Clock | null; seat_code?: boolean; standin?: boolean; unrated?: "casual" | "chosen" | "daily" | "alone" | "absent" | "clock" | "address" };
  /** A bot that can be invited: the games it plays, for how many more rooms it is free, and in which styles. */
  type BotRow = { name: string; games: Array<string>; free: Integer; house?: boolean; rating?: Integer; styles?: Array<string> };
  /** A page of the lobby. */
  type ServerRooms = { t: "rooms"; rooms: Array<RoomRow>; bots: Array<BotRow>; after?: string | null; re?: Id | null };
  /** The matches of a contest's bot against another one. */
  type MeetingRow = { name: string; games: Integer; wins: Integer };
  /** One row of a leaderboard. ``style``: how a bot has played, if it was always the same. */
  type StandingsRow = { name: string; kind: "human" | "bot"; games: Integer; wins: Integer; points: Integer; rating?: Integer; style?: string; forfeits?: Integer; faults?: Integer; against?: Array<MeetingRow>; rank?: Integer; group?: Integer; low?: Integer; high?: Integer; past?: Array<Integer> };
  /** The progress of a contest. */
  type ContestView = { state: "running" | "stopped" | "finished"; game: string; tables: Integer; done: Integer; playing: Integer; void: Integer; away: Array<string>; left?: Integer; format?: string };
  /** A page of a leaderboard, best first. ``ago``: of a ladder, the milliseconds since the times of ``past``. */
  type ServerStandings = { t: "standings"; rows: Array<StandingsRow>; after?: string | null; contest?: ContestView | null; ago?: Array<Integer> | null; re?: Id | null };
  /** The time of a board that was cleared alone, in milliseconds. */
  type BoardTime = { board: string; ms: Integer };
  /** A finished match of a profile: how long ago in milliseconds, the rank among how many, and the score. */
  type FinishRow = { ago: Integer; rank: Integer; players: Integer; score: Integer; board?: string; ms?: Integer; record?: boolean; before?: Integer; unrated?: "odds" | "chosen" };
  /** The results of a name at one game: matches, wins, wins in a row now and at most, and the best time by board. */
  type ProfileRow = { game: string; matches: Integer; wins: Integer; streak: Integer; longest: Integer; times: Array<BoardTime>; last: Array<FinishRow>; rating?: Integer };
  /** The results of a name on this server, by game. */
  type ServerProfile = { t: "profile"; name: string; kind: "human" | "bot"; games: Array<ProfileRow>; re?: Id | null };
  /** A game for clients that do not know it: its seats (least, usual, most), its options, its words by key. */
  type ServerDescribed = { t: "described"; game: string; seats: Array<Integer>; options: Array<Plain>; words: Plain; layout?: Plain | null; re?: Id | null };
  /** A name that has finished the board of a day, its time in milliseconds, and its points where they count. */
  type DailyRow = { name: string; kind: "human" | "bot"; ms: Integer; points?: Integer };
  /** The results of a name on the daily boards: time and points on this one, and the days in a row up to it. */
  type OwnDaily = { played: boolean; days: Integer; room?: string; ms?: Integer; points?: Integer };
  /** A daily board, its game, and what comes first in its table: the shortest time, or the most or fewest points. */
  type DailyBoard = { board: string; game: string; best: "time" | "most" | "fewest" };
  /** The table of a daily board: who has finished it, the best first. ``left``: milliseconds until the next day. */
  type ServerDaily = { t: "daily"; day: string; board: string; commit: string; context: string; left: Integer; rows: Array<DailyRow>; you?: OwnDaily | null; secret?: string | null; boards?: Array<DailyBoard> | null; re?: Id | null };
  /** The view and events of a viewer after a line of a finished match. No ``view``: the same as before. */
  type Position = { events: Array<Plain>; view?: Plain };
  /** Lines of a match file; ``after`` is where to continue, absent at the end. ``views``: what each line led to. */
  type ServerFile = { t: "file"; digest: string; lines: Array<string>; after?: Integer | null; views?: Array<Position> | null; review?: boolean | null; re?: Id | null };
  /** The review of a seat: how many of its decisions are judged, and when all are, what was found. */
  type ServerReview = { t: "review"; digest: string; seat: Integer; done: Integer; of: Integer; decisions?: Array<Plain> | null; rounds?: Array<Plain> | null; after?: Integer | null; re?: Id | null };
  /** A link of the server's public chain: a match that begins, or with ``over`` one that is over. */
  type ChainLink = { n: Integer; at: Integer; match: string; hash: string; over?: string };
  /** Links of the server's public chain; ``after`` is where to continue, absent at the end. */
  type ServerChain = { t: "chain"; links: Array<ChainLink>; after?: Integer | null; re?: Id | null };
  /** A player of a finished match, and its rank from 1. */
  type RankedName = { name: string; rank: Integer };
  /** A match that ended while one was away: how many milliseconds ago, one's ``rank``, and all players by rank. */
  type MissedRow = { digest: string; room: string; game: string; ago: Integer; rank: Integer; players: Array<RankedName>; void?: boolean };
  /** The last matches that ended while one was away, the latest first. */
  type ServerMissed = { t: "missed"; matches: Array<MissedRow>; re?: Id | null };
  /** Rules that someone has saved under a name. ``mine``: the client that asks has saved them. */
  type PresetRow = { game: string; name: string; by: string; mine: boolean; options: Plain; seats: Integer; clock: Clock | null };
  /** The presets that the people of this server have saved, by game and name. */
  type ServerPresets = { t: "presets"; presets: Array<PresetRow>; re?: Id | null };
  /** One's own webhook: its ``host`` alone, because its URL is a secret; without one, no field but ``re``. */
  type ServerWebhook = { t: "webhook"; host?: string | null; format?: "json" | "ntfy" | "discord" | null; lang?: string | null; off?: string | null; test?: string | null; re?: Id | null };
  /** The server closes the socket after this message. */
  type ServerBye = { t: "bye"; code: string; msg: string; retry_after?: Integer | null };
  /** The ``ok`` to an act, carried inside the view message of the same move. */
  type Answer = { re?: Id; rid?: Integer; act?: Plain };
  /** A change in the game, with the whole view. */
  type ServerUpdate = { t: "update"; room: string; seq: Integer; view: Plain; events: Array<Plain>; may: Array<Offer>; clocks: Record<string, Integer>; ok?: Answer | null };
  /** An update that asks for a decision: answer ``rid`` with an act within ``left`` ms (null: no clock). */
  type ServerTurn = { t: "turn"; room: string; seq: Integer; game: string; seat: Integer; view: Plain; events: Array<Plain>; may: Array<Offer>; clocks: Record<string, Integer>; rid: Integer; left: Integer | null; legal?: Array<Plain> | null; ok?: Answer | null };
  /** How a match ended. Ranks count from 1 and may be shared. ``time`` counts in lists of best times. */
  type Result = { ranks: Record<string, Integer>; scores: Record<string, Integer>; why: string; stats?: Plain; time?: BoardTime; unrated?: "casual" | "chosen" | "daily" | "alone" | "absent" | "clock" | "address" };
  /** The end of a match: its result, the secret S of its deals, what S was bound to, and the digest of its record. */
  type ServerOver = { t: "over"; room: string; seq: Integer; view: Plain; events: Array<Plain>; clocks: Record<string, Integer>; result: Result; reveal: string; digest: string; commit?: string | null; context?: string | null; ok?: Answer | null };
  /** The room apart from the game has changed. */
  type ServerSeats = { t: "seats"; room: string; seq: Integer; table: Table };
  /** Who wrote a line of chat. */
  type Speaker = { name: string; kind: "human" | "bot"; seat: Integer | null };
  /** A line of chat. */
  type ServerChat = { t: "chat"; room: string; seq: Integer; from: Speaker; text: string };
}
