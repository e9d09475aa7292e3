import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test-support/temporary-folder.ts';
import { runCli, runCliInside, type CliRun } from '../../../test-support/cli-shop.ts';
import {
  inA,
  ScriptedGateway,
  sendJson,
  statusAnswer,
  statusRow,
} from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';
import { runCli as runProgram } from '../run.ts';

let gateway: ScriptedGateway;
let folder: string;
let file: string;
let settings: Readonly<Record<string, string>>;

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  folder = temporaryFolder();
  file = join(folder, 'profile.json');
  settings = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: gateway.baseUrl,
    GATEWAY_API_KEY: canaries.apiKey,
  };
});
afterEach(() => gateway.close());

const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
const transactionId = 'f2d5b7c0-0000-4000-8000-000000000001';

interface Given {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly typed?: readonly string[];
}

function run({ args = [], env = {}, typed }: Given): Promise<CliRun> {
  const all = ['first-contact', '--out', file, '--wait', '0', ...args];
  return runCliInside(all, { ...settings, ...env }, false, typed);
}

/** What the command says as JSON, of steps that nobody is asked about. */
const outcomeOf = async (...args: readonly string[]) =>
  (await run({ args: ['--yes', '--json', ...args], env: portal })).json;

const calls = () => gateway.seen.map(({ method, path }) => `${method} ${path}`);

const unauthorized = { statusCode: 401, message: 'Invalid', error: 'Unauthorized' };

