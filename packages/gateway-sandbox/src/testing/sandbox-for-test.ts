import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../options.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Sandbox } from '../start-sandbox.ts';

/** A real sandbox on a free port; it ends with the test, unless the test has ended it. */
export async function startForTest(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await startSandbox({ port: 0, seed: 'test', ...options });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/** An empty folder for the length of a test. */
export async function folderForTest(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

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

export interface WireAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
  readonly headers: Headers;
}

/** What an answer says, to hold against a refusal. */
export const told = ({ status, body }: WireAnswer) => ({ status, body });

/** A refusal in envelope A. */
export const refusalA = (status: number, message: string) => ({
  status,
  body: { code: status, message, errorCode: String(status), data: null },
});

/** How the control API refuses a call, or a start is refused: the status and the code. */
export const refusalOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'no refusal',
    ({ status, code }: { status: number; code: string }) => `${status} ${code}`,
  );

const errors = {
  400: 'Bad Request',
  401: 'Unauthorized',
  404: 'Not Found',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
} as const;

/** A refusal in envelope B, whose message is a list where fields are wrong. */
export const refusalB = (status: keyof typeof errors, message: unknown) => ({
  status,
  body: { statusCode: status, message, error: errors[status] },
});

/** Posts a create call to staging with the staging key. */
export function postLink(sandbox: Sandbox, body: object = validLink): Promise<WireAnswer> {
  return send(`${sandbox.baseUrl}/payment/checkout/intiate`, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Creates a payment link and answers its session id and page. */
export async function createLink(
  sandbox: Sandbox,
  changes: Partial<typeof validLink> = {},
): Promise<{ id: string; redirectUrl: string }> {
  const { status, body } = await postLink(sandbox, { ...validLink, ...changes });
  if (status !== 201) throw new Error(`The payment link was refused: ${JSON.stringify(body)}`);
  return body as { id: string; redirectUrl: string };
}

/** Asks staging with the staging key. */
export const ask = (sandbox: Sandbox, path: string): Promise<WireAnswer> =>
  send(sandbox.baseUrl + path, { headers: { 'x-api-key': sandbox.apiKey } });

export const getStatus = (sandbox: Sandbox, id: string): Promise<WireAnswer> =>
  ask(sandbox, `/payment/checkout/status?id=${encodeURIComponent(id)}`);

/** The rows of a status answer. */
export async function statusContent(
  sandbox: Sandbox,
  id: string,
): Promise<Record<string, string>[]> {
  const { body } = await getStatus(sandbox, id);
  return (body as { data: { content: Record<string, string>[] } }).data.content;
}

/** The `transactionStatus` of each row of a status answer, the oldest first. */
export const statusesOf = async (sandbox: Sandbox, id: string): Promise<string> =>
  (await statusContent(sandbox, id)).map((row) => row['transactionStatus']).join(' ');

export async function send(url: string, init: RequestInit = {}): Promise<WireAnswer> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  return { status: response.status, body: parsed(text), text, headers: response.headers };
}

/** Test cards: one that is approved, one without money, and one that asks for 3-D Secure. */
export const cards = {
  mada: '4201320111111010',
  poor: '4201320000311101',
  challenged: '4508750015741019',
};

/** Submits the hosted page's form as a browser without scripts does. */
export function submitCard(
  link: { redirectUrl: string },
  fields: Record<string, string> = {},
): Promise<WireAnswer> {
  const form = { number: cards.mada, expiry: '12/39', cvv: '123', formKey: '0', ...fields };
  return send(link.redirectUrl, { method: 'POST', body: new URLSearchParams(form) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
