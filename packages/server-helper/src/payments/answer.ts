import type { TransactionId } from '../ids.ts';
import type { EvidenceRow } from './evidence.ts';

/** What a kind of answer allows. Money in its rows that is exact always pays. */
export interface Allowance {
  /** Whether its declines count, and the totals in it are all. */
  readonly isFull: boolean;
  /** Whether it ends a review of the link's silence. That the link is unknown does not, once it was hinted. */
  readonly heard: 'yes' | 'with rows' | 'unless hinted' | 'no';
  /** Whether the order may get another link: at any time, or once time has ended this one. */
  readonly nextLink: 'yes' | 'once ended' | 'no';
  /** When the order expires without money: at the end of the link's life, or of its watch seven days later. */
  readonly expiry: 'life over' | 'watch over' | 'never';
}

/**
 * Each kind of answer, and what it allows. Every decision reads it here.
 *
 * `silent` none: an error, a time-out, a text that is no answer · `refused` an error about this one
 * question · `unknown` the gateway does not know the session; a shopper who has its address may still
 * pay · `part` rows of the session are missing or cannot be read · `whole` all about the session, rows or
 * none · `transactions` all about each transaction that was asked about; others may have come by the
 * session · `some-transactions` the same, with some of it missing.
 */
export const allows = {
  silent: { isFull: false, heard: 'no', nextLink: 'no', expiry: 'never' },
  refused: { isFull: false, heard: 'no', nextLink: 'once ended', expiry: 'never' },
  unknown: { isFull: false, heard: 'unless hinted', nextLink: 'yes', expiry: 'watch over' },
  part: { isFull: false, heard: 'yes', nextLink: 'no', expiry: 'watch over' },
  whole: { isFull: true, heard: 'yes', nextLink: 'yes', expiry: 'life over' },
  transactions: { isFull: true, heard: 'with rows', nextLink: 'once ended', expiry: 'watch over' },
  'some-transactions': { isFull: false, heard: 'with rows', nextLink: 'no', expiry: 'watch over' },
} as const satisfies Readonly<Record<string, Allowance>>;

export type AnswerKind = keyof typeof allows;

/** What the gateway answered about an attempt, as far as it could be read. */
export interface Answer {
  readonly kind: AnswerKind;
  readonly rows: readonly EvidenceRow[];
  /** How many rows the gateway counts more than it sent. */
  readonly missingRows: number;
  /** How many rows may be money and could not be read, not even their transaction. */
  readonly unreadableMoney: number;
  /** The transactions of the other rows that may be money and could not be read. */
  readonly unreadableIds: readonly TransactionId[];
  /** Money that a webhook alone brought to the attempt, in rows without a name. */
  readonly unattributed: readonly TransactionId[];
  /** Whether there is a sign of money without an id. */
  readonly hasSignOfMoney: boolean;
  /** When the gateway was asked. The answer proves no operation that began later. @defaultValue now */
  readonly askedAt?: number;
}

/** An answer of a kind, which holds nothing but what is given. */
export const answerOf = (kind: AnswerKind, given: Partial<Omit<Answer, 'kind'>> = {}): Answer => ({
  kind,
  rows: [],
  missingRows: 0,
  unreadableMoney: 0,
  unreadableIds: [],
  unattributed: [],
  hasSignOfMoney: false,
  ...given,
});

/** Whether the gateway gave no answer at all about the attempt. */
export const isSilence = ({ kind }: Answer): boolean => kind === 'silent' || kind === 'refused';

/** Whether the gateway knows the attempt, if only that nothing has come. */
export const isKnown = (answer: Answer): boolean => answer.kind !== 'unknown' && !isSilence(answer);
