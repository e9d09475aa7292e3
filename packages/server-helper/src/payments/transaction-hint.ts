import { transactionId, transactionKey, type TransactionId } from '../ids.ts';

/**
 * Where a transaction's id came from: the order's own return address, whose token we signed · a signed
 * webhook · a webhook that anyone could have sent.
 */
export type HintSource = 'return' | 'signed' | 'unsigned';

/**
 * A transaction that a hint named for an order, at a gateway that is asked by transactions. A reason to
 * ask about it, never proof.
 */
export interface TransactionHint {
  /** {@link SUCCESS_RETURN}, or a text from outside that may be no transaction. */
  readonly transactionId: TransactionId;
  readonly source: HintSource;
  /** When it was named first. */
  readonly hintedAt: number;
  /** When the gateway was asked about it last. */
  readonly askedAt: number | null;
}

/** In place of an id: the shopper came back by the success address, which is a sign of money. */
export const SUCCESS_RETURN = transactionId('');

const isSuccessReturn = ({ transactionId: id }: Pick<TransactionHint, 'transactionId'>): boolean =>
  id === SUCCESS_RETURN;

/** Whether the shopper came back by the success address. */
export const cameBackAsPaid = (hints: readonly TransactionHint[]): boolean =>
  hints.some(isSuccessReturn);

/** What becomes of an order's hints. */
export interface HintChange {
  readonly noted?: readonly Pick<TransactionHint, 'transactionId' | 'source'>[];
  readonly asked?: readonly TransactionId[];
  readonly forgotten?: readonly TransactionId[];
}

/**
 * How many ids of each source an order has at most, so that a flood of forged ids cannot push out
 * others. With the success return that makes 16.
 */
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
  { noted = [], asked = [], forgotten = [] }: HintChange,
  now: number,
): readonly TransactionHint[] {
  const [isAsked, isForgotten] = [isIn(asked), isIn(forgotten)];
  const kept = stored
    .filter((hint) => !isForgotten(hint))
    .map((hint) => (isAsked(hint) ? { ...hint, askedAt: now } : hint));
  return noted.reduce<readonly TransactionHint[]>((hints, one) => withNoted(hints, one, now), kept);
}

/**
 * Adds a hint. The one that was asked about longest ago makes room for it; where none of its source
 * was asked about yet, it is not stored.
 */
function withNoted(
  hints: readonly TransactionHint[],
  noted: Pick<TransactionHint, 'transactionId' | 'source'>,
  now: number,
): readonly TransactionHint[] {
  const known = hints.find(isIn([noted.transactionId]));
  if (known !== undefined && weight(known) <= weight(noted)) return hints;
  const added = { hintedAt: now, askedAt: null, ...noted, ...known, source: noted.source };
  const others = hints.filter((hint) => hint !== known);
  const peers = others.filter((hint) => hint.source === noted.source && !isSuccessReturn(hint));
  const tooMany = isSuccessReturn(noted) ? 0 : peers.length + 1 - limits[noted.source];
  if (tooMany <= 0) return [...others, added];
  const ended = peers
    .filter(({ askedAt }) => askedAt !== null)
    .toSorted(byTurn)
    .slice(0, tooMany);
  if (ended.length < tooMany) return hints;
  return [...others.filter((hint) => !ended.includes(hint)), added];
}

/** How many hints one status check asks about. */
const ASKED_AT_ONCE = 3;

/**
 * The hints that a status check asks about: those never asked about first, then the one asked about
 * longest ago. Ids that anyone may have sent leave room for two others.
 *
 * @param known - Ids that need no question of their own: of money that is bound, and of sessions.
 * @param most - How many.
 */
export function hintsToAsk(
  hints: readonly TransactionHint[],
  known: readonly string[],
  most = ASKED_AT_ONCE,
): readonly TransactionHint[] {
  const isKnown = isIn(known.map(transactionId));
  const askable = hints.filter((hint) => !isSuccessReturn(hint) && !isKnown(hint)).toSorted(byTurn);
  const trusted = askable.filter(({ source }) => source !== 'unsigned').slice(0, most);
  const others = askable.filter(({ source }) => source === 'unsigned').slice(0, most);
  const first = trusted.slice(0, most - Math.min(1, others.length));
  return [...first, ...others].slice(0, most);
}

function byTurn(one: TransactionHint, other: TransactionHint): number {
  return (
    (one.askedAt ?? 0) - (other.askedAt ?? 0) ||
    weight(one) - weight(other) ||
    one.hintedAt - other.hintedAt
  );
}
