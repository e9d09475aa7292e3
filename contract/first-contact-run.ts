import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { Sandbox } from '@pay-button/gateway-sandbox';
import { createGatewayClient, type GatewayProfile } from '@pay-button/server-helper';
import { runCli } from '../packages/server-helper/src/cli/run.ts';

export const approved = '4201320111111010';
export const insufficient = '4201320000311101';

const returnAddress = 'https://first-contact.example/returned';

interface Sighting {
  readonly id: string;
  readonly verdict: string;
  readonly seen: string;
  readonly entry: string;
}

/** What `first-contact` printed and wrote, and how it ended. */
export interface ContactRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly json: {
    readonly readings: readonly Sighting[];
    readonly stated: readonly { section: string; what: string; holds: boolean; seen: string }[];
    readonly remarks: readonly string[];
    readonly steps: readonly { step: string; why?: string }[];
  };
  /** The proposed profile's entries, without its name. */
  readonly entries: GatewayProfile | null;
  readonly text: string;
}

export interface ContactOptions {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Test cards, in the order in which the merchant tries them. */
  readonly cards?: readonly string[];
  /** What the return address of the paid transaction bears. */
  readonly appended?: (transactionId: string) => string;
  /** Whether a person is at a terminal; else the command waits for the payment by itself. */
  readonly isTTY?: boolean;
}

const settingsOf = (sandbox: Sandbox) => ({
  GATEWAY_ENVIRONMENT: 'staging',
  GATEWAY_BASE_URL: sandbox.baseUrl,
  GATEWAY_API_KEY: sandbox.apiKey,
  GATEWAY_PORTAL_USERNAME: sandbox.portal.username,
  GATEWAY_PORTAL_PASSWORD: sandbox.portal.password,
});

/** Runs the command against a sandbox, with a merchant who pays what is shown and types. */
export async function firstContact(
  sandbox: Sandbox,
  { args = [], env = {}, cards = [approved], appended = () => '', isTTY = true }: ContactOptions,
): Promise<ContactRun> {
  const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
  const file = join(folder, 'profile.json');
  const [out, err] = [new PassThrough(), new PassThrough()];
  const input = Object.assign(new PassThrough(), { isTTY });
  const chunks = { out: '', err: '' };
  let paid = '';
  out.on('data', (chunk: Buffer) => (chunks.out += chunk.toString()));
  err.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    chunks.err += text;
    const [, session] = /Open \S+sessionId=([\da-f-]+)/.exec(text) ?? [];
    if (session !== undefined) void pay(session);
    if (text.includes('The session shows no payment')) input.write(`${paid}\n`);
  });
  const pay = async (session: string) => {
    for (const number of cards) {
      const payment = await sandbox.control.pay(session, { card: { number } });
      paid = payment.transaction.transactionId;
    }
    input.write(`${returnAddress}${appended(paid)}\n`);
  };
  const parameters = ['first-contact', '--yes', '--json', '--out', file, ...args];
  try {
    const settings = { ...settingsOf(sandbox), ...env };
    const code = await runCli({ args: parameters, env: settings, out, err, input });
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return { code, ...chunks, json: read(chunks.out), entries: entriesOf(text), text };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function read(text: string): ContactRun['json'] {
  try {
    return JSON.parse(text) as ContactRun['json'];
  } catch {
    return { readings: [], stated: [], remarks: [], steps: [] };
  }
}

function entriesOf(text: string): GatewayProfile | null {
  if (text === '') return null;
  const { $schema: _schema, name: _name, ...entries } = JSON.parse(text) as GatewayProfile;
  return entries;
}

/** The verdict about one open point. */
export const verdictOf = ({ json }: ContactRun, id: string): string | undefined =>
  json.readings.find((one) => one.id === id)?.verdict;

/** What was seen of one open point. */
export const seenOf = ({ json }: ContactRun, id: string): string =>
  json.readings.find((one) => one.id === id)?.seen ?? '';

/** Pays a link through the client under a profile; answers with the words of its rows. */
export async function payUnder(sandbox: Sandbox, profile: GatewayProfile) {
  const { baseUrl, apiKey, portal } = sandbox;
  const client = createGatewayClient({ environment: 'staging', baseUrl, apiKey, portal, profile });
  try {
    const link = await client.createPaymentLink({
      merchantOrderId: '1001~1',
      amount: '5.00',
      customer: { name: 'Noura', email: 'noura@shop.example', phone: '0501234567' },
      successUrl: 'https://shop.example/paid',
      failureUrl: 'https://shop.example/failed',
    });
    const { transaction } = await sandbox.control.pay(link.sessionId, {
      card: { number: approved },
    });
    const asksFor = profile.status?.asksFor ?? 'session';
    const asked =
      asksFor === 'transaction'
        ? { transactionId: transaction.transactionId }
        : { sessionId: link.sessionId };
    const { transactions } = await client.retrieveStatus(asked);
    await client.listWebhooks();
    await client.retrieveCredentials();
    await client.listSdkTokens();
    return transactions.map((one) => [one.transactionStatus, one.paymentStatus]);
  } finally {
    await client.close();
  }
}
