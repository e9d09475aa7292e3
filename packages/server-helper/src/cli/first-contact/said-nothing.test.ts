import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runCliInside } from '../../../test-support/cli-shop.ts';
import {
  ScriptedGateway,
  sendJson,
  statusAnswer,
  statusRow,
} from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';

let gateway: ScriptedGateway;
let folder: string;

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  folder = mkdtempSync(join(tmpdir(), 'first-contact-'));
});
afterEach(async () => {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Takes steps, and returns what the command printed as JSON. */
async function outcomeOf(...args: readonly string[]) {
  const env = {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: gateway.baseUrl,
    GATEWAY_API_KEY: canaries.apiKey,
    GATEWAY_PORTAL_USERNAME: 'noura',
    GATEWAY_PORTAL_PASSWORD: 'a password',
  };
  const given = ['first-contact', '--yes', '--json', '--wait', '0', ...args];
  return (await runCliInside([...given, '--out', join(folder, 'profile.json')], env)).json;
}

/** The verdict and the words of one row of the table, and the profile. */
async function contact(id: string, ...args: readonly string[]) {
  const json = await outcomeOf(...args);
  const rows = json['readings'] as readonly Readonly<Record<string, string>>[];
  const row = rows.find((one) => one['id'] === id);
  const { status, session } = json['profile'] as GatewayProfile;
  return [row?.['verdict'], row?.['seen'], session?.afterEnd ?? status?.notFound];
}

const around = (data: unknown) => ({ code: 200, message: 'Success', errorCode: null, data });
const before = 'a session before its payment:';

it.each<[string, number, unknown, readonly unknown[]]>([
  ['an empty list', 200, statusAnswer([]), ['confirmed', `${before} no rows`, undefined]],
  ['data that is null', 200, around(null), ['confirmed', `${before} no rows`, undefined]],
  ['an empty object', 200, around({}), ['confirmed', `${before} no rows`, undefined]],
  [
    'an object without an envelope',
    200,
    {},
    ['contradicted', `${before} unreadable (HTTP 200, no envelope)`, undefined],
  ],
  [
    'an error code',
    200,
    { ...around(null), errorCode: 'NOT_PAID' },
    ['contradicted', `${before} unreadable (HTTP 200, envelope A)`, undefined],
  ],
  [
    'another refusal',
    410,
    { ...around(null), code: 410 },
    ['contradicted', `${before} unreadable (HTTP 410, envelope A)`, undefined],
  ],
  [
    'the error code of a 404',
    200,
    { ...around(null), errorCode: '404' },
    ['contradicted', `${before} 404`, 'not-yet'],
  ],
])('first contact judges a gateway that says before a payment: %s', async (...given) => {
  const [, code, nothing, expected] = given;
  gateway.script = (request, response) => {
    if (!request.path.endsWith('/status')) return gateway.answerUsually(request, response);
    const isUnpaid = gateway.statusCalls.length <= 2;
    return isUnpaid
      ? sendJson(response, code, nothing)
      : sendJson(response, 200, statusAnswer([statusRow({ amount: '1.00' })]));
  };
  expect(await contact('N21', '--steps', 'link,pay,status')).toEqual(expected);
});

const coded = (errorCode: string) => ({ ...around(null), errorCode });
const over = { statusCode: 400, message: 'over', error: 'Bad Request' };

it.each<[string, number, unknown, string, string, string?]>([
  ['its rows', 200, statusAnswer([statusRow()]), 'confirmed', 'HTTP 200, envelope A'],
  ['data that is null', 200, around(null), 'different', 'HTTP 200, envelope A, no rows'],
  ['an object without an envelope', 200, {}, 'contradicted', 'HTTP 200, no envelope'],
  ['410', 410, around(null), 'contradicted', 'HTTP 410, envelope A', 'gone'],
  ['400', 400, over, 'contradicted', 'HTTP 400, envelope B', 'gone'],
  ['400 in a 200', 200, over, 'contradicted', 'HTTP 200, envelope B', 'gone'],
  ['404', 404, { ...over, statusCode: 404 }, 'contradicted', 'HTTP 404, envelope B', 'gone'],
  ['an errorCode', 200, coded('OVER'), 'contradicted', 'HTTP 200, envelope A', 'gone'],
  ['503', 503, { ...over, statusCode: 503 }, 'contradicted', 'HTTP 503, envelope B'],
  ['the errorCode of a fault', 200, coded('503'), 'contradicted', 'HTTP 200, envelope A'],
])('first contact judges a gateway that says after 48 hours: %s', async (...given) => {
  const [, code, body, verdict, seen, entry] = given;
  gateway.script = (_request, response) => sendJson(response, code, body);
  const then = Math.floor(Date.now() / 1_000 - 3 * 86_400).toString(36);
  const order = `first-contact-${then}-0a1b2c3d~1`;
  const found = await contact('N3', '--steps', 'status', '--session', 's-1', '--order', order);
  expect(found).toEqual([verdict, `after 3 days: ${seen}`, entry]);
});

it('first contact finds the transaction of a notification where no session shows the payment', async () => {
  const id = 'f2d5b7c0-0000-4000-8000-000000000001';
  let listener = '';
  gateway.script = async (request, response) => {
    const { path, method, body } = request;
    if (path.endsWith('/webhooks') && method === 'POST') {
      listener = (body as { url: string }).url;
      return sendJson(response, 201, { id: 'w-1', url: listener, active: true, events: [] });
    }
    if (path.endsWith('/status') && request.query.get('id') !== id) {
      return sendJson(response, 404, { ...around(null), errorCode: '404' });
    }
    if (path.endsWith('/status')) return sendJson(response, 200, statusAnswer([statusRow()]));
    if (path.endsWith('/intiate')) {
      const { merchantOrderId } = body as { merchantOrderId: string };
      const text = JSON.stringify({ merchantOrderId, transaction: { uuid: id } });
      await fetch(listener, { method: 'POST', body: text });
    }
    return gateway.answerUsually(request, response);
  };
  const steps = [
    '--steps',
    'portal,webhooks,link,notifications',
    '--portal-writes',
    '--listen',
    '0',
  ];
  expect((await contact('N13', ...steps))[1]).toContain('the transaction at /transaction/uuid');
  expect(JSON.parse(readFileSync(join(folder, 'profile.json'), 'utf8'))).toMatchObject({
    status: { asksFor: 'transaction' },
    webhook: { transactionId: '/transaction/uuid' },
  });
});

it('first contact shows what a gateway says of an empty sale, but for unusual messages', async () => {
  const error = { statusCode: 400, message: ['card is missing', '<b>orderId</b>'], error: 'No' };
  gateway.script = (request, response) =>
    request.path.endsWith('/sale')
      ? sendJson(response, 400, error)
      : gateway.answerUsually(request, response);
  const said = 'HTTP 400, envelope B; card is missing; a message of 14 characters';
  const found = await contact('N7', '--steps', 'errors');
  expect(found.slice(0, 2)).toEqual(['not seen', `an empty sale: ${said}`]);
});

it.each([
  ['refuses in a 200', 200, coded('AMOUNT_TOO_SMALL'), []],
  ['leaves open', 502, {}, ['whether it was done is not known']],
])('first contact calls no refund accepted that the gateway %s', async (...given) => {
  const [, code, body, states] = given;
  gateway.script = (request, response) =>
    request.path.endsWith('/refund')
      ? sendJson(response, code, body)
      : gateway.answerUsually(request, response);
  const id = 'f2d5b7c0-0000-4000-8000-000000000001';
  const json = await outcomeOf('--steps', 'refund', '--refund', '--transaction', id);
  const made = json['made'] as readonly { readonly state: string }[];
  expect(made.map(({ state }) => state)).toEqual(states);
  const rows = json['readings'] as readonly { readonly id: string; readonly verdict: string }[];
  expect(rows.find((row) => row.id === 'X5')?.verdict).toBe('not seen');
});
