import type { z } from 'zod';
import { systemClock, type Clock } from '../clock.ts';
import { sessionId, transactionId, type SessionId, type TransactionId } from '../ids.ts';
import { toWireNumber } from '../money.ts';
import { errorInAnswer, unreadable } from './answer-error.ts';
import { Caller, type CallOptions, type JsonAnswer } from './call.ts';
import { openEnvelopeA } from './envelope.ts';
import { invalidInput, readMoney, requireText, requireWebAddress } from './input.ts';
import { normalizePhone } from './phone.ts';
import { paymentLinkAnswer } from './schemas/payment-link.ts';
import { statusData, type StatusRow } from './schemas/status.ts';
import { readApiKeys, readBaseAddress, readTimeout, type Environment } from './settings.ts';
import { poolTransport, type Transport } from './transport.ts';

/** Options of {@link createGatewayClient}. */
export interface GatewayClientOptions {
  readonly environment: Environment;
  /** The environment's base URL; its path ends in `/v1` (§1). https in production. */
  readonly baseUrl: string;
  /** The environment's API key, or several while they rotate: on a 401 the next is tried (§5). */
  readonly apiKey: string | readonly string[];
  /** A whole call's deadline in milliseconds, retries included. @defaultValue `30_000` */
  readonly timeoutMs?: number;
  /** @defaultValue a keep-alive pool to the base URL's origin */
  readonly transport?: Transport;
  /** @defaultValue the machine's clock */
  readonly clock?: Clock;
  /** Numbers in [0, 1), for jitter only. @defaultValue `Math.random` */
  readonly random?: () => number;
}

/** What a payment link is made for (§4.1). */
export interface PaymentLinkInput {
  /** Unique per payment. */
  readonly merchantOrderId: string;
  /** Decimal string with two decimals, at least `"0.01"`. */
  readonly amount: string;
  /** @defaultValue `"SAR"`; always sent */
  readonly currency?: string;
  readonly customer: {
    readonly name?: string | undefined;
    readonly email?: string | undefined;
    /** Any usual form; sent as `05XXXXXXXX` where it is a Saudi mobile. */
    readonly phone: string;
  };
  readonly successUrl: string;
  readonly failureUrl: string;
}

/** A payment link: the session's id for us, the address for the shopper. */
export interface PaymentLink {
  readonly sessionId: SessionId;
  readonly redirectUrl: string;
}

/** One transaction as the gateway states it (§2.2); its words unchanged. */
export interface Transaction {
  readonly transactionId: TransactionId;
  /** Decimal string, two decimals. */
  readonly amount: string;
  /** `SUCCESS`, `FAILED`, `PENDING`, or a word we do not know. */
  readonly transactionStatus: string;
  /** `APPROVED` confirms payment; other words are not shown (assumption N4). */
  readonly paymentStatus: string;
  /** `NONE`, `PARTIAL`, `FULL`. */
  readonly refundStatus?: string | undefined;
  /** Decimal string, two decimals. */
  readonly totalRefundAmount?: string | undefined;
  /** Which order the gateway says it is for, where the row bears it (assumption N6). */
  readonly merchantOrderId?: string | undefined;
  /** ISO 4217 code, numeric or alphabetic, where the row bears it (assumption N6). */
  readonly currencyCode?: string | undefined;
  /** Masked card number. */
  readonly pan?: string | undefined;
  readonly cardScheme?: string | undefined;
}

/** A typed client of the gateway. Sends nothing until a method is called. */
export interface GatewayClient {
  /**
   * Creates a checkout session and its hosted page's address (spec §4.1).
   *
   * @throws {@link GatewayError} A lost answer is `unknown`: the link may exist, but nobody has its
   * address, so a fresh `merchantOrderId` is safe.
   */
  createPaymentLink(input: PaymentLinkInput, options?: CallOptions): Promise<PaymentLink>;
  /**
   * Retrieves what happened in a session or to a transaction (§4.2), rows in the gateway's order.
   * The query's name is `id` (contradiction X1).
   *
   * @throws {@link GatewayError} `not_found` for an unknown id. An error tells nothing of the money.
   */
  retrieveStatus(
    id: { readonly sessionId: string } | { readonly transactionId: string },
    options?: CallOptions,
  ): Promise<{ readonly transactions: readonly Transaction[] }>;
  /** Closes the connections. */
  close(): Promise<void>;
}

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Makes a client of the gateway. Returns at once and sends nothing.
 *
 * @throws {@link ConfigurationError} `unknown_environment`, `invalid_base_url`, `missing_api_key`,
 * `invalid_timeout`.
 */
