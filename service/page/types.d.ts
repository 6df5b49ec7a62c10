/** The types of the page: those of the contract (build/contract.ts is made of it), and what the scripts hand to each other. */

import type {components} from "contract";
import type {AdvicePanel as Panel} from "./static/advice.js";
import type {Api, Catalogue, Session as Joined} from "./static/api.js";
import type {DiceEntry} from "./static/draw.js";
import type {Keeper as AnyKeeper} from "./static/score.js";
import type {Table as AnyTable} from "./static/table.js";

type Schemas = components["schemas"];
type Entry = Schemas["CatalogueEntry"];

type Keys<T> = T extends unknown ? keyof T : never;
type Of<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;
type Plain = string | number | boolean;
/**
 * What the page reads of any game: the properties that some of them have, to any depth. The names are checked, but not whether
 * something is there: the page asks, or knows it from the kind of the game.
 */
type Any<T> = [NonNullable<T>] extends [Plain] ? NonNullable<T>
  : [NonNullable<T>] extends [readonly unknown[]] ? Any<NonNullable<T>[number]>[]
  : {[K in Keys<NonNullable<T>>]: Any<Of<NonNullable<T>, K>>};

declare global {
  /** What the events of the page carry. */
  interface Event {
    problem: Error;
    before: string;
    detail: any;
  }

  /** Anything can be looked for. */
  interface Array<T> {
    includes(element: unknown): boolean;
  }

  /** A selector finds what the page itself has put there. */
  interface ParentNode {
    querySelector(selectors: string): any;
    querySelectorAll(selectors: string): NodeListOf<any>;
  }

  /** As the service writes it; null is a hidden die. */
  type Face = number | string | null;
  type Dice = Schemas["Dice"];

  /** What an element holds. Null, undefined and false are nothing. */
  type Child = Node | string | number | null | undefined | false | Child[];

  /**
   * Builds an element, for example `el("button", {onclick: roll}, "Roll")`. `true` sets an attribute without a value; `false`, null
   * and undefined leave it out, except `aria-…`, where `false` is written. A function is a listener. `style` is an object, as the
   * policy of the page refuses styles as text.
   */
  type Build = (tag: string, attributes?: Record<string, any> | null, ...children: any[]) => any;

  /**
   * Makes the content of `root` look like `children`. What has the same tag and `data-key` stays, with the focus and with what moves
   * in it: it takes the attributes, the listeners and the content of the new one. Custom elements and those with `data-own` are left
   * as they are. Listeners should read their element from the event: the one that they were made with may be gone.
   */
  type Change = (root: any, ...children: any[]) => void;

  /**
   * The text of `key` in the language of the page, with `values` in place of their names in braces. For a number `count`, `key.0`,
   * `key.one` or `key.other` come first. Without a text it is `otherwise`, or the key.
   */
  type Say = (key: string, values?: Record<string, any>, otherwise?: string) => string;

  type Format = (value: number, options?: Intl.NumberFormatOptions) => string;
  type Listing = (list: string[], type?: "disjunction") => string;

  /** `label` replaces the name of the face for screen readers; `data` are further attributes. */
  type DieOptions = {dice: Dice; label?: string; onclick?: (event: Event) => void; pressed?: boolean; data?: Record<string, unknown>};
  type DiceOptions = {dice: Dice; label: string; count?: number};
  type Pot = {amount: number; eligible: string[]; payouts?: Record<string, number>};
  type SheetOptions<Whose> = {game: any; caption?: string; cell: (whose: Whose, box: any, score: number | null) => any};

  /** `blank`: dice can show a blank; `taken`: whether no further die can show `face`. */
  type EntryOptions = {blank?: boolean; taken?: (face: Face, all: Face[]) => boolean; signal?: AbortSignal};

  /** A column of a sheet. */
  type Column = {name: string; card: any; current?: boolean};
  /** Draws a sheet of cards, and one card in two tables. */
  type Drawing = (cards: Column[], options: SheetOptions<number>) => Element;
  type Halves = (one: Column, options: SheetOptions<string>) => Element[];

  /** A hand of a layout, and a card, as the service returns them. */
  type Hand = {hand: string; cards: string[]; dice: number[]; points: number; reason: string; direction?: "across" | "down"; row?: number; column?: number};
  type Card = {scores: Record<string, number | null>; upper: number; bonus: number; lower: number; total: number};

  /** The places for `count` dice; `after` stands behind them. */
  type Row = {key: string; label: string; count: number; after?: HTMLElement};

  /** A game as the catalogue has it. */
  type Game = Any<Entry>;

  /**
   * A seat in a session: `one` says that all players share this device; otherwise it is that of `me`, or with null a screen for all.
   * `proof` is the commitment to the seed of the dice, as it was when this device first saw it, and `version` the last version that
   * it saw when it opened the table, or at the end, which `over` says; then `won` are the winners, and `points` those of the first. `series` has the wins of each player in the games before, if the same ones
   * played again.
   */
  type Seat = {
    variant: string;
    players: string[];
    one: boolean;
    me: string | null;
    at: number;
    tokens: {table?: string; players: Record<string, string>};
    proof?: string;
    version?: number;
    over?: boolean;
    won?: string[];
    points?: number;
    series?: Record<string, number>;
  };

  /** Who plays in a new game; a computer has a strength. */
  type Player = {name: string; strength?: string};

  /** For whom a device is in a new session: for all who share it (`one`), or `me`. */
  type Here = {one?: boolean; me?: string | null; series?: Record<string, number>};

  type Begin = (context: Context, body: any, here: Here) => Promise<string>;
  /** A button that begins a game at once. */
  type Begins = (text: string, context: Context, ask: () => Promise<[body: any, here: Here]>) => Element;

  /** A roll of a history that is verified: `dice` follow from the seed; `written` are those of the history, null if hidden there. */
  type Roll = {version: number; player: string; action: string; dice: Face[]; written: Face[] | null};

  /** What a verification found: the `missing` version, or 0. */
  type Drawn = {digest: string; committed: boolean; rolls: Roll[]; wrong: Roll | undefined; missing: number};

  /**
   * A layout of one's own: `score` returns what it scores, `lay` plays it, `judged` is called when that changes, and `compares` has
   * it compared with the best one.
   */
  type OwnLayout = {score: (layout: object[]) => Promise<any>; lay?: (layout: object[]) => void; judged?: () => void; compares: boolean};

  /** Who is on a sheet that is kept; `key` stays when the name changes. */
  type Scorer = {key: number; name: string};

  /**
   * What a turn brought, by the keys of seats: on a score card one of them, in a `box`. `further` says that its dice earned the
   * bonus for repeats besides.
   */
  type Turn = {points: Record<number, number>; box?: string; dice?: Face[]; further?: boolean};

  /** A score that is kept: `current` is the key of the seat whose turn it is, and `rules` differ from their defaults. */
  type Sheet = {seats: Scorer[]; turns: Turn[]; current: number; rules: Record<string, unknown>};

  /** Changes of a sheet, each of which makes a new one. With null, `corrected` opens the box; what `counts` is added up. */
  type SheetChange = {
    joined: (sheet: Sheet, named: (number: number) => string) => Sheet;
    parted: (sheet: Sheet, gone: number) => Sheet;
    written: (sheet: Sheet, turn: Turn, draft: Draft) => Sheet;
    corrected: (sheet: Sheet, key: number, box: string, score: number | null, counts?: boolean) => Sheet;
  };

  /** What a player has put in the pots, as it was typed. */
  type Stake = {paid: string; folded: boolean};

  /** What is not written yet: the turn that is `edited`, and who goes on after that; points that were typed; the risk die; the box that is chosen, and what it gives. */
  type Draft = {
    edited?: Turn;
    back?: number;
    points: Record<number, number | string>;
    stakes: Record<number, Stake>;
    risk: string;
    box?: string | null;
    preview?: string | null;
  };

  /** The house rules on screen. */
  type Rules = {value: (name?: string) => any; chosen?: Record<string, unknown>};

  /**
   * A kind of game: the `rows` of dice that are entered, with the `options` of their entry; what it finds out about them, with
   * `gains` if points follow, and how that is shown; what lies `beside` it; and, on score cards, the `paper` and the `total` of
   * a player. `alone` says that one player enters dice at a time.
   */
  type Kind = {
    alone?: boolean;
    options?: (game: any, rules: Rules) => object;
    rows: (keeper: any) => Row[];
    find: (keeper: any) => Promise<any>;
    result: (keeper: any) => unknown;
    beside?: (keeper: any) => Element;
    paper?: (keeper: any) => unknown;
    total?: (keeper: any, key: number) => number | string;
  };

  /** Who keeps the score of a game of one kind. */
  type Keeper<Kind extends Entry["kind"]> = AnyKeeper & {game: Extract<Entry, {kind: Kind}>};

  /** What a player at a table has not sent yet: the box that is chosen, and what it gives; whose card is seen; and dice. */
  type TableDraft = {
    box?: string | null;
    preview?: string | null;
    seen?: string;
    entry?: DiceEntry;
    hint?: Advice["options"][number] | null;
    /** The amount of a bet, by its action and player. */
    amounts?: Record<string, string>;
  };

  /** A session, its state, what can be done, and what has happened, as the service returns them. */
  type Now = Any<Schemas["Session"]>;
  type State = Now["state"];
  type Legal = Now["actions"][number];
  type Past = Any<Schemas["SessionHistory"]>;
  type HistoryEvent = Past["events"][number];
  type News = State["news"][number];
  type Review = Any<Schemas["SessionReview"]>;
  type Advice = Any<Schemas["SessionAdvice"]>;

  /** What follows the path of a session, which itself is at "". */
  type Parts = {"": Now; events: Past; review: Review; forecast: Any<Schemas["SessionForecast"]>};
  type AskPart = <Name extends keyof Parts>(id: string, name: Name, context: Context, options?: RequestOptions) => Promise<Parts[Name]>;

  /**
   * Of a request: `wait` in seconds; `accept` another form than JSON, in which the body is then a text; `quiet` leaves the request
   * out of the log, except a change that was waited for; `once`: it is not sent again.
   */
  type RequestOptions = {
    body?: unknown;
    token?: string;
    ifMatch?: string;
    ifNoneMatch?: string;
    key?: string;
    wait?: number;
    signal?: AbortSignal;
    quiet?: boolean;
    once?: boolean;
    accept?: string;
  };

  /** A problem that the service answered with: `type` is its cause, `errors` are what it found. */
  type Found = {status: number; type?: string; detail?: string; errors?: any[]};

  /**
   * Sends requests. It sends the events `exchange` (a new entry in `log`, the newest first), `lost` (no answer, it tries again;
   * once for each try), `busy` (the service is, it tries again), `making` (it tries again once a table is made), and `found`
   * (the service answers again, after the state `before`). `ahead` is how far the clock of the service is ahead, in ms.
   */
  interface Client extends EventTarget {
    log: Exchange[];
    ahead: number;
    /** What changes something has a `key`, so that it is done once. Sent again until the service answers, and while it is busy, unless `once`. Raises `Problem`. */
    request(method: string, path: string, options?: RequestOptions): Promise<{status: number; etag: string | null; body: any}>;
  }

  /** A request with its answer, as the log has it. */
  type Exchange = {method: string; path: string; headers: Record<string, string>; body?: unknown; status: number; etag: string | null; answer: any};

  /** What a view is given: `signal` is aborted when another one is shown, `say` shows a sentence above the view, `calm` takes a good one away. */
  type Context = {
    api: Api;
    catalogue: Catalogue;
    query: URLSearchParams;
    signal: AbortSignal;
    say: (sentence?: string, kind?: "good" | "bad") => void;
    calm: () => void;
    entitle: (before: string) => void;
    go: (fragment: string) => void;
  };
  type View = (root: HTMLElement, params: string[], context: Context) => Promise<void>;

  type Table = AnyTable;
  /**
   * A session as this device sees it, with its seat. It sends `change` for each new state, which follows from an action of this
   * device if it is `acting`, and `problem` with what was refused while it followed. It `acts` for the players of this device, and
   * `dismisses` whom this device can have leave: who has the token of the table, anybody.
   */
  type Session = Joined;

  /** Sends `advised` when the `best` play has changed, and `chosen` with the play of a line that is pressed. */
  type AdvicePanel = Panel;

  /**
   * How a kind of game is played at a table: what lies on the `felt`, and what beside it; what can be done besides, with `commit`;
   * actions that can change nothing; the state `after` a move of a computer; what is different while a first roll is `unrolled`; the places of the dice that were `rolled`; and the end
   * of a hand or round, to look at.
   */
  type TableKind = {
    felt: (table: Table) => unknown;
    side: (table: Table) => unknown;
    commit?: (table: Table) => Element | null;
    vain?: (state: State, action: Legal, now: Now) => boolean;
    after?: (before: State, event: HistoryEvent, game: any, newest: State) => State;
    unrolled?: (state: State) => Partial<State>;
    rolled?: (before: State, now: State, event: HistoryEvent) => number[];
    showdown?: (table: Table, news: News[], before?: State) => unknown;
  };
  type Setting = {root: HTMLElement; session: Session; entry: Game; kind: TableKind; advice: AdvicePanel | null; context: Context; tv: boolean};
  /** What stays on the felt until somebody goes on, by the button `next`; `shown` is the result in it. */
  type Pause = {shown?: any; title?: string; body: unknown; next: string};
}
