import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ContractDocument } from './contract-document.ts';
import { type CallableDocument, type FuzzedCall, fuzzedCalls } from './fuzzed-calls.ts';

/** Calls of each of the two documents. */
const COUNT = 1000;
/** A busy machine may take its time. */
const timeout = 600_000;

let sandbox: Sandbox;
beforeEach(async () => void (sandbox = await startSandbox({ port: 0, seed: 'fuzz' })));
afterEach(() => sandbox.close());

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** Sends calls one after the other, with ids that earlier answers gave. */
class Caller {
  readonly #base: string;
  readonly #headersOf: (operationId: string) => Record<string, string>;
  readonly #ids: string[] = [];

  constructor(base: string, headersOf: (operationId: string) => Record<string, string>) {
    this.#base = base;
    this.#headersOf = headersOf;
  }

  async send({ operationId, method, path, body, query, pick }: FuzzedCall): Promise<Answer> {
    const known = this.#ids[pick % (this.#ids.length + 1)] ?? 'unknown';
    const filled = path.replaceAll(/\{\w+\}/g, encodeURIComponent(known));
    const asked = Object.entries(query).map(([key, value]) => [
      key,
      isIdName(key) ? known : String(value),
    ]);
    const text = JSON.stringify(body, (key, value: unknown) =>
      isIdName(key) && typeof value === 'string' && pick % 4 > 0 ? known : value,
    );
    const response = await fetch(`${this.#base}${filled}?${new URLSearchParams(asked)}`, {
      method,
      redirect: 'error',
      headers: { 'content-type': 'application/json', ...this.#headersOf(operationId) },
      ...(method === 'GET' ? {} : { body: text ?? null }),
    });
    const answered = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const read: unknown = isJson ? JSON.parse(answered) : answered === '' ? null : answered;
    this.#learn(read);
    return { status: response.status, body: read };
  }

  #learn(value: unknown, key = ''): void {
    if (typeof value === 'string' && isIdName(key) && value.length < 100) {
      if (!this.#ids.includes(value)) this.#ids.unshift(value);
      this.#ids.length = Math.min(this.#ids.length, 20);
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, one] of Object.entries(value)) this.#learn(one, name);
  }
}

const isIdName = (name: string): boolean => /^id$|Id$|^recurringToken$/.test(name);

it('the gateway’s API answers a thousand calls as the contract says', { timeout }, async () => {
  const contract = new ContractDocument();
  const login = await fetch(`${sandbox.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sandbox.portal),
  });
  const { accessToken } = (await login.json()) as { accessToken: string };
  const caller = new Caller(sandbox.baseUrl, (operation) => {
    const { credential } = contract.placeOf(operation);
    if (credential === 'apiKey') return { 'x-api-key': sandbox.apiKey };
    return credential === 'portal' ? { authorization: `Bearer ${accessToken}` } : {};
  });
  const taken = new Set<string>();
  const faults: string[] = [];
  const document = contract.document as unknown as CallableDocument;
  for (const call of fuzzedCalls(document, { seed: 20, count: COUNT })) {
    const { status, body } = await caller.send(call);
    if (status < 300) taken.add(call.operationId);
    const of = `${call.operationId} ${JSON.stringify(call.body)}`;
    if (status >= 500) faults.push(`${of}: ${status}`);
    const found = contract.answerFaults(call.operationId, status, body);
    faults.push(...found.map((fault) => `${of}: ${fault}`));
  }
  expect(faults).toEqual([]);
  // A wrong call proves little: these are taken once at least. No call happens to know the password.
  const reached = ['createPaymentLink', 'retrieveStatus', 'refund', 'sale', 'chargeRecurring'];
  const inPortal = ['createWebhook', 'updateWebhook', 'deleteWebhook', 'updateSdkToken'];
  expect([...taken]).toEqual(expect.arrayContaining([...reached, ...inPortal]));
});

it('the control API answers a thousand calls without a 5xx', { timeout }, async () => {
  const base = `${sandbox.url}/_sandbox/v1`;
  const text = await (await fetch(`${base}/openapi.yaml`)).text();
  const document = JSON.parse(text) as CallableDocument;
  const caller = new Caller(base, () => ({}));
  const statuses = new Map<number, number>();
  const faults: string[] = [];
  // A stream of events never ends.
  for (const call of fuzzedCalls(document, { seed: 20, count: COUNT, without: ['stream'] })) {
    const { status } = await caller.send(call);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (status >= 500) faults.push(`${call.operationId} ${JSON.stringify(call.body)}: ${status}`);
  }
  expect(faults).toEqual([]);
  expect(statuses.get(200)).toBeGreaterThan(COUNT / 3);
  expect(statuses.get(400)).toBeGreaterThan(0);
});