export function createGatewayClient(options: GatewayClientOptions): GatewayClient {
  const { origin, path } = readBaseAddress(options.environment, options.baseUrl);
  const apiKeys = readApiKeys(options.apiKey);
  const timeoutMs = readTimeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  const transport = options.transport ?? poolTransport(origin, timeoutMs);
  const caller = new Caller({
    transport,
    basePath: path,
    apiKeys,
    timeoutMs,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
  });
  return {
    createPaymentLink: (input, callOptions) => createPaymentLink(caller, input, callOptions),
    retrieveStatus: (id, callOptions) => retrieveStatus(caller, id, callOptions),
    close: () => transport.close(),
  };
}

async function createPaymentLink(
  caller: Caller,
  input: PaymentLinkInput,
  options: CallOptions = {},
): Promise<PaymentLink> {
  const operation = 'createPaymentLink';
  const { customer } = input;
  const amount = readMoney(operation, input.amount, input.currency);
  const phone = normalizePhone(customer.phone);
  if (phone === undefined) throw invalidInput(operation, 'customer.phone is no phone number.');
  requireText(operation, 'merchantOrderId', input.merchantOrderId);
  requireWebAddress(operation, 'successUrl', input.successUrl);
  requireWebAddress(operation, 'failureUrl', input.failureUrl);
  const body = {
    merchantOrderId: input.merchantOrderId,
    amount: toWireNumber(amount),
    currency: amount.currency,
    ...(customer.name === undefined ? {} : { customerName: customer.name }),
    ...(customer.email === undefined ? {} : { customerEmail: customer.email }),
    customerPhone: phone,
    successUrl: input.successUrl,
    failureUrl: input.failureUrl,
  };
  const secrets = [phone, phone.replace(/^0/, ''), customer.phone, customer.email ?? ''];
  const answer = await caller.call({ ...options, operation, body, secrets });
  const opened = openEnvelopeA(answer.json);
  if (opened.kind === 'error') throw errorInAnswer(answer.context, answer.answer, opened.errorCode);
  const link = decode(answer, paymentLinkAnswer, answer.json);
  return { sessionId: sessionId(link.id), redirectUrl: link.redirectUrl };
}

async function retrieveStatus(
  caller: Caller,
  query: { readonly sessionId: string } | { readonly transactionId: string },
  options: CallOptions = {},
): Promise<{ readonly transactions: readonly Transaction[] }> {
  const operation = 'retrieveStatus';
  const id = 'sessionId' in query ? query.sessionId : query.transactionId;
  requireText(operation, 'sessionId or transactionId', id);
  const answer = await caller.call({ ...options, operation, query: { id }, secrets: [] });
  const opened = openEnvelopeA(answer.json);
  if (opened.kind === 'error') throw errorInAnswer(answer.context, answer.answer, opened.errorCode);
  const data = decode(answer, statusData, opened.kind === 'data' ? opened.data : undefined);
  return { transactions: data.content.map(decodeTransaction) };
}

function decodeTransaction(row: StatusRow): Transaction {
  return {
    transactionId: transactionId(row.transactionId),
    amount: row.amount,
    transactionStatus: row.transactionStatus,
    paymentStatus: row.paymentStatus,
    refundStatus: row.refundStatus ?? undefined,
    totalRefundAmount: row.totalRefundAmount ?? undefined,
    pan: row.pan ?? undefined,
    cardScheme: row.cardScheme ?? undefined,
    merchantOrderId: row.merchantOrderId ?? row.orderId ?? undefined,
    currencyCode: row.currencyCode ?? undefined,
  };
}

/** Takes what the schema knows, or says where the answer departs from it, without quoting it. */
function decode<T>({ context, answer }: JsonAnswer, schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'the body').slice(0, 3);
  throw unreadable(context, answer, `the answer is not as specified at ${places.join(', ')}`);
}
