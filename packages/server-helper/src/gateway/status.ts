import { z } from 'zod';
import { isMerchantOrderId, transactionId, type TransactionId } from '../ids.ts';
import { currencyOf } from '../money.ts';
import { type EvidenceRow, mayBeMoney } from '../payments/answer.ts';
import { keysOf, noteKeys } from './answer.ts';
import type { Call, Caller, CallOptions } from './call.ts';
import {
  decidingText,
  type Fields,
  filled,
  filledText,
  foreseen,
  infoText,
  isFields,
  mayBeText,
  mayInform,
  numberOr,
  oneOf,
  readInput,
  wireId,
} from './fields.ts';
import type { GatewayError } from './gateway-error.ts';
import { NO_ERROR } from './meaning.ts';
import { change, may, operationsOf, payment } from './operation.ts';
import { maskedPan } from './quotable.ts';

/** Which transaction is polled (§4.8). */
export interface PollInput {
  /** The transaction's UUID, from a sale or an earlier status. */
  readonly transactionId: string;
}

/** The subject of a status call: a checkout session or a transaction (contradiction X2). */
export type StatusInput =
  | {
      /** The checkout session's id, from `createPaymentLink`. */
      readonly sessionId: string;
    }
  | PollInput;

/** One transaction as the gateway states it (§2.2); its words unchanged. */
export interface Transaction extends EvidenceRow {
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
  /** Masked card number. */
  readonly pan?: string | undefined;
  /** Code of the card scheme. */
  readonly cardScheme?: string | undefined;
  /** The issuer's reason, where the row bears it (assumption N6). */
  readonly declineReason?: string | undefined;
}

/** What happened, rows in the gateway's order. */
export interface Status {
  /** One for each payment that was tried, in the gateway's order; none for an unused page. */
  readonly transactions: readonly Transaction[];
}

/** What became of a payment (§4.2, §4.8). */
export interface StatusMethods {
  /**
   * Retrieves what happened in a session or to a transaction (§4.2), rows in the gateway's order.
   * The query's name is `id` unless the profile's `status.parameter` says otherwise (contradiction X1); what
   * it identifies is contradiction X2. Moves no money and is sent again after a passing fault.
   *
   * @throws {@link GatewayError} `not_found` for an unknown id. An error says nothing about the money.
   * @example
   * const { transactions } = await client.retrieveStatus({
   *   sessionId: '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01',
   * });
   * const isPaid = transactions.some(
   *   (one) =>
   *     one.transactionStatus === 'SUCCESS' &&
   *     one.paymentStatus === 'APPROVED' &&
   *     one.amount === '115.00',
   * );
   * console.log(isPaid);
   */
  retrieveStatus(input: StatusInput, options?: CallOptions): Promise<Status>;
  /**
   * Polls a server-to-server payment (§4.8, assumed: N11, the same call as
   * {@link StatusMethods.retrieveStatus} with the transaction's id).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id. An error says nothing about the money.
   * @example
   * const transactionId = 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311'; // From a sale.
   * const { transactions } = await client.pollStatus({ transactionId });
   * console.log(transactions[0]?.transactionStatus);
   */
  pollStatus(input: PollInput, options?: CallOptions): Promise<Status>;
}

const pollInput: z.ZodType<PollInput> = z.strictObject({ transactionId: filledText });

const statusInput: z.ZodType<StatusInput> = z.strictObject({ sessionId: filledText }).or(pollInput);

/** Takes the place of a word about money that is no text: it confirms nothing and hides nothing. */
const UNREADABLE = 'unreadable';

/** An amount that has two decimals or fewer; fifteen digits at most, which a number holds exactly. */
const SHORT_AMOUNT = /^(\d{1,13})(?:\.(\d{1,2}))?$/;

/** Writes an amount with its two decimals; every other text stays as it is, for the judge. */
function withTwoDecimals(amount: string | number): string {
  const [text, whole, decimals = ''] = SHORT_AMOUNT.exec(String(amount)) ?? [String(amount)];
  return whole === undefined ? text : `${whole}.${decimals.padEnd(2, '0')}`;
}

const mayBeCurrency = z
  .int()
  .transform((code) => String(code).padStart(3, '0'))
  .or(mayInform)
  .catch(undefined);

/**
 * One transaction of a status answer: the stated fields (§2.2) and the ones that may appear (assumption N6);
 * the profile may name another field. Words and amounts stay text here, to be judged elsewhere. Only what a
 * row is nothing without makes it unreadable: its transaction, its amount and its status.
 */
const statusRow = z.looseObject({
  transactionId: wireId,
  amount: decidingText,
  transactionStatus: oneOf('SUCCESS|FAILED|PENDING', decidingText),
  paymentStatus: oneOf('APPROVED|DECLINED|PENDING', decidingText).nullish().catch(UNREADABLE),
  refundStatus: oneOf('NONE|PARTIAL|FULL', infoText).nullish().catch(UNREADABLE),
  totalRefundAmount: z
    .union([infoText, z.number()])
    .transform(withTwoDecimals)
    .meta({ type: 'string' })
    .nullish()
    .catch(UNREADABLE),
  pan: mayBeText, // A number here may be a whole card's.
  cardScheme: mayBeText,
  merchantOrderId: mayInform,
  orderId: mayInform,
  currencyCode: mayBeCurrency,
  currency: mayBeCurrency,
  recurringToken: mayBeText,
  declineReason: mayInform,
  type: mayInform,
});

