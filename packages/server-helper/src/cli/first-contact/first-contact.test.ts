import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, runCliInside, type CliRun } from '../../../test-support/cli-shop.ts';
import { ScriptedGateway, sendJson } from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import { runCli as runProgram } from '../run.ts';
import { stepTexts } from './readings.ts';

let gateway: ScriptedGateway;
let folder: string;
let file: string;

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
  file = join(folder, 'profile.json');
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Given {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly typed?: readonly string[];
}

function run({ args = [], env = {}, typed }: Given): Promise<CliRun> {
  const settings = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: gateway.baseUrl,
    GATEWAY_API_KEY: canaries.apiKey,
    ...env,
  };
  const all = ['first-contact', '--out', file, '--wait', '0', ...args];
  return runCliInside(all, settings, false, typed);
}

const calls = () => gateway.seen.map(({ method, path }) => `${method} ${path}`);

describe('first contact sends nothing', () => {
  afterEach(() => {
    expect(gateway.seen).toEqual([]);
  });

  it('where no person can be asked: it says what it would do', async () => {
    const { code, out } = await run({});
    expect([code, existsSync(file)]).toEqual([0, false]);
    expect(out).toContain('Nothing was sent');
    expect(out).toMatch(/refund +refunds 0\.01/);
    expect((await run({ args: ['--json', '--steps', 'link'] })).json['plan']).toHaveLength(1);
  });

  it('in production, unless asked by name, and says why', async () => {
    const env = { GATEWAY_ENVIRONMENT: 'production', GATEWAY_BASE_URL: 'https://gw.example/v1' };
    const { code, err } = await run({ env, args: ['--yes'] });
    expect([code, err]).toEqual([2, expect.stringContaining('your own money would move')]);
    const asked = await run({ env, args: ['--yes', '--production', '--refund'] });
    expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('for staging only')]);
  });

  it('before it knows that the file of another run stays', async () => {
    writeFileSync(file, 'mine');
    const { code, err } = await run({ args: ['--yes'] });
    expect([code, err]).toEqual([2, expect.stringContaining('--force')]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it.each([
    ['an unknown step', ['--steps', 'link,dance'], 'There is no step "dance"'],
    ['an odd time', ['--wait', 'long'], '--wait takes whole seconds'],
    ['a word too many', ['now'], 'takes options only'],
  ])('when it was given %s', async (_what, args, words) => {
    const { code, err } = await run({ args: ['--yes', ...args] });
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
  });

  it('without a key, or with a wrong profile', async () => {
    const { code, err } = await run({ args: ['--yes'], env: { GATEWAY_API_KEY: '' } });
    expect([code, err]).toEqual([1, expect.stringContaining('GATEWAY_API_KEY')]);
    writeFileSync(join(folder, 'wrong.json'), '{"status":{"parameter":"ref"}}');
    const wrong = await run({ args: ['--yes'], env: { GATEWAY_PROFILE: `${folder}/wrong.json` } });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('status.parameter')]);
  });

  it.each([
    ['a person’s no', ['n']],
    ['the end of what they type', []],
  ])('after %s', async (_what, typed) => {
    const { code, out } = await run({ typed });
    expect([code, existsSync(file)]).toEqual([0, false]);
    expect(out).toContain('you did not want it');
  });
});

