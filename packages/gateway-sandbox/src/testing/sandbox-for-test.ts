import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { SandboxOptions } from '../options.ts';
import { startSandbox } from '../start-sandbox.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { post } from './calls-for-test.ts';
import { send } from './wire-for-test.ts';
import type { WireAnswer } from './wire-for-test.ts';

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

/** Posts a create call to staging with the staging key. */
export const postLink = (sandbox: Sandbox, body: object = validLink): Promise<WireAnswer> =>
  post(sandbox, '/payment/checkout/intiate', body);

/** Creates a payment link and answers its session id and page. */
export async function createLink(sandbox: Sandbox, changes: Partial<typeof validLink> = {}) {
  const { status, body } = await postLink(sandbox, { ...validLink, ...changes });
  if (status !== 201) throw new Error(`The payment link was refused: ${JSON.stringify(body)}`);
  return body as { id: string; redirectUrl: string };
}

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
