import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop, runCli, runCliInside, type CliRun } from '../../../test-support/cli-shop.ts';
import { sendJson, type Script } from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import { memoryStore } from '../../testing.ts';

let shop: CliShop;
const open = async (options: Parameters<typeof CliShop.start>[0] = {}): Promise<void> => {
  shop = await CliShop.start(options);
  await shop.open('1001');
};
afterEach(() => shop.close());

interface Diagnosis {
  readonly id: string;
  readonly status: string;
  readonly code?: string;
}

/** What the doctor says of one check. */
async function findingsOf(
  id: string,
  env: object = {},
  ...args: string[]
): Promise<readonly Diagnosis[]> {
  const run = await runCliInside(['doctor', '--json', ...args], { ...shop.env, ...env });
  return (run.json['checks'] as readonly Diagnosis[]).filter((check) => check.id === id);
}

/** Every finding says what, why, how to mend it and where more is written. */
function expectReasons({ json }: CliRun): void {
  for (const check of json['checks'] as readonly Record<string, string>[]) {
    if (check['status'] === 'fine') continue;
    for (const part of ['what', 'why', 'fix']) expect(check[part]).toMatch(/\w.*\w/);
    expect(check['help']).toMatch(/^https:.*\/docs\/(?:errors|operations)\.md#[a-z_-]+$/);
  }
}

describe('the doctor, of a good shop', () => {
  beforeEach(() => open());

  it('finds nothing wrong, as a process', async () => {
    const { code, out, err } = await shop.run('doctor', '--page', `${shop.url}/product`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('0 wrong, 1 not checked, 13 fine');
    expect(out).not.toContain('\u001B');
  });

  it('paints for a person, unless NO_COLOR says otherwise', async () => {
    const args = ['doctor', '--offline'];
    const painted = await runCliInside(args, shop.env, true);
    expect(painted.out).toContain('\u001B[32m✓');
    const bare = await runCliInside(args, { ...shop.env, NO_COLOR: '1' }, true);
    expect(bare.out).toBe(stripVTControlCharacters(painted.out));
    expect(bare.out).toContain('7 not checked');
  });

  it('goes on to its end, as a process, where nothing answers at the gateway’s address', async () => {
    const env = { ...shop.env, GATEWAY_BASE_URL: 'http://127.0.0.1:1/staging/v1' };
    const { code, json } = await runCli(['doctor', '--json'], env);
    const checks = json['checks'] as readonly Record<string, string>[];
    expect([code, checks.at(-1)?.['id']]).toEqual([1, 'review']);
    expect(checks.find(({ id }) => id === 'api-key')).toMatchObject({ status: 'wrong' });
  });

  it('leaves the shop, the store and the gateway as they were', async () => {
    const before = JSON.stringify(await shop.payments.explain('1001'));
    const sent = shop.gateway.seen.length;
    await shop.runInside('doctor');
    expect(JSON.stringify(await shop.payments.explain('1001'))).toBe(before);
    expect(shop.gateway.seen.slice(sent).map(({ method }) => method)).toEqual(['GET']);
  });

  it('makes no database where there is none', async () => {
    const file = join(shop.folder, 'other.db');
    const env = { DATABASE_URL: `sqlite:${file}` };
    expect(await findingsOf('store', env)).toMatchObject([
      { status: 'wrong', code: 'store_empty' },
    ]);
    expect(existsSync(file)).toBe(false);
  });

  it('knows another scope, and a database that is none', async () => {
    expect(await findingsOf('store', {}, '--merchant', 'other')).toMatchObject([
      { status: 'wrong', code: 'store_of_another_scope' },
    ]);
    const env = { DATABASE_URL: 'postgres://127.0.0.1:1/none' };
    expect(await findingsOf('store', env)).toMatchObject([
      {
        status: 'wrong',
        code: 'store_unavailable',
        what: expect.stringMatching(/ECONNREFUSED: nothing listens at its address/),
      },
    ]);
  });

  it('tells all mistakes in the settings, and what it could not check because of them', async () => {
    const env = {
      ...shop.env,
      PAY_TOKEN_SECRET: 'short',
      GATEWAY_BASE_URL: 'https://gateway.example',
    };
    const run = await runCliInside(['doctor', '--json'], env);
    expect(run.code).toBe(1);
    expect(run.json).toMatchObject({ ok: false, wrong: 2 });
    expectReasons(run);
    const unchecked = (run.json['checks'] as readonly Diagnosis[]).filter(
      ({ status }) => status === 'unchecked',
    );
    expect(unchecked.map(({ id }) => id)).toContain('api-key');
  });

  it('tells a page without the widget, and a script that is not served', async () => {
    const of = (path: string) => findingsOf('widget', {}, '--page', `${shop.url}${path}`);
    expect(await of('/nothing')).toMatchObject([{ status: 'wrong', code: 'page_not_served' }]);
    expect(await of('/widget.js')).toMatchObject([{ status: 'wrong', code: 'widget_not_on_page' }]);
    expect(await of('/product')).toMatchObject([{ status: 'fine' }]);
  });
});

describe('the doctor tells apart', () => {
  beforeEach(() => open());

  const refuse =
    (message: string): Script =>
    (_request, response) =>
      sendJson(response, 401, { statusCode: 401, message, error: 'Unauthorized' });

  it.each([
    ['a missing API key', 'API key is missing', 'takes the header x-api-key off'],
    ['an invalid API key', 'Invalid API key', 'active key'],
    [
      'a key of the wrong type',
      'Wrong credential type: a portal token cannot be used for payment APIs',
      'wrong type',
    ],
    [
      'a key of another environment',
      'This key belongs to the production environment',
      'another environment',
    ],
    ['a merchant that is not found', 'Merchant not found', 'support'],
  ])('from the others: %s', async (_what, message, words) => {
    shop.gateway.script = refuse(message);
    const [reported] = await findingsOf('api-key');
    expect(reported?.status).toBe('wrong');
    expect(JSON.stringify(reported)).toContain(words);
  });

  it.each([
    ['a missing bearer', 'Authorization header is missing', 'takes the header Authorization off'],
    ['an invalid bearer', 'Invalid token', 'refuses the portal'],
  ])('%s of the portal', async (_what, message, words) => {
    shop.gateway.script = (request, response) =>
      request.path.endsWith('/webhooks')
        ? refuse(message)(request, response)
        : shop.gateway.answerUsually(request, response);
    const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
    expect(JSON.stringify(await findingsOf('webhook', portal))).toContain(words);
  });

  it.each([
    ['none', [], 'webhook_missing'],
    [
      'another shop’s',
      [{ id: '1', url: 'https://other.example/pay/webhook', active: true }],
      'webhook_missing',
    ],
    ['one that is off', [{ id: '1', url: 'SHOP/pay/webhook', active: false }], 'webhook_inactive'],
    ['one with a key', [{ id: '1', url: 'SHOP/pay/webhook/k', active: true }], undefined],
  ])('the webhooks of a shop with %s', async (_what, webhooks, code) => {
    const listed = webhooks.map((one) => ({ ...one, url: one.url.replace('SHOP', shop.url) }));
    shop.gateway.script = (request, response) =>
      request.path.endsWith('/webhooks')
        ? sendJson(response, 200, { webhooks: listed })
        : shop.gateway.answerUsually(request, response);
    const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
    const [reported] = await findingsOf('webhook', portal);
    expect(reported?.code).toBe(code);
  });

  it('a gateway that cannot be reached, and clocks that are apart', async () => {
    const env = { GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(await findingsOf('api-key', env)).toMatchObject([{ code: 'connection_failed' }]);
    expect(await findingsOf('clock', env)).toMatchObject([{ status: 'unchecked' }]);
    shop.gateway.script = (request, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      shop.gateway.answerUsually(request, response);
    };
    expect(await findingsOf('clock')).toMatchObject([{ status: 'wrong', code: 'clock_skew' }]);
  });

  it('each of several keys', async () => {
    shop.gateway.script = (request, response) =>
      request.headers['x-api-key'] === 'old-key'
        ? refuse('Invalid API key')(request, response)
        : shop.gateway.answerUsually(request, response);
    const reported = await findingsOf('api-key', { GATEWAY_API_KEY: `old-key,${canaries.apiKey}` });
    expect(reported.map(({ status }) => status)).toEqual(['wrong', 'fine']);
  });
});

describe('the doctor, of a shop whose router', () => {
  it('gets no bodies, says who takes them', async () => {
    await open({
      prepare: (app) =>
        app.use(express.text({ type: () => true }), (request, _response, next) => {
          request.body = undefined;
          next();
        }),
    });
    expect(await findingsOf('requests')).toMatchObject([
      { status: 'wrong', code: 'body_already_read' },
    ]);
  });

  it('stands behind a catch-all, says that something else answers', async () => {
    await open({
      prepare: (app) =>
        app.use('/pay/checkout', (_request, response) => void response.status(403).end()),
    });
    expect(await findingsOf('requests')).toMatchObject([
      { status: 'wrong', code: 'checkout_not_found' },
    ]);
  });

  it('has lost its store, learns it from its health', async () => {
    await open();
    await shop.payments.close();
    rmSync(shop.folder, { recursive: true });
    expect(await findingsOf('public-url')).toMatchObject([{ code: 'store_unavailable' }]);
  });

  it('has a store that is refused, says as its health does why', async () => {
    const store = memoryStore();
    const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    store.open = () => Promise.reject(refused);
    shop = await CliShop.start({ payments: { store } });
    const what = expect.stringMatching(
      /its store \(ECONNREFUSED: nothing listens at its address\)/,
    );
    expect(await findingsOf('public-url')).toMatchObject([{ code: 'store_unavailable', what }]);
    expect(await findingsOf('requests')).toMatchObject([{ status: 'unchecked' }]);
  });
});
