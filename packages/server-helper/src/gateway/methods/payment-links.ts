import { isMerchantOrderId, sessionId, transactionId } from '../../ids.ts';
import { toWireNumber } from '../../money.ts';
import type { Caller, CallOptions } from '../caller.ts';
import { personalSecrets, presentText, readInput, readMoney, readPhone } from '../input.ts';
import { maskedPan } from '../quotable.ts';
import { keysOf, noteKeys, notePart } from '../beside-answer.ts';
import type { Profile } from '../profile.ts';
import { filled, mayInform } from '../schemas/fields.ts';
import type { PaymentLink, PaymentLinkInput } from '../schemas/payment-link.ts';
import {
  missingRowsIn,
  type PollInput,
  readableRows,
  saysNothing,
  type Status,
  type StatusInput,
  type StatusRow,
  type Transaction,
  unreadableMoneyIn,
} from '../schemas/status.ts';

/** The checkout's operations (§4.1, §4.2, §4.8). */
export interface PaymentLinkMethods {
  /**
   * Creates a checkout session and its hosted page's address (spec §4.1).
   *
   * @throws {@link GatewayError} A lost answer is `unknown`: the link may exist, but its address is
   * lost, so a fresh `merchantOrderId` is safe. `order_name_taken` (`rejected`) for a
   * `merchantOrderId` of another payment. `invalid_input` (`not-sent`) for an amount
   * without two decimals, an empty id, a phone that is none, an address that is not http(s).
   * `unreadable_answer` (`unknown`) for a hosted page that `pageOrigins` does not allow.
   * @example
   * const { sessionId, redirectUrl } = await client.createPaymentLink({
   *   merchantOrderId: '1001~1',
   *   amount: '115.00',
   *   customer: { name: 'Noura Al-Qahtani', email: 'noura@example.com', phone: '0501234567' },
   *   successUrl: 'https://shop.example/thanks/1001',
   *   failureUrl: 'https://shop.example/retry/1001',
   * });
   * console.log(sessionId, redirectUrl); // Store the first, send the shopper to the second.
   */
  createPaymentLink(input: PaymentLinkInput, options?: CallOptions): Promise<PaymentLink>;
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
   * {@link PaymentLinkMethods.retrieveStatus} with the transaction's id).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id. An error says nothing about the money.
   * @example
   * const transactionId = 'f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311'; // From a sale.
   * const { transactions } = await client.pollStatus({ transactionId });
   * console.log(transactions[0]?.transactionStatus);
   */
  pollStatus(input: PollInput, options?: CallOptions): Promise<Status>;
}

/** Why no shopper may be sent to a hosted page, or `undefined` where one may. */
type RefusalOfPage = (pageUrl: string) => string | undefined;

/** What the profile says of the status call. */
type StatusProfile = Pick<Profile['status'], 'parameter' | 'orderName'>;

/** Makes the checkout's methods. */
export function paymentLinkMethods(
  caller: Caller,
  profile: StatusProfile,
  refusalOfPage: RefusalOfPage,
): PaymentLinkMethods {
  return {
    createPaymentLink: (input, options) => createPaymentLink(caller, input, refusalOfPage, options),
    retrieveStatus: async (input, options) => {
      const operation = 'retrieveStatus';
      const asked = readInput(operation, input);
      const id = 'sessionId' in asked ? asked.sessionId : asked.transactionId;
      const query = { [profile.parameter]: id };
      return askStatus(caller, profile, { operation, query }, options);
    },
    pollStatus: async (input, options) => {
      const operation = 'pollStatus';
      const { transactionId: id } = readInput(operation, input);
      const query = { [profile.parameter]: id };
      return askStatus(caller, profile, { operation, query, body: { transactionId: id } }, options);
    },
  };
}

async function createPaymentLink(
  caller: Caller,
  input: PaymentLinkInput,
  refusalOfPage: RefusalOfPage,
  options?: CallOptions,
): Promise<PaymentLink> {
  const operation = 'createPaymentLink';
  const { merchantOrderId, amount, currency, customer, successUrl, failureUrl } = readInput(
    operation,
    input,
  );
  const money = readMoney(operation, amount, currency);
  const phone = readPhone(operation, customer.phone);
  const body = {
    merchantOrderId,
    amount: toWireNumber(money),
    currency: money.currency,
    customerName: presentText(customer.name),
    customerEmail: presentText(customer.email),
    customerPhone: phone,
    successUrl,
    failureUrl,
  };
  const call = { operation, body, secrets: personalSecrets(customer, phone) } as const;
  const link = await caller.exchange(call, options, {
    refuse: ({ redirectUrl }) => refusalOfPage(redirectUrl),
  });
  const made = { sessionId: sessionId(link.id), redirectUrl: link.redirectUrl };
  noteKeys(made, keysOf(link));
  return made;
}

async function askStatus(
  caller: Caller,
  { orderName }: StatusProfile,
  call: {
    readonly operation: 'retrieveStatus' | 'pollStatus';
    readonly query: Readonly<Record<string, string>>;
    readonly body?: object;
  },
  options: CallOptions | undefined,
): Promise<Status> {
  const decode = (rows: readonly StatusRow[]): readonly Transaction[] =>
    rows.map((row) => ({
      ...decodeTransaction(row, (text) => caller.clean(text)),
      merchantOrderId: orderNameOf(row, orderName),
    }));
  const answer = await caller.exchange(call, options, {
    mayLackData: saysNothing,
    // One unreadable row must not hide another that says paid.
    salvage: (error, { data, body }) => {
      const rows = readableRows(data);
      const unreadable = unreadableMoneyIn(body ?? data, rows);
      const missing = missingRowsIn(data);
      if (rows.size + unreadable.length + missing === 0) return;
      notePart(error, decode([...rows.values()]), { unreadable, missing });
    },
  });
  const { content, totalElements } = answer;
  const status: Status = { transactions: decode(content) };
  noteKeys(status, keysOf(answer));
  const missing = (totalElements ?? 0) - content.length;
  if (missing > 0) notePart(status, status.transactions, { missing });
  return status;
}

function decodeTransaction(row: StatusRow, clean: (text: string) => string): Transaction {
  const pan = filled(row.pan);
  const declineReason = filled(row.declineReason);
  return {
    transactionId: transactionId(row.transactionId),
    amount: row.amount,
    transactionStatus: row.transactionStatus,
    paymentStatus: row.paymentStatus ?? '',
    refundStatus: filled(row.refundStatus),
    totalRefundAmount: filled(row.totalRefundAmount),
    pan: pan && maskedPan(pan),
    cardScheme: filled(row.cardScheme),
    currencyCode: filled(row.currencyCode),
    recurringToken: filled(row.recurringToken),
    declineReason: declineReason && clean(declineReason),
  };
}

/**
 * Our name for the payment, from the profile's field of the row; `null` for a gateway whose rows bear
 * none. Without a field, one of two may bear our name, and the other a number of the gateway's own.
 */
function orderNameOf(row: StatusRow, field: string | null | undefined): string | undefined {
  if (field === null) return undefined;
  if (field !== undefined) return filled(mayInform.parse(row[field]));
  const { merchantOrderId, orderId } = row;
  const names = [merchantOrderId, orderId];
  return names.find(isMerchantOrderId) ?? names.map(filled).find((name) => name !== undefined);
}
