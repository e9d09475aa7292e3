/** The command `first-contact` against the sandbox, with a merchant at the terminal; and what it sees. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { startSandbox, type Policy, type Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { expect, onTestFinished } from 'vitest';
import { runCli } from '../packages/server-helper/src/cli/run.ts';
import { journeys } from './matrix/journeys.ts';
import { playCell } from './matrix/play.ts';
import { NOT_IN_PROFILE, readings, type Reading } from './matrix/readings.ts';

export const approved = '4201320111111010';
export const insufficient = '4201320000311101';
/** Asks for 3-D Secure, and is then approved. */
export const challenged = '4508750015741019';

const returnAddress = 'https://first-contact.example/returned';

interface Sighting {
  readonly id: string;
  readonly verdict: string;
  readonly seen: string;
  readonly unseen: string;
}

/** What `first-contact --json` prints. */
interface Printed {
  readonly readings: readonly Sighting[];
  readonly remarks: readonly string[];
  readonly made: readonly { what: string; state: string }[];
  readonly again: string | null;
}

/** What the command printed and wrote, and how it ended. */
type ContactRun = Awaited<ReturnType<typeof firstContact>>;

interface ContactOptions {
  readonly args?: readonly string[];
  /** The profile in use. */
  readonly inUse?: GatewayProfile | undefined;
  /** Test cards, in the order in which the merchant tries them. */
  readonly cards?: readonly string[];
  /** Whether a person is at a terminal; else the command waits until the status shows the payment. */
  readonly isTTY?: boolean;
  /** A text at which the merchant presses Ctrl-C. */
  readonly stopAt?: string;
}

/** Every step, with a refund, a webhook and its notifications. */
export const everything = ['--refund', '--portal-writes', '--listen', '0'];

/** Every step, and a declined card before the approved one. */
export const all: ContactOptions = { args: everything, cards: [insufficient, approved] };

/** Runs the command against a sandbox of these readings, which ends with the test. */
export async function contact(
  reading: { policy?: readonly string[]; profile?: GatewayProfile },
  options: ContactOptions = {},
): Promise<ContactRun> {
  const sandbox = await startSandbox({ port: 0, ...reading });
  onTestFinished(() => sandbox.close());
  return firstContact(sandbox, options);
}

