import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { callOf, errorOf, oddClientOf } from '../../test-support/gateway-calls.ts';
import { askingInputs, changingInputs } from '../../test-support/operation-inputs.ts';
import { ScriptedGateway, sendJson } from '../../test-support/scripted-gateway.ts';
import { ConfigurationError } from '../errors.ts';
import { type OperationName } from './gateway-error.ts';
import { operations } from './profile.ts';
import { gatewayProfile, type GatewayProfile } from './profile.ts';

let gateway: ScriptedGateway;

beforeEach(async () => {
  gateway = await new ScriptedGateway().start();
  gateway.script = (request, response) => {
    if (request.path.endsWith('/auth/login')) gateway.answerUsually(request, response);
    else sendJson(response, 400, {});
  };
});

afterEach(() => gateway.close());

const portal = { username: 'noura', password: 'a password' };
const inputs = { ...changingInputs, ...askingInputs };
const names = Object.keys(operations) as readonly OperationName[];
/** Operations whose path the specification states. */
const firm = new Set<OperationName>([
  'createPaymentLink',
  'retrieveStatus',
  'sale',
  'capture',
  'void',
  'listWebhooks',
  'retrieveCredentials',
]);

function mistakesIn(profile: unknown): readonly string[] {
  try {
    oddClientOf(gateway.origin, { profile: profile as GatewayProfile });
  } catch (error) {
    if (error instanceof ConfigurationError) return error.findings.map(({ setting }) => setting);
    throw error;
  }
  return [];
}

describe('a profile', () => {
  it.each(names.filter((name) => !firm.has(name)))(
    'moves %s to another path',
    async (operation) => {
      const hasId = operations[operation].path.includes('{id}');
      const path = hasId ? '/other/{id}/place' : '/other/place';
      const profile: GatewayProfile = { operations: { [operation]: { path } } };
      const client = oddClientOf(gateway.origin, { portal, profile });
      await errorOf(callOf(client, operation, inputs[operation]));
      const { id } = (inputs[operation] ?? {}) as { id?: string };
      expect(gateway.seen.at(-1)?.path).toBe(hasId ? `/v1/other/${id}/place` : '/v1/other/place');
      await client.close();
    },
  );

  it.each([...firm])('cannot move %s, whose path the specification states', (operation) => {
    const place = `gateway.profile.operations.${operation}`;
    const [mistake] = mistakesIn({ operations: { [operation]: { path: '/other' } } });
    expect([place, `${place}.path`]).toContain(mistake);
  });

  it.each<[string, object]>([
    ...[
      'payment/refund',
      '/payment/../refund',
      '/payment/./refund',
      '//other.example/refund',
      '/payment/refund?x=1',
      '/payment/%2e%2e/refund',
      '/payment/{id}',
      '',
      17,
    ].map((path): [string, object] => [
      'operations.refund.path',
      { operations: { refund: { path } } },
    ]),
    ...['/webhooks', '/webhooks/{id}/{id}', '/webhooks/x{id}'].map((path): [string, object] => [
      'operations.deleteWebhook.path',
      { operations: { deleteWebhook: { path } } },
    ]),
    ['operations.refund.method', { operations: { refund: { method: 'PUT' } } }],
    ['operations.noSuch', { operations: { noSuch: { path: '/x' } } }],
    ['operations.toString', { operations: { toString: { path: '/x' } } }],
    ['operations.sale.body.amount', { operations: { sale: { body: { amount: 'total' } } } }],
    ['operations.sale.answer.html', { operations: { sale: { answer: { html: 'page' } } } }],
    ['operations.sale.add.a b', { operations: { sale: { add: { 'a b': 1 } } } }],
    ['login.path', { login: { path: 'login' } }],
    ['login.path', { login: { path: '/login/{id}' } }],
    ['status.parameter', { status: { parameter: 'transaction' } }],
    ['status.asksFor', { status: { asksFor: 'order' } }],
    ['webhook.signature.algorithm', { webhook: { signature: { algorithm: 'md5' } } }],
    ['webhook.orderName', { webhook: { orderName: 'merchantOrderId' } }],
    ['paths', { paths: {} }],
  ])('that is wrong at %s is refused at start: %j', (place, profile) => {
    expect(mistakesIn(profile)).toEqual([`gateway.profile.${place}`]);
  });

  it('is refused with all its mistakes at once', () => {
    const profile = { status: { parameter: 'x', asks: 'y' }, login: 3, extra: true };
    expect(mistakesIn(profile).toSorted()).toEqual([
      'gateway.profile.extra',
      'gateway.profile.login',
      'gateway.profile.status.asks',
      'gateway.profile.status.parameter',
    ]);
  });

  it('may be the name of a JSON file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'profile-')), 'gateway.json');
    writeFileSync(file, JSON.stringify({ operations: { refund: { path: '/from/a/file' } } }));
    const client = oddClientOf(gateway.origin, { profile: file });
    await errorOf(callOf(client, 'refund', inputs['refund']));
    expect(gateway.seen.at(-1)?.path).toBe('/v1/from/a/file');
    await client.close();
  });

  it.each([
    ['no JSON', '{"status":'],
    ['cannot be read (ENOENT)', null],
  ])('in a file that is or %s is refused with the reason', (reason, content) => {
    const file = join(mkdtempSync(join(tmpdir(), 'profile-')), 'gateway.json');
    if (content !== null) writeFileSync(file, content);
    expect(() => oddClientOf(gateway.origin, { profile: file })).toThrow(reason);
  });

  it('has the JSON Schema of the contract', async () => {
    const schema = z.toJSONSchema(gatewayProfile, { io: 'input', reused: 'ref' });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(
      '../../../../contract/gateway-profile.schema.json',
    );
  });

  it('renames the status query', async () => {
    const client = oddClientOf(gateway.origin, { profile: { status: { parameter: 'sessionId' } } });
    await errorOf(client.retrieveStatus({ sessionId: 's-1' }));
    await errorOf(client.pollStatus({ transactionId: 't-1' }));
    expect(gateway.seen.map(({ query }) => query.toString())).toEqual([
      'sessionId=s-1',
      'sessionId=t-1',
    ]);
    await client.close();
  });
});
