"""What is wrong with a value: the codes of all violations, with their texts.

Each text is a phrase that follows the path to the value: "must be …", "is …". The values in it are
fields of the violation for clients. They have the same names in all texts:

- `minimum`, `maximum`, `step`: the bounds of a number, or of the length of a list or a text
- `allowed`, `numbers`: the words or numbers to choose from
- `count`: how many there are
- `other`, `others`: JSON pointers to other values
- `clause`: the rule, by its number in the catalogue
"""

from __future__ import annotations

from enum import unique

from service.rules.sentences import Wording


@unique
class Breach(Wording):
    """The codes of violations."""

    # Values of any request
    MISSING = "is missing"
    NULL = "must not be null"
    NOT_AN_OBJECT = "must be an object"
    UNKNOWN_FIELD = "is not a known field; the fields are {allowed}"
    NO_FIELDS = "is not a known field; there are none"
    UNKNOWN_PARAMETER = "is not a known query parameter; the parameters are {allowed}"
    NO_PARAMETERS = "is not a known query parameter; there are none"
    NOT_A_FLAG = "must be true or false"
    NOT_ONE_OF = "must be one of {allowed}"
    NOT_ONE_OF_NUMBERS = "must be one of {numbers}"
    NOT_ALLOWED = "must be {numbers:any}{nullable:?, or null}"
    OUT_OF_RANGE = (
        "must be {whole:?a whole number }between {minimum} and {maximum}{nullable:?, or null}"
    )
    NOT_A_MULTIPLE = (
        "must be a whole number between {minimum} and {maximum} and a multiple of {step}"
        "{nullable:?, or null}"
    )
    SECONDS_OUT_OF_RANGE = "must be a whole number of seconds between {minimum} and {maximum}"
    NOT_A_STRING = "must be a string of {minimum} to {maximum} characters"
    TOO_LONG = "must be a string of up to {maximum} characters"
    FORBIDDEN_CHARACTER = (
        "must not hold control, invisible or text direction characters: character {place} is "
        "{character}"
    )
    NOT_A_LIST = "must be a list of {of:name}"
    NOT_A_LIST_UP_TO = "must be a list of up to {maximum} {of:name}"
    NOT_A_LIST_BETWEEN = "must be a list of {minimum} to {maximum} {of:name}{clause:cited}"
    REPEATED = "repeats {value}"
    TOO_DEEP = "has more than {maximum} levels of lists and objects"
    NOT_JSON = "must be valid JSON: {message}"
    GIVEN_TWICE = "must be given once"
    ONLY_FOR = "is only for {media_type}"
    ONLY_IN_BODY = "is only for {media_type}; with {other_type}, put the house rules in the body"
    ESCAPED_NAME = "must have its name written without escapes"
    GIVEN_TOGETHER = "is missing: it is given together with {other}"

    # Batches
    TOO_MANY_BYTES = "must not take more than {maximum} bytes"
    WRONG_COLUMNS = "must hold one column dice, {allowed:any}; it holds {present}"
    WRONG_TYPE = "must be {allowed:any}, not {type}; cast it"
    COMPRESSED = (
        "must not contain compressed record batches; use Content-Encoding: gzip for the whole body"
    )
    NAME_OF_ANSWER = "has the name of an answer; rename it"
    TOO_MANY_ROWS = "must have record batches of at most {maximum:,} rows beside other columns"
    TOO_MANY_COLUMNS = "must have at most {maximum:,} columns, nested ones included"
    UNREPEATABLE = "is {type}, which no response can repeat; leave the column out"
    HOLDS_NULLS = "must not hold nulls"
    NOT_JSON_ROLLS = 'must be JSON, such as [["As", "Ks"]]'

    # Games, house rules and players
    CHOICE_MISSING = "is missing; must be one of {allowed}"
    UNKNOWN_HOUSE_RULE = "is not a house rule of this game; it has {allowed}"
    WRONG_NUMBER_OF_PLAYERS = "must hold {minimum} to {maximum} players, not {count}"
    NOT_BY_PLAYER = "must be an object with a field for each of up to {maximum} players"
    ID_TAKEN = "is already the id of {other}"
    NAME_TAKEN = "is already the name of {other}"
    ENDLESS = "must hold turns or target_score: a game without both never ends"

    # Dice
    WRONG_NUMBER_OF_DICE = "must hold {numbers:any} {maximum:die|dice}, not {count}"
    OTHER_NUMBER_OF_DICE = "must hold {numbers:any} dice, like the hands before, not {count}"
    NOT_DICE = "must be dice such as {example}, not {value:quoted}"
    NOT_A_SUITED_DIE = (
        "must be a number from {minimum} to {maximum} and a suit letter ({suits}), such as "
        "{example}"
    )
    NOT_A_NAMED_DIE = "must be one of {allowed} and a suit letter ({suits}), such as {example}"
    NOT_A_DIE_CODE = "must be the code of a die, from {minimum} to {maximum}"
    DIE_OF_STRING = "die {die} of the string {why}"
    NOT_AN_INDEX = "must be the index of a die, from {minimum} to {maximum}"
    NOT_A_LIST_OF_INDEXES = "must be a list of up to {maximum} dice, by their indexes from 0"
    REPEATED_DIE = "repeats die {die}"
    KEPT = "must stay {face}, because that die was kept"
    NOT_ONE_FACE = "must be a list of one face: {numbers}"

    # Actions of sessions
    NOT_AN_ACTION = "must be the name of an action"
    ACTION_MISSING = "is missing; it must be the name of an action"
    GAME_OVER = "can't be performed: the game is over"
    ILLEGAL_ACTION = "must be {allowed:any} now"
    NOT_IN_GAME = "must be a player who is still in the game: {allowed:any}"
    NOT_YOUR_TURN = "can't {action} now; only {allowed:any} can"
    NOT_A_VALUE = "is not a field of {action}; it has {allowed}"
    NOTHING_TO_CHOOSE = "must be left out: there is nothing to choose"
    SERVICE_ROLLS = "must be omitted: the service rolls the dice in this session"
    ROLLS_NO_DICE = "must be left out: {action} rolls no dice"
    NOT_EXACTLY_ONE = "must have exactly one of {allowed:all}"
    DICE_MISSING = "is missing: this game's dice are typed in"
    AFTER_DICE = "must be sent later: the action before it shows dice that nobody knows yet"
    NOTHING_TO_TAKE_BACK = "can't be performed: there is no choice to take back"
    DICE_SHOWN = "can't be performed: the last action showed dice that nobody knew before it"
    TAKE_BACK_ALONE = "can't be performed together with other actions"
    NO_COMPUTERS = "can't be used: this game has no advice by which computers could play"
    COMPUTER_DECIDES = "can't be performed: {player} is a computer, and decides itself"
    ONE_WITH_COMPUTERS = "must hold one action, as computers play after each"
    TIME_NOT_UP = "must be the time at which the clock ran out"

    TOO_FEW_WITH_CHIPS = "must have chips for at least {minimum} players"

    # Rankings
    DOES_NOT_COUNT = "must be rolled again: {rank:name} doesn't count ({clause})"

    # Pockets and the community
    FIXED_BETS_NEED_LIMIT = (
        "contradicts {other}: bets of a fixed size are only for betting with a limit ({clause})"
    )
    SMALL_BLIND_ABOVE_BIG = (
        "contradicts {other}: the small blind can't be above the big blind ({clause})"
    )
    CHIPS_TOO_FEW = "must be at least {minimum}: a chip for each of {other} ({clause})"
    PAID_BY_SOME = "is missing: give what was paid for every player, or for none"
    ALL_FOLDED = "must hold at least one player who has not folded"
    POCKET_MISSING = (
        "is missing; only a player who has folded, or the last one left, may omit it ({clause})"
    )
    TOO_FEW_DICE = "need {count} dice, community included; the set has {maximum} ({clause})"
    TOO_MANY_OF_SUIT = (
        "is {suit:name} die number {count} on this table; the set has {maximum} ({clause})"
    )
    SUIT_USED_UP = "can't be {suit:name}: the set has only {maximum} {suit:name} dice ({clause})"
    OTHER_SUIT = "must be {suit:name}, like the die that is rolled again"
    FEWER_THAN_KNOWN = "must be at least {minimum}, because as many pockets are known"

    # Score cards
    NOT_A_CARD = "must be an object of boxes and scores"
    NOT_A_BOX = "is not a box of this card; boxes are {allowed}"
    IMPOSSIBLE_SCORE = (
        "must be a score that a roll can give there ({numbers}), or null while the box is open"
    )
    IMPOSSIBLE_POINTS = "must be {numbers:any}: a turn can bring nothing else there"
    OUT_OF_TURN = "must have {maximum} filled {maximum:box|boxes}, not {count}: turns go in order"
    CARDS_FULL = "must have an open box: all cards are full"
    BOX_USED = "is already used{score:?, with a score of }{score}; open boxes: {allowed}"
    NOT_TO_ACT = "is allowed only for the player whose turn it is: {allowed:any}"
    NOTHING_TO_DECIDE = "must leave something to decide: the turn is over"
    CARD_FULL = "must have an open box: the card is full"
    ZERO_REFUSED = "must be {allowed:any}, where the dice score: a zero is refused ({clause})"
    NO_OPEN_BOX = "must be left out, because the card is full"
    BOX_OPEN = "is allowed only with open_boxes that exclude {box} ({clause})"
    NO_REPEATS = "must be 0 without the house rule {house_rule} ({clause})"
    TOO_MANY_REPEATS = (
        "must be at most {maximum}: each one needs a score in {box}, and another used box "
        "({clause})"
    )
    NOT_AS_IN_CARD = "must be {minimum}, as in the card"
    ONLY_WITHOUT_CARD = "is allowed only without card"
    ONLY_WITH_DICE = "is allowed only with dice"
    ONLY_TO_WIN = "is allowed only with the goal win"
    NO_MORE_ROLLS = (
        "must be a whole number between {minimum} and {maximum}: a turn has {rolls} rolls"
    )
    TOO_MANY_OPEN = "has too many open boxes to advise on: {why}"
    TOO_MANY_TURNS = "must hold at most {maximum} {maximum:turn|turns}, one for each open box"
    TOO_MANY_ROLLS = "must hold at most {maximum} {maximum:roll|rolls}, as a turn has"
    NO_ROLL = "must hold a roll, unless the box is crossed out"
    WRONG_NUMBER_OF_KEEPS = "must hold {maximum}, one for each roll but the last, not {count}"
    ONLY_WITH_BOX = "is allowed only with a box"
    BOX_MISSING = "is required in each turn but the last"

    # Rolls of cards
    NOT_A_FACE = (
        "must be a rank (2 to 9, T or 10, J, Q, K, A) and a suit letter ({suits}), such as "
        "{example}, or {blank} for a blank"
    )
    WRONG_FIRST_ROLL = "must hold {maximum} faces, not {count} ({clause})"
    WRONG_LATER_ROLL = (
        "must hold {maximum} {maximum:face|faces}, one for each blank of the previous roll, not "
        "{count} ({clause})"
    )
    NO_BLANK_FOR_IT = "is one face too many: the previous roll has no blank for it ({clause})"
    CARD_TWICE = (
        "shows {card}, and so {others:does|do} {others:all}; the set has each card once ({clause})"
    )
    CARD_ROLLED_BEFORE = (
        "shows {card}, and so {dice:does|do} {dice:dice}; the set has each card once ({clause})"
    )
    BEFORE_FIRST_ROLL = "is allowed only after the first roll"

    # Layouts
    NOT_A_DIE = "must be the number of a die in the first roll, from {minimum} to {maximum}"
    HOLDS_BLANKS = (
        "holds {dice:dice}, which {dice:shows a blank|show blanks}; a blank can't be in a hand "
        "({clause})"
    )
    NOT_A_HAND = "is not a hand: {cards:spaced} on {dice:dice} ({clause})"
    SHARES_UNCONNECTED = (
        "shares {dice:dice} with {other}; hands can't share dice in an unconnected layout "
        "({clause})"
    )
    SHARES_PARALLEL = "shares {dice:dice} with {other}; parallel hands can't share dice ({clause})"
    SHARES_SEVERAL = (
        "shares {dice:dice} with {other}; two hands can share at most one die ({clause})"
    )
    IN_TOO_MANY_HANDS = (
        "is die {die}, which is in {count} hands; a die can be in at most {maximum} ({clause})"
    )
    PLACE_MISSING = "is missing: hands run across or down unless max_uses is above 2 ({clause})"
    IN_TWO_PLACES = (
        "puts die {die} in row {row}, column {column}, but {other} puts it in row {other_row}, "
        "column {other_column} ({clause})"
    )
    PLACE_TAKEN = (
        "puts die {die} in row {row}, column {column}, but {other} puts die {other_die} there "
        "({clause})"
    )
    TOUCHING_IN_ROW = (
        "has {dice:dice} next to each other in row {row}, but they are not a hand of the layout "
        "({clause})"
    )
    TOUCHING_IN_COLUMN = (
        "has {dice:dice} next to each other in column {column}, but they are not a hand of the "
        "layout ({clause})"
    )
    NOT_CONNECTED = (
        "has {count} groups that share no die; all hands must be connected ({clause}): "
        "{groups:groups}"
    )
    STANDS_ALONE = "is a {hand:name} that crosses no other hand, so it doesn't count ({clause})"
    TOO_LONG_SEARCH = (
        "is one turn too many: the searches of one request may take {maximum} steps, and the turns "
        "before it used them up. Rank the players in several requests, and compare their strengths"
    )
    TOO_MANY_FOR_SEARCH = (
        "must hold at most {maximum} players, not {count}, with repeated_cards or max_uses above 2"
    )


@unique
class TooMuch(Wording):
    """Why advice on a score card takes too long."""

    SUMS = "more than {maximum} sums of sets of upper boxes are too many"
    BOXES = "more than {maximum} open boxes of a section are too many"
    OPEN_BOXES = "{count} open boxes are too many to solve at once"
    STATES = "the states of a card are more than {maximum}"
    WORK = "{count} states of these dice take too long to solve"
    KEEPS = "there are too many different keeps of {count} dice"