/** Runs the command against a sandbox, with a merchant who pays the page that is shown, and types. */
export async function firstContact(
  sandbox: Sandbox,
  { args = [], inUse = {}, cards = [approved], isTTY = true, stopAt }: ContactOptions = {},
) {
  const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
  const [file, fileInUse] = [join(folder, 'profile.json'), join(folder, 'in-use.json')];
  writeFileSync(fileInUse, JSON.stringify(inUse));
  const [out, err] = [new PassThrough(), new PassThrough()];
  const input = Object.assign(new PassThrough(), { isTTY });
  const said = { out: '', err: '' };
  out.on('data', (chunk: Buffer) => (said.out += chunk.toString()));
  const acts: Promise<void>[] = [];
  const merchant = new Merchant(sandbox, cards, (line) => input.write(`${line}\n`));
  err.on('data', (chunk: Buffer) => {
    said.err += chunk.toString();
    if (stopAt !== undefined && chunk.toString().includes(stopAt)) process.emit('SIGINT');
    acts.push(merchant.read(chunk.toString()));
  });
  const env = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_API_KEY: sandbox.apiKey,
    GATEWAY_PORTAL_USERNAME: sandbox.portal.username,
    GATEWAY_PORTAL_PASSWORD: sandbox.portal.password,
    GATEWAY_PROFILE: fileInUse,
  };
  try {
    const parameters = ['first-contact', '--yes', '--json', '--out', file, ...args];
    const code = await runCli({ args: parameters, env, out, err, input });
    // The status may show a payment before the merchant has read the page's answer.
    await Promise.all(acts);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : 'null';
    const proposed = JSON.parse(text) as GatewayProfile | null;
    const { $schema: _schema, name: _name, ...entries } = proposed ?? {};
    const nothing = { readings: [], remarks: [], made: [], again: null };
    const json: Printed = said.out.startsWith('{') ? JSON.parse(said.out) : nothing;
    return { code, ...said, json, text, entries: proposed && entries, sandbox };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A merchant at the terminal, who knows of the payment only what the page and the dashboard show. */
class Merchant {
  readonly #control: Sandbox['control'];
  readonly #cards: string[];
  readonly #type: (line: string) => void;
  #session = '';
  #forms = 0;

  constructor({ control }: Sandbox, cards: readonly string[], type: (line: string) => void) {
    this.#control = control;
    this.#cards = [...cards];
    this.#type = type;
  }

  async read(text: string): Promise<void> {
    const [, page, session] = /Open (\S+sessionId=([\da-f-]+))/.exec(text) ?? [];
    if (page !== undefined && session !== undefined) {
      this.#session = session;
      if (this.#cards.length > 0) this.#type(await this.#send(page));
    } else if (text.includes('The payment is under way')) {
      await this.#control.answerChallenge(await this.#lastTransaction(), { otp: '123456' });
      this.#type(returnAddress);
    } else if (text.includes('paste the transaction')) {
      const { session: open } = await this.#control.session(this.#session);
      while (this.#cards.length > 0) await this.#send(open.redirectUrl);
      this.#type(await this.#lastTransaction());
    } else if (text.includes('for it to come again')) {
      await this.#refusal();
      await this.#control.advanceClock({ by: 'PT30S' });
    }
  }

  async #transactions(): Promise<readonly string[]> {
    const { transactions } = await this.#control.session(this.#session);
    return transactions.map(({ transactionId }) => transactionId);
  }

  async #lastTransaction(): Promise<string> {
    return (await this.#transactions()).at(-1) ?? '';
  }

  /** Waits until the sandbox knows of the refusal: only then is there another delivery to come. */
  async #refusal(): Promise<void> {
    for (;;) {
      const attempts = (await this.#control.deliveries()).flatMap((one) => one.attempts);
      if (attempts.some(({ outcome }) => outcome === 'refused')) return;
      await setTimeout(20);
    }
  }

  /** Sends the next card from the page. Answers what the merchant then types. */
  async #send(page: string): Promise<string> {
    const [number = ''] = this.#cards;
    this.#forms += 1;
    const fields = { number, expiry: '12/39', cvv: '123', formKey: `${this.#forms}` };
    const body = new URLSearchParams(fields);
    // Counted, since all of them may have the session's id.
    const before = await this.#transactions();
    const { headers } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    if ((await this.#transactions()).length === before.length) return 'closed';
    this.#cards.shift();
    const location = headers.get('location') ?? '';
    return location.startsWith(returnAddress) ? location : '';
  }
}

/** The row of one reading. */
export const rowOf = ({ json }: ContactRun, id: string): Sighting | undefined =>
  json.readings.find((one) => one.id === id);

/** What is seen of each policy: the row, its verdict and its words. */
const policies: Readonly<Record<Policy, readonly [id: string, verdict: string, seen: string]>> = {
  sameId: ['X2', 'confirmed', 'the transaction’s id is the session’s'],
  transactionIdOnly: ['X2', 'contradicted', 'transaction ids only'],
  sessionIdOnly: ['X2', 'confirmed', 'session ids only'],
  sessionIdParameter: ['X1', 'contradicted', 'only sessionId is answered'],
  refundAboveMinimum: ['X5', 'different', '0.01 is refused, 0.02 is accepted'],
  otherAccepted: ['X6', 'confirmed', 'a refund is ACCEPTED'],
  B: ['X7', 'confirmed', 'HTTP 400, envelope B'],
  appendsTransactionId: ['N1', 'different', 'appended: transactionId, status'],
  appendsSessionId: ['N1', 'different', 'appended: sessionId, status'],
  declineLeaves: ['N2', 'confirmed', 'a declined card left for failureUrl'],
  closesOnFailure: ['N2', 'contradicted', 'the page takes no card after a declined one'],
  lastAttemptOnly: ['N2', 'different', 'the failed try is no longer listed'],
  forgetsSessions: ['N3', 'not seen', ''],
  rejectedStatus: ['N4', 'different', 'FAILED comes with REJECTED'],
  absentStatus: ['N4', 'different', 'a FAILED row has no paymentStatus'],
  nullPending: ['N4', 'confirmed', ''],
  ownOrderNumbers: ['N6', 'confirmed', 'merchantOrderId has our name'],
  noOrderName: ['N6', 'contradicted', 'no field has our name'],
  bareRows: ['N6', 'contradicted', 'no field has our name; further fields: none'],
  numericIds: ['N6', 'confirmed', 'numbers: currencyCode, rrn'],
  strictHash: ['N8', 'not seen', ''],
  noSecrets: ['N12', 'contradicted', 'no secret at /secret'],
  webhookEnvelope: ['N13', 'contradicted', 'our name of the payment at /data/merchantOrderId'],
  unsignedWebhooks: ['N14', 'contradicted', 'no header holds an HMAC'],
  noRetries: ['N15', 'not seen', 'no second delivery within 2 s'],
  fullKeys: ['N17', 'different', 'keys in full'],
  rotationRevokes: ['N18', 'not seen', ''],
  saudiPhones: ['N20', 'not seen', ''],
  errorsB: ['N21', 'different', 'an unknown id: HTTP 404, envelope B'],
  emptyForUnknown: ['N21', 'different', 'an unknown id: an empty content'],
  nullUntilTransaction: ['N21', 'confirmed', 'a session before its payment: no rows'],
  unknownUntilTransaction: ['N21', 'contradicted', 'a session before its payment: 404'],
};

/** The command proposes a reading's profile, and a shop with the proposal sees its orders paid. */
export async function expectProposal(reading: Reading): Promise<void> {
  const run = await contact(reading, optionsFor(reading));
  expect(run.entries).toEqual(visible(reading.shopProfile));
  expect(rowOf(run, '§3')?.verdict).toBe('confirmed');
  expect(await orderUnder(run.sandbox, reading, run.entries ?? {})).toBe('paid');
  if (!Object.hasOwn(policies, reading.name)) return;
  const [id, verdict, seen] = policies[reading.name as Policy];
  const row = rowOf(run, id);
  expect([row?.verdict, row?.seen]).toEqual([verdict, expect.stringContaining(seen)]);
  // A row that was not seen says how to see it.
  if (verdict === 'not seen') expect(row?.unseen).not.toBe('');
}

/** The parts of a profile that the command never sees, or does not need. */
function visible({ sale: _sale, ...profile }: GatewayProfile): GatewayProfile {
  const { sale: _operation, pollStatus: _poll, ...operations } = profile.operations ?? {};
  const { asksFor, ...status } = profile.status ?? {};
  const { afterEnd: _later, ...session } = profile.session ?? {};
  const asked = asksFor === undefined || asksFor === 'either' ? {} : { asksFor };
  const whole = { ...profile, status: { ...status, ...asked }, session, operations };
  const parts = Object.entries(whole).filter(([, part]) => Object.keys(part ?? {}).length > 0);
  return Object.fromEntries(parts);
}

/**
 * The parts of a gateway's profile that a person takes from its documents: the command says how the portal
 * refuses, and guesses none of its routes and names.
 */
export function byHand({ login, operations = {} }: GatewayProfile): GatewayProfile {
  const { createWebhook, updateWebhook, deleteWebhook } = operations;
  return { login, operations: { createWebhook, updateWebhook, deleteWebhook } };
}

/** An order in a shop with this profile, which learns of the payment by a webhook. */
export async function orderUnder(sandbox: Sandbox, reading: Reading, profile: GatewayProfile) {
  const journey = journeys.find(({ name }) => name === 'webhook');
  if (journey === undefined) throw new Error('there is no such journey');
  return (await playCell(sandbox, { ...reading, shopProfile: profile }, journey)).kind;
}

/** Each reading of which the command has no word before. */
export const unknown = readings.filter(({ name }) => !name.endsWith(NOT_IN_PROFILE));

/** A gateway that tries once is waited for for two seconds. */
export const optionsFor = ({ policy, profile }: Reading): ContactOptions => ({
  ...all,
  inUse: byHand(profile),
  ...(policy.includes('noRetries') ? { args: [...everything, '--wait', '2'] } : {}),
});
