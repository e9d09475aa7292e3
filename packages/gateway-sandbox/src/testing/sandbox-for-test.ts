import { mkdtemp, rm } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../options.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Sandbox } from '../start-sandbox.ts';

/** A sandbox with the calls that tests make of it. */
export type SandboxForTest = ReturnType<typeof withCalls<Sandbox>>;

/** A real sandbox on a free port; it ends with the test, unless the test has ended it. */
export async function startForTest(options: SandboxOptions = {}): Promise<SandboxForTest> {
  const sandbox = await startSandbox({ port: 0, seed: 'test', ...options });
  onTestFinished(() => sandbox.close());
  return withCalls(sandbox);
}

type Called = Pick<Sandbox, 'baseUrl' | 'apiKey' | 'control'>;

/** A sandbox, or one of its tenants, with a merchant's calls of staging by the staging key. */
export function withCalls<Own extends Called>(own: Own) {
  const { baseUrl, apiKey, control } = own;
  const ask = (path: string) => send(baseUrl + path, { headers: { 'x-api-key': apiKey } });
  const post = (path: string, body: unknown) =>
    send(baseUrl + path, {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const getStatus = (id: string) => ask(`/payment/checkout/status?id=${encodeURIComponent(id)}`);
  /** The rows of a status answer. */
  const statusContent = async (id: string) => {
    const { body } = await getStatus(id);
    return (body as { data: { content: Record<string, string>[] } }).data.content;
  };
  const postLink = (body: object = validLink) => post('/payment/checkout/intiate', body);
  /** Creates a payment link and answers its session id and page. */
  const createLink = async (changes: Partial<typeof validLink> = {}) => {
    const { status, body } = await postLink({ ...validLink, ...changes });
    if (status !== 201) throw new Error(`The payment link was refused: ${JSON.stringify(body)}`);
    return body as { id: string; redirectUrl: string };
  };
  /** Pays a new link: the session, its transaction, and what else the payment was answered with. */
  const payLink = async (link: Partial<typeof validLink> = {}, number = cards.mada) => {
    const { id } = await createLink(link);
    const reply = await control.pay(id, { card: { number } });
    return { ...reply, sessionId: id, transactionId: reply.transaction.transactionId };
  };
  const sell = (changes: object = {}) => post('/payment/s2s/sale', { ...validSale, ...changes });
  return {
    ...own,
    ask,
    post,
    getStatus,
    statusContent,
    postLink,
    createLink,
    payLink,
    sell,
    /** The id of the transaction that a sale with these changes makes. */
    sellForId: async (changes: object = {}) => String(dataOf(await sell(changes))['transactionId']),
    payOrder: (merchantOrderId: string, amount = 115, number = cards.mada) =>
      payLink({ merchantOrderId, amount }, number),
    /** The `transactionStatus` of each row of a status answer, the oldest first. */
    statusesOf: async (id: string) =>
      (await statusContent(id)).map((row) => row['transactionStatus']).join(' '),
    /** The one row of a transaction's status. */
    rowOf: async (id: string) => {
      const [row, ...others] = await statusContent(id);
      if (row === undefined || others.length > 0) throw new Error('There is not exactly one row.');
      return row;
    },
    /** Lets everything that is due happen, and waits for its outcome. */
    settle: () => control.advanceClock({ by: 'PT0S' }),
  };
}

/** An empty folder for the length of a test. */
export async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** What the pages mark for tests. */
export const by = (id: string) => `[data-test="${id}"]`;

/** A create call's body that nothing is wrong with. */
export const validLink = {
  merchantOrderId: 'order-1',
  amount: 115,
  currency: 'SAR',
  customerName: 'Noura',
  customerEmail: 'noura@example.com',
  customerPhone: '0512345678',
  successUrl: 'https://shop.example/thanks?order=1&x=%20#done',
  failureUrl: 'https://shop.example/retry?order=1#again',
};

/** A card of the sale's request. */
export const saleCard = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura',
};

/** A sale's body that nothing is wrong with. */
export const validSale = {
  orderId: '1001',
  amount: 115,
  currency: 'SAR',
  paymentMethod: 'card',
  auth: 'N',
  recurringInit: 'N',
  card: saleCard,
  customerDetails: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
  successUrl: 'https://shop.example/thanks',
  failureUrl: 'https://shop.example/retry',
};

/** Test cards: one that is approved, one without money, and one that asks for 3-D Secure. */
export const cards = {
  mada: '4201320111111010',
  poor: '4201320000311101',
  challenged: '4508750015741019',
};

/** Submits the hosted page's form as a browser without scripts does. */
export function submitCard(link: { redirectUrl: string }, fields: Record<string, string> = {}) {
  const form = { number: cards.mada, expiry: '12/39', cvv: '123', formKey: '0', ...fields };
  return send(link.redirectUrl, { method: 'POST', body: new URLSearchParams(form) });
}

/** What came back of a call, as it was on the wire. */
export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

export async function send(url: string, init: RequestInit = {}): Promise<WireAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, body: parsed(text), text, headers: response.headers };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** `data` of an answer in envelope A. */
export function dataOf({ body }: WireAnswer): Record<string, unknown> {
  return (body as { data: Record<string, unknown> }).data;
}

/** What an answer says, to hold against a refusal. */
export const told = ({ status, body }: WireAnswer) => ({ status, body });

/** A refusal in envelope A. */
export const refusalA = (status: number, message: string) => ({
  status,
  body: { code: status, message, errorCode: String(status), data: null },
});

/** A refusal in envelope B, whose message is a list where fields are wrong. */
export const refusalB = (status: number, message: unknown) => ({
  status,
  body: { statusCode: status, message, error: STATUS_CODES[status] },
});

/** How the control API refuses a call, or a start is refused: the status and the code. */
export async function refusalOf(call: Promise<unknown>): Promise<string> {
  const { status, code } = (await call.catch((error: unknown) => error)) as Record<string, unknown>;
  return `${String(status)} ${String(code)}`;
}
