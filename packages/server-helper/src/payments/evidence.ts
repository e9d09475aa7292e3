import { transactionKey, type TransactionId } from '../ids.ts';

/**
 * One row of a status answer that we fetched ourselves (§2.2). The strings are the gateway's own:
 * judging them is `judge.ts`'s work, and an unknown word must reach it unchanged.
 */
export interface EvidenceRow {
  readonly transactionId: TransactionId;
  readonly amount: string;
  readonly transactionStatus: string;
  readonly paymentStatus: string;
  readonly refundStatus?: string | undefined;
  readonly totalRefundAmount?: string | undefined;
  /** Which order the gateway says it is for, where the row bears it (assumption N6). */
  readonly merchantOrderId?: string | undefined;
  /** Numeric or alphabetic ISO 4217 code, where the row bears it (assumption N6). */
  readonly currencyCode?: string | undefined;
  /** Charges the customer again, where the row bears it (assumption N10). */
  readonly recurringToken?: string | undefined;
}

/** A status row as far as it was judged. */
export type StatusRow = Pick<
  EvidenceRow,
  | 'transactionId'
  | 'amount'
  | 'transactionStatus'
  | 'paymentStatus'
  | 'refundStatus'
  | 'totalRefundAmount'
>;

/** The fields of a row that the log stores: no card and no token. */
export function statusRow(row: EvidenceRow): StatusRow {
  const { transactionId, amount, transactionStatus, paymentStatus } = row;
  const { refundStatus, totalRefundAmount } = row;
  return {
    transactionId,
    amount,
    transactionStatus,
    paymentStatus,
    refundStatus,
    totalRefundAmount,
  };
}

/** Writes a transaction's id as the order knows it, or as it came first. */
export function spelling(known: readonly TransactionId[]): (id: TransactionId) => TransactionId {
  const spellings = new Map<string, TransactionId>();
  const spell = (id: TransactionId): TransactionId => {
    const key = transactionKey(id);
    const first = spellings.get(key) ?? id;
    spellings.set(key, first);
    return first;
  };
  for (const id of known) spell(id);
  return spell;
}

/** Words that deny money, exactly as written (assumption N4). */
const denials: ReadonlySet<unknown> = new Set(['FAILED', 'PENDING', 'DECLINED']);

const is = (word: unknown, wanted: string): boolean =>
  typeof word === 'string' && word.trim().toUpperCase() === wanted;

/** The two words of a row, as the gateway wrote them, whatever they are. */
interface Words {
  readonly transactionStatus?: unknown;
  readonly paymentStatus?: unknown;
}

/** Payment is confirmed only by both words, exactly (§2.2). */
export const isMoney = ({ transactionStatus, paymentStatus }: Words): boolean =>
  transactionStatus === 'SUCCESS' && paymentStatus === 'APPROVED';

/** Whether one of the two words says money, in any case, and neither denies it. */
export const mayBeMoney = ({ transactionStatus, paymentStatus }: Words): boolean =>
  (is(transactionStatus, 'SUCCESS') || is(paymentStatus, 'APPROVED')) &&
  !denials.has(transactionStatus) &&
  !denials.has(paymentStatus);
