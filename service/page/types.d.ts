/** The types of the page: those of the contract (build/contract.ts is made of it), and what the scripts hand to each other. */

import type {components} from "contract";
import type {Keeper as AnyKeeper} from "./static/score.js";

type Schemas = components["schemas"];
type Entry = Schemas["CatalogueEntry"];
/** What only some games have may be missing. */
type Some<T, K extends PropertyKey> = Partial<Pick<T, Extract<keyof T, K>>>;

declare global {
  /** As the service writes it; null is a hidden die. */
  type Face = number | string | null;
  type Dice = Schemas["Dice"];

  /** `label` replaces the name of the face for screen readers; `data` are further attributes. */
  type DieOptions = {dice: Dice; label?: string; onclick?: (event: Event) => void; pressed?: boolean; disabled?: boolean; class?: string; data?: Record<string, unknown>};
  type DiceOptions = {dice: Dice; label: string; count?: number; best?: Face[]};
  type Pot = {amount: number; eligible: string[]; payouts?: Record<string, number>};
  type SheetOptions<Whose> = {game: any; caption?: string; cell?: (whose: Whose, box: any, score: number | null) => any};

  /** A hand of a layout, and a card, as the service returns them. */
  type Hand = {hand: string; cards: string[]; dice: number[]; points: number; reason: string; direction?: "across" | "down"; row?: number; column?: number};
  type Card = {scores: Record<string, number | null>; upper: number; bonus: number; lower: number; total: number};

  /** The places for `count` dice; `after` stands behind them. */
  type Row = {key: string; label: string; count: number; after?: HTMLElement};

  /** A game as the catalogue has it. */
  type Game = Omit<Schemas["RankingEntry"], "kind" | "hand_size" | "ranks"> & {kind: Entry["kind"]} & Some<Schemas["ScorecardEntry"], "boxes" | "repeats" | "upper_bonus">;

  /**
   * A seat in a session: `one` says that all players share this device; otherwise it is that of `me`, or with null a screen for all.
   * `proof` is the commitment to the seed of the dice, as it was when this device first saw it, and `version` the last version that
   * it saw when it opened the table, or at the end, which `over` says. `series` has the wins of each player in the games before, if the same ones
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
    series?: Record<string, number>;
  };

  /** Who plays in a new game; a computer has a strength. */
  type Player = {name: string; strength?: string};

  /** A roll of a history that is verified: `dice` follow from the seed; `written` are those of the history, null if hidden there. */
  type Roll = {version: number; player: string; action: string; dice: Face[]; written: Face[] | null};

  /** A layout of one's own: `score` returns what it scores, `lay` plays it; `open`: there is nothing else to see. */
  type OwnLayout = {score: (layout: object[]) => Promise<any>; lay?: (layout: object[]) => void; open?: boolean};

  /** Who is on a sheet that is kept; `key` stays when the name changes. */
  type Column = {key: number; name: string};

  /**
   * What a turn brought, by the keys of seats: on a score card one of them, in a `box`. `further` says that its dice earned the
   * bonus for repeats besides.
   */
  type Turn = {points: Record<number, number>; box?: string; dice?: Face[]; further?: boolean};

  /** A score that is kept: `current` is the key of the seat whose turn it is, and `rules` differ from their defaults. */
  type Sheet = {seats: Column[]; turns: Turn[]; current: number; rules: Record<string, unknown>};

  /** What a player has put in the pots, as it was typed. */
  type Stake = {paid: string; folded: boolean};

  /** What is not written yet: the turn that is `edited`, and who goes on after that; points that were typed; the risk die. */
  type Draft = {edited?: Turn; back?: number; points: Record<number, number | string>; stakes: Record<number, Stake>; risk: string};

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

  /** What a player at a table has not sent yet: the box that is chosen, and what it gives; whose card is seen; dice; and a layout. */
  type TableDraft = {box?: string | null; preview?: string | null; crossing?: boolean; seen?: string; entry?: HTMLElement; own?: any};

  /** A table as the kinds of games draw it. */
  type Table = {entry: any; state: any; actions: any[]; draft: TableDraft; narrow: boolean; draw: () => void; act: (action: any, values: object) => any; ask: (operation: string, body: object) => Promise<any>};
}