describe('first contact sends nothing', () => {
  afterEach(() => {
    expect(gateway.seen).toEqual([]);
  });

  it('where no person can be asked: it says what it would do', async () => {
    const { code, out } = await run({});
    expect([code, existsSync(file)]).toEqual([0, false]);
    expect(out).toMatch(/Nothing was sent[^]*refund +refunds 0\.01/);
    expect((await run({ args: ['--json', '--steps', 'link'] })).json['plan']).toHaveLength(1);
  });

  it('in production, unless asked by name, and says why', async () => {
    const env = { GATEWAY_ENVIRONMENT: 'production', GATEWAY_BASE_URL: 'https://gw.example/v1' };
    const asked = { 'own money would move': [], 'for staging only': ['--production', '--refund'] };
    for (const [words, more] of Object.entries(asked)) {
      const { code, err } = await run({ env, args: ['--yes', ...more] });
      expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    }
  });

  it.each([
    ['an unknown step', ['--steps', 'link,dance'], 'There is no step "dance"'],
    ['an odd time', ['--wait', 'long', '--force'], '--wait takes whole seconds'],
    ['a word too many', ['now'], 'takes options only'],
    ['the file of another run', [], '--force'],
  ])('when it was given %s', async (_what, args, words) => {
    writeFileSync(file, 'mine');
    const { code, err } = await run({ args: ['--yes', ...args] });
    expect([code, err]).toEqual([2, expect.stringContaining(words)]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('without a key, or with a wrong profile', async () => {
    const profile = join(folder, 'wrong.json');
    writeFileSync(profile, '{"status":{"parameter":"ref"}}');
    for (const [env, words] of [
      [{ GATEWAY_API_KEY: '' }, 'GATEWAY_API_KEY'],
      [{ GATEWAY_PROFILE: profile }, 'status.parameter'],
    ] as const) {
      const { code, err } = await run({ args: ['--yes'], env });
      expect([code, err]).toEqual([1, expect.stringContaining(words)]);
    }
  });

  it.each([[['n']], [[]]])('after a no, or the end of what a person types: %j', async (typed) => {
    const { code, out } = await run({ typed });
    expect([code, existsSync(file)]).toEqual([0, false]);
    expect(out).toContain('you did not want it');
  });
});

describe('first contact', () => {
  it('shows the steps to a person, and takes them after a yes', async () => {
    const { err } = await run({ args: ['--steps', 'link'], typed: [''] });
    const status = 'GET /v1/payment/checkout/status';
    expect(calls()).toEqual(['POST /v1/payment/checkout/intiate', status, status]);
    expect(err).toMatch(/link +creates a payment link of 1\.00 SAR[^]*Take these steps\?/);
  });

  it('asks again where a line answers another question', async () => {
    const late = 'https://first-contact.example/returned?x=1';
    const { out, err } = await run({ args: ['--steps', 'errors'], typed: [late, ''] });
    expect(err).toContain('Type y or n');
    expect(out).not.toContain('you did not want it');
  });

  it('refunds and writes to the portal only when asked by name', async () => {
    await outcomeOf('--transaction', 'f2d5b7c0-1');
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
    gateway.script = (_request, response) => sendJson(response, 401, unauthorized);
    const { code, out } = await run({ args: ['--yes'] });
    expect([code, out]).toEqual([1, expect.stringContaining('refuses GATEWAY_API_KEY')]);
    expect([gateway.seen.length, existsSync(file)]).toEqual([1, false]);
  });

  it('tries a refused password once, so that no account is locked', async () => {
    gateway.script = (_request, response) => sendJson(response, 401, unauthorized);
    const json = await outcomeOf('--steps', 'portal');
    expect(calls()).toEqual(['POST /v1/auth/login']);
    expect(json['remarks']).toEqual([expect.stringContaining('/auth/login failed: HTTP 401')]);
  });

  it('names what it made when a person stops it, and writes no profile', async () => {
    gateway.script = ({ path }, response) => {
      if (!path.endsWith('intiate')) sendJson(response, 404, {});
      else sendJson(response, 201, { id: 's-1', redirectUrl: 'https://gw.example/?sessionId=s-1' });
    };
    const args = ['first-contact', '--yes', '--steps', 'link,pay', '--out', file];
    const { code, out, err } = await runCli(args, settings, { stopAt: 'Open https' });
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(err).toContain('Stopping');
    expect(out).toMatch(/made {5}a payment link of 1\.00 SAR, first-contact-\S+~1: no payment/);
    expect(out).toMatch(/a person stopped it[^]*--session s-1 --order first-contact-/);
  });

  it('writes no profile when a person stops it at a question', async () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const [out, err] = [new PassThrough(), new PassThrough()];
    err.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('[Y/n]')) process.emit('SIGINT');
    });
    const args = ['first-contact', '--out', file];
    const code = await runProgram({ args, env: settings, out, err, input });
    expect([code, existsSync(file)]).toEqual([1, false]);
    expect(String(out.read())).toContain('a person stopped it');
  });

  it('shows no secret and no escape that the gateway sends back', async () => {
    const secret = canaries.apiKey;
    const name = ['first-contact-x', '1'].join('~');
    gateway.script = ({ path, body }, response) => {
      if (path.endsWith('intiate'))
        sendJson(response, 201, { id: 's-1', redirectUrl: `https://gw.example/?k=${secret}` });
      else {
        const ids = { [secret]: name, transactionId: secret };
        const row = { ...ids, transactionStatus: 'FAILED', paymentStatus: secret, amount: '1.00' };
        const message = [`no ${secret}`, JSON.stringify(body ?? '')];
        const data = { content: [{ ...row, transactionStatus: `\u001B[31m${secret}` }, row] };
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

/** The verdict and the words of one row of the table, and the profile's entry. */
async function contact(id: string, ...args: readonly string[]) {
  const json = await outcomeOf(...args);
  const rows = json['readings'] as readonly Readonly<Record<string, string>>[];
  const row = rows.find((one) => one['id'] === id);
  const { status, session } = json['profile'] as GatewayProfile;
  return [row?.['verdict'], row?.['seen'], session?.afterEnd ?? status?.notFound];
}

const coded = (errorCode: string) => ({ ...inA(null), errorCode });
const over = { statusCode: 400, message: 'over', error: 'Bad Request' };
const unreadable = 'contradicted unreadable';

describe('first contact judges a gateway that says', () => {
  it.each<[string, number, unknown, string, string?]>([
    ['an empty list', 200, statusAnswer([]), 'confirmed no rows'],
    ['an object without an envelope', 200, {}, `${unreadable} (HTTP 200, no envelope)`],
    ['an error code', 200, coded('NOT_PAID'), `${unreadable} (HTTP 200, envelope A)`],
    ['the error code of a 404', 200, coded('404'), 'contradicted 404', 'not-yet'],
  ])('before a payment: %s', async (_what, code, nothing, expected, entry) => {
    gateway.answerAt('/status', (_request, response) =>
      gateway.statusCalls.length <= 2
        ? sendJson(response, code, nothing)
        : sendJson(response, 200, statusAnswer([statusRow({ amount: '1.00' })])),
    );
    const [verdict, seen, found] = await contact('N21', '--steps', 'link,pay,status');
    const words = seen?.replace('a session before its payment: ', '');
    expect([`${verdict} ${words}`, found]).toEqual([expected, entry]);
  });

  it.each<[string, number, unknown, string, string, string?]>([
    ['its rows', 200, statusAnswer([statusRow()]), 'confirmed', 'HTTP 200, envelope A'],
    ['data that is null', 200, inA(null), 'different', 'HTTP 200, envelope A, no rows'],
    ['an object without an envelope', 200, {}, 'contradicted', 'HTTP 200, no envelope'],
    ['410', 410, inA(null), 'contradicted', 'HTTP 410, envelope A', 'gone'],
    ['400', 400, over, 'contradicted', 'HTTP 400, envelope B', 'gone'],
    ['400 in a 200', 200, over, 'contradicted', 'HTTP 200, envelope B', 'gone'],
    ['an errorCode', 200, coded('OVER'), 'contradicted', 'HTTP 200, envelope A', 'gone'],
    ['503', 503, { ...over, statusCode: 503 }, 'contradicted', 'HTTP 503, envelope B'],
    ['the errorCode of a fault', 200, coded('503'), 'contradicted', 'HTTP 200, envelope A'],
  ])('after 48 hours: %s', async (...given) => {
    const [, code, body, verdict, seen, entry] = given;
    gateway.script = (_request, response) => sendJson(response, code, body);
    const then = Math.floor(Date.now() / 1_000 - 3 * 86_400).toString(36);
    const order = `first-contact-${then}-0a1b2c3d~1`;
    const found = await contact('N3', '--steps', 'status', '--session', 's-1', '--order', order);
    expect(found).toEqual([verdict, `after 3 days: ${seen}`, entry]);
  });

  it('of an empty sale what it needs, and shows that but for unusual messages', async () => {
    const error = { statusCode: 400, message: ['card is missing', '<b>orderId</b>'], error: 'No' };
    gateway.answer({ '/sale': [400, error] });
    const said = 'HTTP 400, envelope B; card is missing; a message of 14 characters';
    const found = await contact('N7', '--steps', 'errors');
    expect(found.slice(0, 2)).toEqual(['not seen', `an empty sale: ${said}`]);
  });

  it.each([
    ['no in a 200', 200, coded('400'), false],
    ['an error’s word in a 200', 200, coded('AMOUNT_TOO_SMALL'), true],
    ['nothing certain', 502, {}, true],
  ])('of a refund %s, and calls that not accepted', async (_what, code, body, open) => {
    gateway.answer({ '/refund': [code, body] });
    const json = await outcomeOf('--steps', 'refund', '--refund', '--transaction', transactionId);
    expect(json['made']).toMatchObject(open ? [{ state: 'whether it was done is not known' }] : []);
    const rows = json['readings'] as readonly { readonly id: string; readonly verdict: string }[];
    expect(rows.find((row) => row.id === 'X5')?.verdict).toBe('not seen');
  });

  it.each([
    ['X3', 'refund', '/s2s/refund', '404', { operations: { refund: { path: '/payment/refund' } } }],
    ['X4', 'errors', '/checkout/recurring', '404', { operations: { chargeRecurring: {} } }],
    ['X1', 'link,status', '/status', '400', { status: { parameter: 'sessionId' } }],
  ])('in a 200 that %s is otherwise', async (id, steps, path, code, entry) => {
    gateway.script = (request, response) =>
      request.path.endsWith(path) && !request.query.has('sessionId')
        ? sendJson(response, 200, coded(code))
        : gateway.answerUsually(request, response);
    const json = await outcomeOf('--steps', steps, '--refund', '--transaction', transactionId);
    expect([id, json['profile']]).toMatchObject([id, entry]);
  });
});

it('first contact finds the transaction of a notification where no session shows the payment', async () => {
  let listener = '';
  gateway.script = async (request, response) => {
    const { path, method, body } = request;
    if (path.endsWith('/webhooks') && method === 'POST') {
      listener = (body as { url: string }).url;
      return sendJson(response, 201, { id: 'w-1', url: listener, active: true, events: [] });
    }
    if (path.endsWith('/status')) {
      return request.query.get('id') === transactionId
        ? sendJson(response, 200, statusAnswer([statusRow()]))
        : sendJson(response, 404, coded('404'));
    }
    if (path.endsWith('/intiate')) {
      const { merchantOrderId } = body as { merchantOrderId: string };
      const text = JSON.stringify({ merchantOrderId, transaction: { uuid: transactionId } });
      await fetch(listener, { method: 'POST', body: text });
    }
    return gateway.answerUsually(request, response);
  };
  const steps = ['--steps', 'portal,webhooks,link,notifications'];
  const found = await contact('N13', ...steps, '--portal-writes', '--listen', '0');
  expect(found[1]).toContain('the transaction at /transaction/uuid');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    status: { asksFor: 'transaction' },
    webhook: { transactionId: '/transaction/uuid' },
  });
});
