import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import type { GatewayProfile } from '@pay-button/server-helper';
import { onTestFinished } from 'vitest';
import { runCli } from '../packages/server-helper/src/cli/run.ts';

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
  readonly entry: string;
}

/** What `first-contact` printed and wrote, and how it ended. */
export interface ContactRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly json: {
    readonly readings: readonly Sighting[];
    readonly remarks: readonly string[];
    readonly steps: readonly { step: string; why?: string }[];
    readonly made: readonly { what: string; state: string }[];
    readonly again: string | null;
  };
  /** The proposed profile's entries, without its name. */
  readonly entries: GatewayProfile | null;
  readonly text: string;
  readonly sandbox: Sandbox;
}

export interface ContactOptions {
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

const settingsOf = (sandbox: Sandbox) => ({
  GATEWAY_ENVIRONMENT: 'staging',
  GATEWAY_BASE_URL: sandbox.baseUrl,
  GATEWAY_API_KEY: sandbox.apiKey,
  GATEWAY_PORTAL_USERNAME: sandbox.portal.username,
  GATEWAY_PORTAL_PASSWORD: sandbox.portal.password,
});

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
): Promise<ContactRun> {
  const folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
  const file = join(folder, 'profile.json');
  const fileInUse = join(folder, 'in-use.json');
  writeFileSync(fileInUse, JSON.stringify(inUse));
  const [out, err] = [new PassThrough(), new PassThrough()];
  const input = Object.assign(new PassThrough(), { isTTY });
  const chunks = { out: '', err: '' };
  out.on('data', (chunk: Buffer) => (chunks.out += chunk.toString()));
  const acts: Promise<void>[] = [];
  const merchant = new Merchant(sandbox, cards, (line) => input.write(`${line}\n`));
  err.on('data', (chunk: Buffer) => {
    chunks.err += chunk.toString();
    if (stopAt !== undefined && chunk.toString().includes(stopAt)) process.emit('SIGINT');
    acts.push(merchant.read(chunk.toString()));
  });
  const parameters = ['first-contact', '--yes', '--json', '--out', file, ...args];
  try {
    const settings = { ...settingsOf(sandbox), GATEWAY_PROFILE: fileInUse };
    const code = await runCli({ args: parameters, env: settings, out, err, input });
    // The status may show a payment before the merchant has read the page's answer.
    await Promise.all(acts);
    const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return { code, ...chunks, json: read(chunks.out), entries: entriesOf(text), text, sandbox };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A merchant at the terminal, who knows of the payment only what the page and the dashboard show. */
class Merchant {
  readonly #sandbox: Sandbox;
  readonly #cards: string[];
  readonly #type: (line: string) => void;
  #session = '';
  #forms = 0;

  constructor(sandbox: Sandbox, cards: readonly string[], type: (line: string) => void) {
    this.#sandbox = sandbox;
    this.#cards = [...cards];
    this.#type = type;
  }

  async read(text: string): Promise<void> {
    const { control } = this.#sandbox;
    const [, page, session] = /Open (\S+sessionId=([\da-f-]+))/.exec(text) ?? [];
    if (page !== undefined && session !== undefined) {
      this.#session = session;
      await this.#payNext(page);
    } else if (text.includes('The payment is under way')) {
      const { transactions } = await control.session(this.#session);
      const id = transactions.at(-1)?.transactionId ?? '';
      await control.answerChallenge(id, { otp: '123456' });
      this.#type(returnAddress);
    } else if (text.includes('paste the transaction')) {
      const { session: paid } = await control.session(this.#session);
      while (this.#cards.length > 0) await this.#send(paid.redirectUrl);
      const { transactions } = await control.session(this.#session);
      this.#type(transactions.at(-1)?.transactionId ?? '');
    } else if (text.includes('for it to come again')) {
      await this.#refused();
      await control.advanceClock({ by: 'PT30S' });
    }
  }

  /** Waits until the sandbox knows of the refusal: only then is there another delivery to come. */
  async #refused(): Promise<void> {
    for (;;) {
      const deliveries = await this.#sandbox.control.deliveries();
      const attempts = deliveries.flatMap((one) => one.attempts);
      if (attempts.some(({ outcome }) => outcome === 'refused')) return;
      await setTimeout(20);
    }
  }

  async #payNext(page: string): Promise<void> {
    if (this.#cards.length > 0) this.#type(await this.#send(page));
  }

  /** Sends the next card from the page. Answers what the merchant then types. */
  async #send(page: string): Promise<string> {
    const [number = ''] = this.#cards;
    this.#forms += 1;
    const fields = { number, expiry: '12/39', cvv: '123', formKey: `${this.#forms}` };
    const body = new URLSearchParams(fields);
    const before = await this.#tries();
    const { headers } = await fetch(page, { method: 'POST', body, redirect: 'manual' });
    if ((await this.#tries()) === before) return 'closed';
    this.#cards.shift();
    const location = headers.get('location') ?? '';
    return location.startsWith(returnAddress) ? location : '';
  }

  async #tries(): Promise<number> {
    return (await this.#sandbox.control.session(this.#session)).transactions.length;
  }
}

function read(text: string): ContactRun['json'] {
  try {
    return JSON.parse(text) as ContactRun['json'];
  } catch {
    return { readings: [], remarks: [], steps: [], made: [], again: null };
  }
}

function entriesOf(text: string): GatewayProfile | null {
  if (text === '') return null;
  const { $schema: _schema, name: _name, ...entries } = JSON.parse(text) as GatewayProfile;
  return entries;
}

/** The row of one reading. */
export const rowOf = ({ json }: ContactRun, id: string): Sighting | undefined =>
  json.readings.find((one) => one.id === id);
