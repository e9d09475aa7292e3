import { transactionId, transactionKey, type TransactionId } from '../ids.ts';

/**
 * Where a transaction's id came from: the order's own return address, whose token we signed · a signed
 * webhook · a webhook that anyone could have sent.
 */
export type HintSource = 'return' | 'signed' | 'unsigned';

/** A transaction that a hint named, where ids are asked about: a reason to ask, never proof. */
export interface TransactionHint {
  /** {@link SIGN_OF_MONEY}, or a text from outside that may be no transaction. */
  readonly transactionId: TransactionId;
  readonly source: HintSource;
  /** When it was named first. */
  readonly hintedAt: number;
  /** When the gateway was asked about it last. */
  readonly askedAt: number | null;
  /** When the gateway last answered that in full, and not by a payment that may still change. */
  readonly answeredAt: number | null;
}

/** In place of an id, a sign of money: a success return, or a hint without room for its id. */
export const SIGN_OF_MONEY = transactionId('');

/** In place of an id: a webhook named the order, and no transaction, or nobody looked for its id. */
export const NAMELESS = transactionId(' ');

const isSign = ({ transactionId: id }: Pick<TransactionHint, 'transactionId'>): boolean =>
  id.trim() === '';

/** Whether an order has a sign in place of an id, from a time on. */
export const hasSign = (
  hints: readonly TransactionHint[] = [],
  sign: TransactionId,
  since = -Infinity,
): boolean => hints.some(({ transactionId: id, hintedAt }) => id === sign && hintedAt >= since);

/** What becomes of an order's hints. */
export interface HintChange {
  readonly noted?: readonly Pick<TransactionHint, 'transactionId' | 'source'>[];
  readonly asked?: readonly TransactionId[];
  /** Of those that were asked about. */
  readonly answered?: readonly TransactionId[];
  readonly forgotten?: readonly TransactionId[];
}

/** How many ids of each source an order has at most: forged ids push out no others. Two signs make it 17. */
const limits: Readonly<Record<HintSource, number>> = { return: 4, signed: 6, unsigned: 5 };

const sources: readonly HintSource[] = ['return', 'signed', 'unsigned'];

const weight = ({ source }: Pick<TransactionHint, 'source'>): number => sources.indexOf(source);

const isIn = (ids: readonly TransactionId[]) => {
  const keys = new Set(ids.map(transactionKey));
  return ({ transactionId: id }: TransactionHint): boolean => keys.has(transactionKey(id));
};

/** An order's hints after a change. A hint that did not change is the same object. */
export function changedHints(
  stored: readonly TransactionHint[],
  { noted = [], asked = [], answered = [], forgotten = [] }: HintChange,
  now: number,
): readonly TransactionHint[] {
  // Of several signs the last one counts.
  const renewed = noted.filter(isSign).map((sign) => sign.transactionId);
  const [isAsked, isAnswered] = [isIn(asked), isIn(answered)];
  const isForgotten = isIn([...forgotten, ...renewed]);
  const kept = stored
    .filter((hint) => !isForgotten(hint))
    .map((hint) => (isAsked(hint) ? { ...hint, askedAt: now } : hint))
    .map((hint) => (isAnswered(hint) ? { ...hint, answeredAt: now } : hint));
  return noted.reduce<readonly TransactionHint[]>((hints, one) => withNoted(hints, one, now), kept);
}

/**
 * Adds a hint. Of those that were answered, the one asked about longest ago makes room. Where its source has none,
 * a sign of money takes its place: a person learns of it when the order's checks end without evidence.
 */
function withNoted(
  hints: readonly TransactionHint[],
  noted: Pick<TransactionHint, 'transactionId' | 'source'>,
  now: number,
): readonly TransactionHint[] {
  const known = hints.find(isIn([noted.transactionId]));
  if (known !== undefined && weight(known) <= weight(noted)) return hints;
  const isNew = { hintedAt: now, askedAt: null, answeredAt: null };
  const added = { ...isNew, ...noted, ...known, source: noted.source };
  const others = hints.filter((hint) => hint !== known);
  const peers = others.filter((hint) => hint.source === noted.source && !isSign(hint));
  const tooMany = isSign(noted) ? 0 : peers.length + 1 - limits[noted.source];
  if (tooMany <= 0) return [...others, added];
  const ended = peers
    .filter(({ answeredAt }) => answeredAt !== null)
    .toSorted(byTurn)
    .slice(0, tooMany);
  if (ended.length < tooMany)
    return withNoted(hints, { ...noted, transactionId: SIGN_OF_MONEY }, now);
  return [...others.filter((hint) => !ended.includes(hint)), added];
}

/** How many hints one status check asks about. */
const ASKED_AT_ONCE = 3;

/** What a status check does about an order's hints. */
export interface HintTurn {
  /** The hints that it asks about. */
  readonly asked: readonly TransactionHint[];
  /** Whether the gateway has answered about every other hint. */
  readonly isComplete: boolean;
  /** The hints that need no question of their own, and no room. */
  readonly needless: readonly TransactionId[];
}

/**
 * Chooses the hints that a status check asks about: those never asked about first, then the one asked
 * about longest ago. Ids that anyone may have sent leave room for two others.
 *
 * @param known - Ids that need no question of their own: of money that is bound, and of sessions.
 */
export function hintsToAsk(hints: readonly TransactionHint[], known: readonly string[]): HintTurn {
  const isKnown = isIn(known.map(transactionId));
  const ids = hints.filter((hint) => !isSign(hint));
  const askable = ids.filter((hint) => !isKnown(hint)).toSorted(byTurn);
  const trusted = askable.filter(({ source }) => source !== 'unsigned');
  const others = askable.filter(({ source }) => source === 'unsigned');
  const first = trusted.slice(0, ASKED_AT_ONCE - Math.min(1, others.length));
  const asked = [...first, ...others].slice(0, ASKED_AT_ONCE);
  const isOver = (hint: TransactionHint): boolean => wasAnswered(hint) || asked.includes(hint);
  return {
    asked,
    isComplete: askable.every(isOver),
    needless: ids.filter(isKnown).map((hint) => hint.transactionId),
  };
}

/** Whether the last question about it was answered. */
const wasAnswered = ({ askedAt, answeredAt }: TransactionHint): boolean =>
  answeredAt !== null && answeredAt >= (askedAt ?? 0);

function byTurn(one: TransactionHint, other: TransactionHint): number {
  return (
    (one.askedAt ?? 0) - (other.askedAt ?? 0) ||
    weight(one) - weight(other) ||
    one.hintedAt - other.hintedAt
  );
}