const MAX_ROWS = 1_000;

const count = numberOr(/^\d{1,9}$/).meta({ type: 'number' });

const page = z.object({
  content: z.array(statusRow).max(MAX_ROWS),
  // A missing count does not invalidate the rows; whether there are more is then unknown.
  totalElements: count.nullish().catch(null),
});

/** `data` of a status answer (§4.2). */
export const statusData = z.preprocess(asPage, page);

/** The same with the fields of a notification, which a row may have too (assumptions N6 and N13). */
const foreseenData = page.extend({
  content: z.array(
    statusRow.extend(foreseen('rrn', 'createdAt', 'finishedAt', 'cardNumber', 'status', 'reason')),
  ),
});

/** Whether a value is nothing in a plain form. */
const isNone = (value: unknown): boolean =>
  (value ?? '') === '' || (value instanceof Object && Object.keys(value).length === 0);

/**
 * The data of a status answer with its rows in a list. "No rows" has other spellings than `[]`: no
 * data, data without a value, and a list that is nothing or, beside a count of 0, absent. One row may
 * come without a list. Data with rows in another place, with an error, or with other fields and no count,
 * cannot be read.
 */
export function asPage(data: unknown): unknown {
  if (isNone(data)) return { content: [] };
  if (!isFields(data)) return data;
  const { content, totalElements = null } = data;
  if (isFields(content) && !hasNoRow(content)) return { ...data, content: [content] };
  const isZero = count.safeParse(totalElements).data === 0;
  const isNull = 'content' in data || Object.values(data).every((one) => one === null);
  const isCountless = totalElements === null && isNull;
  const isEmpty = Array.isArray(content) && content.length === 0;
  const isNothing = isEmpty || (isNone(content) && (isZero || isCountless));
  return isNothing ? { ...data, content: saysNothing(data) ? [] : null } : data;
}

const anyRows = z.object({ content: z.array(z.unknown()).max(MAX_ROWS) });

/** The rows of an answer that can be read, where others cannot, by how they came. */
function readableRows(data: unknown): ReadonlyMap<unknown, StatusRow> {
  const { content = [] } = anyRows.safeParse(asPage(data)).data ?? {};
  const read = content.map((row) => [row, statusRow.safeParse(row).data] as const);
  return new Map(read.flatMap(([row, one]) => (one === undefined ? [] : [[row, one]])));
}

/** How many rows an answer counts more than it has, where it cannot be read. */
function missingRowsIn(data: unknown): number {
  const { content = null, totalElements } = isFields(data) ? data : {};
  return content === null ? (count.safeParse(totalElements).data ?? 0) : 0;
}

/** The objects with a word of a row, so many levels down at most; not what is inside them. */
function worded(value: unknown, levels = 8): readonly Fields[] {
  if (typeof value !== 'object' || value === null || levels < 0) return [];
  if ('transactionStatus' in value || 'paymentStatus' in value) return [value];
  return Object.values(value).flatMap((one) => worded(one, levels - 1));
}

const hasNoRow = (part: unknown): boolean => worded(part).length === 0;

/** The fields that report an error by a word or a number, and what they say then. */
const OUTCOME = /^(?:success|ok|status|result)$/i;
const FAILURE = /^(?:false|error|fail\w*|[45]\d\d)$/i;
/** What a field named after errors holds where there is none, besides {@link NO_ERROR}. */
const BLANK = /^(?:false)?$/i;

/** Whether an answer without rows is one about them: it holds nothing like a row, and reports no error. */
export const saysNothing = (part: unknown): boolean =>
  hasNoRow(part) &&
  Object.entries(part ?? {}).every(([name, value]) =>
    OUTCOME.test(name)
      ? !FAILURE.test(String(value))
      : !/error|exception/i.test(name) ||
        BLANK.test(String(value).trim()) ||
        NO_ERROR.test(String(value)),
  );

/**
 * The rows of an answer that may be money and cannot be read, each by its transaction; `null` for one
 * whose transaction cannot be read either.
 *
 * @param read - The rows that can be read.
 */
function unreadableMoneyIn(part: unknown, read: ReadonlyMap<unknown, StatusRow>) {
  return worded(part)
    .filter((row) => !read.has(row) && mayBeMoney(row))
    .slice(0, MAX_ROWS)
    .map((row) => wireId.transform(transactionId).safeParse(row['transactionId']).data ?? null);
}

/** One decoded row, still in the gateway's spelling. */
type StatusRow = z.infer<typeof statusRow>;

/** A status answer that is not whole: the rows that could be read, and what is lacking. */
interface PartialStatus {
  readonly transactions: readonly Transaction[];
  /** Further rows that may be money and cannot be read, by transaction where that can be read. */
  readonly unreadable: readonly (TransactionId | null)[];
  /** How many rows the gateway counts more than it sent. */
  readonly missing: number;
}