describe('first contact', () => {
  it('shows the steps to a person, and takes them after a yes', async () => {
    const { err } = await run({ args: ['--steps', 'link'], typed: [''] });
    expect(calls()).toEqual([
      'POST /v1/payment/checkout/intiate',
      'GET /v1/payment/checkout/status',
      'GET /v1/payment/checkout/status',
    ]);
    expect(err).toMatch(/link +creates a payment link of 1\.00 SAR[^]*Take these steps\?/);
  });

  it('refunds and writes to the portal only when asked by name', async () => {
    const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
    await run({ args: ['--yes', '--transaction', 'f2d5b7c0-1'], env: portal });
    expect(calls().filter((call) => /refund|POST .*webhooks|DELETE/.test(call))).toEqual([]);
    expect(calls()).toContain('GET /v1/merchant/account/credentials');
  });

  it('ends soon where the gateway hangs, and writes no profile', async () => {
    gateway.script = () => undefined;
    const { code, json } = await run({ args: ['--yes', '--json', '--timeout', '1'] });
    expect([code, json['file'], existsSync(file)]).toEqual([1, null, false]);
    expect(json['endedBy']).toContain('no answer in time');
    expect(gateway.seen).toHaveLength(2);
  });

  it('ends where the gateway is down, and says only that', async () => {
    const env = { GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1' };
    const { code, out } = await run({ args: ['--yes'], env });
    expect([code, out]).toEqual([1, expect.stringContaining('no connection could be made')]);
    expect(out).not.toContain('Not seen');
  });

  it('ends at the first question where the gateway refuses the key', async () => {
    gateway.script = (_request, response) =>
      sendJson(response, 401, { statusCode: 401, message: 'Invalid', error: 'Unauthorized' });
    const { code, out } = await run({ args: ['--yes'] });
    expect([code, out]).toEqual([1, expect.stringContaining('refuses GATEWAY_API_KEY')]);
    expect([gateway.seen.length, existsSync(file)]).toEqual([1, false]);
  });

  it('names what it made when a person stops it, and writes no profile', async () => {
    gateway.script = ({ path }, response) => {
      if (!path.endsWith('intiate')) sendJson(response, 404, {});
      else sendJson(response, 201, { id: 's-1', redirectUrl: 'https://gw.example/?sessionId=s-1' });
    };
    const settings = {
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: gateway.baseUrl,
      GATEWAY_API_KEY: canaries.apiKey,
    };
    const args = ['first-contact', '--yes', '--steps', 'link,pay', '--out', file];
    const { code, out, err } = await runCli(args, settings, { stopAt: 'Open https' });
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(err).toContain('Stopping');
    expect(out).toMatch(/made {5}a payment link of 1\.00 SAR, first-contact-\S+~1: no payment/);
    expect(out).toContain('a person stopped it');
    expect(out).toContain('--session s-1 --order first-contact-');
  });

  it('asks again where a line answers another question', async () => {
    const late = 'https://first-contact.example/returned?x=1';
    const { out, err } = await run({ args: ['--steps', 'errors'], typed: [late, ''] });
    expect(err).toContain('Type y or n');
    expect(out).not.toContain('you did not want it');
  });

  it('writes no profile when a person stops it at a question', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const [out, err] = [new PassThrough(), new PassThrough()];
    err.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('[Y/n]')) process.emit('SIGINT');
    });
    const env = {
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: gateway.baseUrl,
      GATEWAY_API_KEY: canaries.apiKey,
    };
    const code = await runProgram({ args: ['first-contact', '--out', file], env, out, err, input });
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(String(out.read())).toContain('a person stopped it');
  });

  it('has every step in its help', async () => {
    const { out } = await run({ args: ['--help'] });
    for (const name of Object.keys(stepTexts))
      expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
  });

  it('tries a refused password once, so that no account is locked', async () => {
    gateway.script = (_request, response) =>
      sendJson(response, 401, { statusCode: 401, message: 'Invalid', error: 'Unauthorized' });
    const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
    const { json } = await run({ args: ['--yes', '--json', '--steps', 'portal'], env: portal });
    expect(calls()).toEqual(['POST /v1/auth/login']);
    expect(json['remarks']).toEqual([expect.stringContaining('/auth/login failed: HTTP 401')]);
  });

  it('shows no secret and no escape that the gateway sends back', async () => {
    const secret = canaries.apiKey;
    const name = ['first-contact-x', '1'].join('~');
    gateway.script = ({ path, body }, response) => {
      if (path.endsWith('intiate'))
        sendJson(response, 201, { id: 's-1', redirectUrl: `https://gw.example/?k=${secret}` });
      else {
        const row = {
          [secret]: name,
          transactionId: secret,
          transactionStatus: `\u001B[31m${secret}`,
          paymentStatus: secret,
          amount: '1.00',
        };
        const message = [`no ${secret}`, JSON.stringify(body ?? '')];
        const data = { content: [row, { ...row, transactionStatus: 'FAILED' }] };
        sendJson(response, 200, { code: 200, message, errorCode: null, data });
      }
    };
    const args = ['--yes', '--session', 's-1', '--order', name, '--force'];
    for (const more of [[], ['--json']]) {
      const { out, err } = await run({ args: [...args, '--steps', 'errors,status', ...more] });
      expect(out + err).not.toContain('\u001B');
      expect(readFileSync(file, 'utf8')).not.toContain(secret);
    }
  });
});
