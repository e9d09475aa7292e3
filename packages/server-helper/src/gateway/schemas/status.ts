import { z } from 'zod';
import { transactionId, type TransactionId } from '../../ids.ts';
import { mayBeMoney } from '../../payments/evidence.ts';
import { decidingText, mayBeAbsent, mayInform, infoText, wireId } from './answer-fields.ts';
import { filledText } from './input-fields.ts';

/** The subject of a status call: a checkout session or a transaction (contradiction X2). */
export type StatusInput =
  | {
      /** The checkout session's id, from `createPaymentLink`. */
      readonly sessionId: string;
    }
  | {
      /** The transaction's UUID, from a sale or an earlier status. */
      readonly transactionId: string;
    };

/** Which transaction is polled (§4.8). */
export interface PollInput {
  /** The transaction's UUID, from a sale. */
  readonly transactionId: string;
}

/** One transaction as the gateway states it (§2.2); its words unchanged. */
export interface Transaction {
  /**
   * The gateway transaction's UUID: what a refund names. It may equal the session's id
   * (contradiction X2).
   */
  readonly transactionId: TransactionId;
  /** Decimal string, two decimals. */
  readonly amount: string;
  /** `SUCCESS`, `FAILED`, `PENDING`, or a word we do not know. */
  readonly transactionStatus: string;
  /**
   * `APPROVED` confirms payment; other words are not shown (assumption N4). Empty where the row
   * bears none, `unreadable` where it is no text.
   */
  readonly paymentStatus: string;
  /** `NONE`, `PARTIAL`, `FULL`; `unreadable` where it is no text. */
  readonly refundStatus?: string | undefined;
  /** Decimal string, two decimals; `unreadable` where it is neither text nor number. */
  readonly totalRefundAmount?: string | undefined;
  /**
   * Which order the gateway says it is for, where the row bears it (assumption N6). Payments hold it
   * against theirs only where it has the form `<orderId>~<n>`; the gateway may put its own number here.
   */
  readonly merchantOrderId?: string | undefined;
  /** ISO 4217 code, numeric or alphabetic, where the row bears it (assumption N6). */
  readonly currencyCode?: string | undefined;
  /** Masked card number. */
  readonly pan?: string | undefined;
  /** Code of the card scheme. */
  readonly cardScheme?: string | undefined;
  /** Charges this customer again; only after a payment that was made for it (assumption N10). */
  readonly recurringToken?: string | undefined;
  /** The issuer's reason, where the row bears it (assumption N6). */
  readonly declineReason?: string | undefined;
}

/** What happened, rows in the gateway's order. */
export interface Status {
  /**
   * One for each payment that was tried, in the gateway's order; none for an unused page.
   */
  readonly transactions: readonly Transaction[];
}

/** @see PollInput */
export const pollInput: z.ZodType<PollInput> = z.strictObject({ transactionId: filledText });

/** @see StatusInput */
export const statusInput: z.ZodType<StatusInput> = z.union([
  z.strictObject({ sessionId: filledText }),
  z.strictObject({ transactionId: filledText }),
]);

/** Takes the place of a word about money that is no text: it confirms nothing and hides nothing. */
const UNREADABLE = 'unreadable';

/** An amount that has two decimals or fewer; fifteen digits at most, which a number holds exactly. */
const SHORT_AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Writes an amount with its two decimals; every other text stays as it is, for the judge. */
function withTwoDecimals(amount: string | number): string {
  const [text, whole, decimals = ''] = SHORT_AMOUNT.exec(String(amount)) ?? [String(amount)];
  return whole === undefined ? text : `${whole}.${decimals.padEnd(2, '0')}`;
}

/**
 * One transaction of a status answer: the stated fields (§2.2) and the ones that may appear
 * (assumption N6); the profile may name another field. Words and amounts stay text here: what they mean is judged elsewhere. Only what
 * a row is nothing without makes it unreadable: its transaction, its amount and its status.
 */
const statusRow = z.looseObject({
  transactionId: wireId,
  amount: decidingText,
  transactionStatus: decidingText,
  paymentStatus: decidingText.nullish().catch(UNREADABLE),
  refundStatus: mayBeAbsent.catch(UNREADABLE),
  totalRefundAmount: z
    .union([infoText, z.number()])
    .transform(withTwoDecimals)
    .nullish()
    .catch(UNREADABLE),
  pan: mayBeAbsent.catch(null), // A number here may be a whole card's.
  cardScheme: mayBeAbsent.catch(null),
  merchantOrderId: mayInform,
  orderId: mayInform,
  currencyCode: z
    .int()
    .transform((code) => String(code).padStart(3, '0'))
    .or(mayInform)
    .catch(undefined),
  recurringToken: mayBeAbsent.catch(null),
  declineReason: mayInform,
});

/** `data` of a status answer (§4.2). */
export const statusData = z.object({
  content: z.array(statusRow).max(1_000),
  // A missing count does not invalidate the rows; whether there are more is then unknown.
  totalElements: z.number().nullish().catch(null),
});

const anyRows = z.object({ content: z.array(z.unknown()).max(1_000) });

/** The rows of an answer that can be read, where others cannot. */
export function readableRows(data: unknown): readonly StatusRow[] {
  const { content = [] } = anyRows.safeParse(data).data ?? {};
  return content.flatMap((row) => statusRow.safeParse(row).data ?? []);
}

/** The words of any row; nothing else in it is checked. */
const words = z.object({
  transactionStatus: z.unknown().optional(),
  paymentStatus: z.unknown().optional(),
});

const wordsSayMoney = (row: unknown): boolean => mayBeMoney(words.safeParse(row).data ?? {});

/** The transaction of any row; nothing else in it is checked. */
const named = z.object({ transactionId: wireId.transform(transactionId) });

const transactionOf = (row: unknown): TransactionId | null =>
  named.safeParse(row).data?.transactionId ?? null;

/**
 * The rows of an answer that may be money and cannot be read, each by its transaction; `null` for one
 * whose transaction cannot be read either.
 */
export function unreadableMoneyIn(data: unknown): readonly (TransactionId | null)[] {
  const { content = [] } = anyRows.safeParse(data).data ?? {};
  return content
    .filter((row) => !statusRow.safeParse(row).success && wordsSayMoney(row))
    .map(transactionOf);
}

/** The same of an answer whose envelope is not as specified, so that none of its rows counts. */
export function moneyInside(body: unknown): readonly (TransactionId | null)[] {
  const { data } = z.object({ data: z.unknown() }).safeParse(body).data ?? {};
  const { content = [] } = anyRows.safeParse(data).data ?? {};
  return content.filter(wordsSayMoney).map(transactionOf);
}

/** One decoded row, still in the gateway's spelling. */
export type StatusRow = z.infer<typeof statusRow>;