/**
 * The readable rows of answers that lack rows, by the answer or by the error that they led to. A row
 * that says paid is the gateway's word even if another row is missing, so the engine needs it; a
 * caller of the client gets the error alone.
 */
const parts = new WeakMap<Status | GatewayError, PartialStatus>();

/** Notes the rows that could be read, and what is lacking beside them. */
export function notePart(
  holder: Status | GatewayError,
  transactions: readonly Transaction[],
  { unreadable = [], missing = 0 }: Partial<PartialStatus> = {},
): void {
  parts.set(holder, { transactions, unreadable, missing });
}

/** What is lacking in an answer; `undefined` for a whole one. */
export const lackOf = (holder: Status | GatewayError): PartialStatus | undefined =>
  parts.get(holder);

const asks = {
  ...payment,
  method: 'GET',
  path: '/payment/checkout/status',
  answer: statusData,
  foreseen: foreseenData,
  namesById: true,
} as const;

export const statusOperations = operationsOf({
  retrieveStatus: { ...asks, input: statusInput },
  pollStatus: {
    ...asks,
    input: pollInput,
    profile: change({
      method: may.method.extract(['GET', 'POST']).optional(),
      path: may.path.optional(),
      body: may.body(['transactionId']),
      add: may.add,
    }),
  },
});

interface StatusProfile {
  readonly parameter: string;
  readonly orderName?: string | null | undefined;
}

export function statusMethods(
  caller: Caller,
  { parameter, orderName }: StatusProfile,
): StatusMethods {
  const decode = (rows: readonly StatusRow[]): readonly Transaction[] =>
    rows.map((row) => decodeTransaction(row, orderName, (text) => caller.clean(text)));
  const ask = async (
    call: Call<(typeof statusOperations)[keyof StatusMethods]>,
    options: CallOptions | undefined,
  ): Promise<Status> => {
    const answer = await caller.exchange(call, options, {
      mayLackData: saysNothing,
      refuse: ({ content }, body) =>
        content.length > 0 || saysNothing(body) ? undefined : 'it reports an error beside no rows',
      // One unreadable row must not hide another that says paid.
      salvage: (error, { data, body }) => {
        const rows = readableRows(data);
        const unreadable = unreadableMoneyIn(body ?? data, rows);
        const missing = missingRowsIn(data);
        if (rows.size + unreadable.length + missing === 0) return;
        notePart(error, decode([...rows.values()]), { unreadable, missing });
      },
    });
    const status: Status = noteKeys({ transactions: decode(answer.content) }, keysOf(answer));
    const missing = (answer.totalElements ?? 0) - answer.content.length;
    if (missing > 0) notePart(status, status.transactions, { missing });
    return status;
  };
  return {
    retrieveStatus: async (input, options) => {
      const operation = statusOperations.retrieveStatus;
      const asked = readInput(operation, input);
      const id = 'sessionId' in asked ? asked.sessionId : asked.transactionId;
      return ask({ operation, query: { [parameter]: id } }, options);
    },
    pollStatus: async (input, options) => {
      const operation = statusOperations.pollStatus;
      const body = readInput(operation, input);
      return ask({ operation, query: { [parameter]: body.transactionId }, body }, options);
    },
  };
}

function decodeTransaction(
  row: StatusRow,
  orderName: StatusProfile['orderName'],
  clean: (text: string) => string,
): Transaction {
  const pan = filled(row.pan);
  const declineReason = filled(row.declineReason);
  return {
    transactionId: transactionId(row.transactionId),
    amount: row.amount,
    transactionStatus: row.transactionStatus,
    paymentStatus: row.paymentStatus ?? '',
    refundStatus: filled(row.refundStatus),
    totalRefundAmount: filled(row.totalRefundAmount),
    merchantOrderId: orderNameOf(row, orderName),
    pan: pan && maskedPan(pan),
    cardScheme: filled(row.cardScheme),
    currencyCode: currencyIn(row),
    recurringToken: filled(row.recurringToken),
    declineReason: declineReason && clean(declineReason),
    type: filled(row.type),
  };
}

/** The code of a row's currency; both texts, which no currency is, where its two fields contradict each other. */
function currencyIn({ currencyCode, currency }: StatusRow): string | undefined {
  const codes = [currencyCode, currency].map(filled).filter((code) => code !== undefined);
  const meant = new Set(codes.map((code) => currencyOf(code) ?? code));
  return meant.size > 1 ? codes.join(' ') : codes[0];
}

/**
 * Our name for the payment, from the profile's field of the row; `null` for a gateway whose rows bear
 * none. Without a field, one of two may bear our name, and the other a number of the gateway's own.
 */
function orderNameOf(row: StatusRow, field: string | null | undefined): string | undefined {
  if (field === null) return undefined;
  if (field !== undefined) return filled(mayInform.parse(row[field]));
  const names = [row.merchantOrderId, row.orderId];
  return names.find(isMerchantOrderId) ?? names.map(filled).find((name) => name !== undefined);
}
