import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import express, { type RequestHandler } from 'express';
import { beforeEach, describe, expect, it } from 'vitest';
import { CliShop, runCli, runCliInside } from '../../../test-support/cli-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import { systemClock } from '../../clock.ts';
import { ConfigurationError } from '../../errors.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';
import { memoryStore } from '../../testing.ts';

let shop: CliShop;
beforeEach(async () => void (shop = await CliShop.start()));

const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
const nowhere = { GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1' };
const refusal = (status: number, message: string) =>
  [status, { statusCode: status, message, error: 'x' }] as const;

/** A shop whose clock is behind by so much. */
const startBehind = (agoMs: number): Promise<CliShop> =>
  CliShop.start({ payments: { clock: { ...systemClock, now: () => systemClock.now() - agoMs } } });

describe('the doctor', () => {
  it('finds nothing wrong in a good shop, as a process', async () => {
    await shop.open('1001');
    const { code, out, err } = await shop.run('doctor', '--page', `${shop.url}/product`);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('0 wrong, 1 not checked, 13 fine');
    expect(out).not.toContain('\u001B');
  });

  it('paints for a person, unless NO_COLOR says otherwise', async () => {
    await shop.open('1001');
    const args = ['doctor', '--offline'];
    const painted = await runCliInside(args, shop.env, true);
    expect(painted.out).toContain('\u001B[32m✓');
    const bare = await runCliInside(args, { ...shop.env, NO_COLOR: '1' }, true);
    expect(bare.out).toBe(stripVTControlCharacters(painted.out));
    expect(bare.out).toContain('7 not checked');
  });

  it('goes on to its end, as a process, where nothing answers at the gateway’s address', async () => {
    await shop.open('1001');
    const { code, json } = await runCli(['doctor', '--json'], { ...shop.env, ...nowhere });
    const checks = json['checks'] as readonly Record<string, string>[];
    expect([code, checks.at(-1)?.['id']]).toEqual([1, 'review']);
    const ofId = (id: string) => checks.find((one) => one['id'] === id);
    expect(ofId('api-key')).toMatchObject({ status: 'wrong', code: 'connection_failed' });
    for (const id of ['clock', 'answers']) expect(ofId(id)).toMatchObject({ status: 'unchecked' });
  });

  it('leaves the shop, the store and the gateway as they were', async () => {
    await shop.open('1001');
    const before = JSON.stringify(await shop.payments.explain('1001'));
    const sent = shop.gateway.seen.length;
    await shop.runInside('doctor');
    expect(JSON.stringify(await shop.payments.explain('1001'))).toBe(before);
    expect(shop.gateway.seen.slice(sent).map(({ method }) => method)).toEqual(['GET']);
  });

  it('says of each mistake in the settings what, why, how to mend it and where more is written', async () => {
    const mistaken = { PAY_TOKEN_SECRET: 'short', GATEWAY_BASE_URL: 'https://gateway.example' };
    const run = await runCliInside(['doctor', '--json'], { ...shop.env, ...mistaken });
    expect([run.code, run.json]).toMatchObject([1, { ok: false, wrong: 3 }]);
    const checks = run.json['checks'] as readonly Record<string, string>[];
    expect(checks.find(({ id }) => id === 'api-key')).toMatchObject({ status: 'unchecked' });
    for (const check of checks.filter(({ status }) => status !== 'fine')) {
      for (const part of ['what', 'why', 'fix']) expect(check[part]).toMatch(/\w.*\w/);
      expect(check['help']).toMatch(/^https:.*\/docs\/(?:errors|operations)\.md#[a-z_-]+$/);
    }
  });
});

describe('the doctor, of the store,', () => {
  it('knows an empty one, one of another scope and one that does not answer, and makes none', async () => {
    await shop.open('1001');
    const file = join(shop.folder, 'other.db');
    const empty = await shop.said('store', { DATABASE_URL: `sqlite:${file}` });
    expect(empty).toMatchObject([{ status: 'wrong', code: 'store_empty' }]);
    expect(existsSync(file)).toBe(false);
    const other = await shop.said('store', {}, '--merchant', 'other');
    expect(other).toMatchObject([{ status: 'wrong', code: 'store_of_another_scope' }]);
    const what = expect.stringMatching(/ECONNREFUSED: nothing listens at its address/) as unknown;
    const silent = await shop.said('store', { DATABASE_URL: 'postgres://127.0.0.1:1/none' });
    expect(silent).toMatchObject([{ status: 'wrong', code: 'store_unavailable', what }]);
  });

  it('finds a shop whose background work nobody does, and nothing where none is late', async () => {
    const late = await startBehind(40 * 60_000);
    await late.open('1001');
    const what = expect.stringMatching(/waits for 3\d minutes/) as unknown;
    const fix = expect.stringMatching(/payments\.start\(\).*payments\.tick\(\)/) as unknown;
    const overdue = { status: 'odd', code: 'events_overdue', what, fix };
    expect(await late.said('background')).toMatchObject([overdue]);
    const well = await startBehind(0);
    await well.open('1001');
    expect(await well.said('background')).toMatchObject([{ status: 'fine' }]);
  });

  const remote = 'postgres://shop:hunter2@db.invalid/shop';
  const mysql = remote.replace('postgres', 'mysql');
  const identified = '{"verifyIdentity":true,"rejectUnauthorized":';

  it.each<[string, string, string?]>([
    ['sqlite:payments.db', 'needs none'],
    ['postgres://shop:hunter2@127.0.0.1:9/shop', 'this machine'],
    ['postgres://shop:hunter2@/shop?host=/var/run/none', 'this machine'],
    [`${mysql}?socketPath=/var/run/none`, 'this machine'],
    [`${remote}?sslmode=verify-full`, 'checks it'],
    [`${remote}?sslmode=require`, 'checks it'],
    [`${mysql}?ssl=${identified}true}`, 'checks it'],
    [remote, 'PostgreSQL is not encrypted', 'sslmode=verify-full'],
    [`${remote}?sslmode=disable`, 'not encrypted', 'sslmode=verify-full'],
    [`${remote}?sslmode=no-verify`, 'not checked', 'sslmode=verify-full'],
    [mysql, 'MySQL is not encrypted', '"verifyIdentity":true'],
    [`${mysql}?sslmode=verify-full`, 'not encrypted', '"verifyIdentity":true'],
    [`${mysql}?ssl=false`, 'not encrypted', '"verifyIdentity":true'],
    [`${mysql}?ssl={"key":"hunter2"}`, 'not checked', '"verifyIdentity":true'],
    [`${mysql}?ssl=Amazon RDS`, 'not checked', '"verifyIdentity":true'],
    [`${mysql}?ssl=${identified}false}`, 'not checked', '"verifyIdentity":true'],
  ])('says whether others can pass for %s, by its driver’s words', async (url, words, fixed) => {
    const [found] = await shop.said('database-tls', { DATABASE_URL: url }, '--offline');
    const [text, fix] = [words, fixed].map((one) => expect.stringContaining(one ?? '') as unknown);
    const odd = { status: 'odd', code: 'database_unverified', what: text, fix };
    expect(found).toMatchObject(fixed === undefined ? { status: 'fine', summary: text } : odd);
    expect(JSON.stringify(found)).not.toContain('hunter2');
  });

  it.each([
    ['postgres', true, 'fine'],
    ['postgres', { rejectUnauthorized: false }, 'odd'],
    ['mysql', { verifyIdentity: true }, 'fine'],
    ['mysql', { rejectUnauthorized: false }, 'odd'],
  ])('says by a pool for %s of pay.config.ts, whose ssl is %j, that it is %s', async (...row) => {
    const [kind, ssl, status] = row;
    const file = new URL(`../../stores/${kind}/${kind}-store.ts`, import.meta.url).href;
    const load = `process.getBuiltinModule('module').createRequire('${import.meta.url}')`;
    const made =
      kind === 'mysql' ? `${load}('mysql2/promise').createPool` : `new (${load}('pg').Pool)`;
    const options = JSON.stringify({ host: 'db.invalid', ssl });
    shop.configure(`store: (await import('${file}')).${kind}Store({ pool: ${made}(${options}) })`);
    expect(await shop.said('database-tls', {}, '--offline')).toMatchObject([{ status }]);
  });
});

describe('the doctor, of the gateway’s refusals,', () => {
  it.each([
    ['api-key', 'API key is missing', 'takes the header x-api-key off'],
    ['api-key', 'Invalid API key', 'active key'],
    ['api-key', 'Wrong credential type: a portal token cannot be used for payment', 'wrong type'],
    ['api-key', 'This key belongs to the production environment', 'another environment'],
    ['api-key', 'Merchant not found', 'support'],
    ['webhook', 'Authorization header is missing', 'takes the header Authorization off'],
    ['webhook', 'Invalid token', 'refuses the portal'],
  ])('tells one of the %s from the others: %s', async (id, message, words) => {
    shop.gateway.answer({ [id === 'webhook' ? '/webhooks' : '']: refusal(401, message) });
    const [found] = await shop.said(id, portal);
    expect(found?.['status']).toBe('wrong');
    expect(JSON.stringify(found)).toContain(words);
  });

  it('judges each of several keys', async () => {
    shop.gateway.script = (request, response) =>
      request.headers['x-api-key'] === 'old-key'
        ? sendJson(response, ...refusal(401, 'Invalid API key'))
        : shop.gateway.answerUsually(request, response);
    const found = await shop.said('api-key', { GATEWAY_API_KEY: `old-key,${canaries.apiKey}` });
    expect(found.map(({ status }) => status)).toEqual(['wrong', 'fine']);
  });

  it('finds a server that answers 404 to every key, and believes that of a gateway which refuses a wrong one', async () => {
    const nothing = refusal(404, 'Cannot GET /');
    shop.gateway.answer({ '': nothing });
    const [found] = await shop.said('api-key');
    expect(found).toMatchObject({ status: 'wrong', code: 'not_found' });
    expect(JSON.stringify(found)).toMatch(/GATEWAY_BASE_URL.*Cannot GET \//);
    shop.gateway.script = ({ headers }, response) => {
      const isRight = headers['x-api-key'] === canaries.apiKey;
      sendJson(response, ...(isRight ? nothing : refusal(401, 'Invalid')));
    };
    expect(await shop.said('api-key')).toMatchObject([{ status: 'fine' }]);
  });

  it.each([
    ['none', [], 'webhook_missing'],
    ['another shop’s', [['https://other.example/pay/webhook', true]], 'webhook_missing'],
    ['one that is off', [['SHOP/pay/webhook', false]], 'webhook_inactive'],
    ['one with a key', [['SHOP/pay/webhook/k', true]], undefined],
  ] as const)('judges the webhooks of a shop with %s', async (_what, listed, code) => {
    const at = (url: string) => url.replace('SHOP', shop.url);
    const webhooks = listed.map(([url, active]) => ({ id: '1', url: at(url), active }));
    shop.gateway.answer({ '/webhooks': [200, { webhooks }] });
    expect((await shop.said('webhook', portal))[0]?.['code']).toBe(code);
  });

  it('finds clocks that are apart', async () => {
    shop.gateway.script = (request, response) => {
      response.setHeader('date', new Date(Date.now() - 3_600_000).toUTCString());
      shop.gateway.answerUsually(request, response);
    };
    expect(await shop.said('clock')).toMatchObject([{ status: 'wrong', code: 'clock_skew' }]);
  });

  it.each([
    [{ GATEWAY_PAGE_ORIGINS: 'https://a.example,https://b.example:8443' }, 'fine', ', https://b.'],
    [{ GATEWAY_BASE_URL: 'https://gateway.example/v1' }, 'any_page_origin', 'GATEWAY_PAGE_ORIGINS'],
    // A sandbox on this machine needs no name.
    [{}, 'fine', ''],
  ])('judges the origins of hosted pages under %j: %s', async (env, verdict, words) => {
    const [found] = await shop.said('page-origins', env, '--offline');
    expect(found?.['code'] ?? found?.['status']).toBe(verdict);
    expect(JSON.stringify(found)).toContain(words);
  });
});

describe('the doctor, of the gateway’s answers,', () => {
  /** The code, the sentence and how to mend it. */
  const reported = async (env: object = {}): Promise<readonly string[]> =>
    (await shop.said('answers', env)).map(({ status, code, what, fix, summary }) =>
      status === 'fine' ? `fine: ${summary}` : `${status} ${code}: ${what} ${fix}`,
    );
  const row = statusRow({ bill: 1, transactionStatus: 'DONE' });
  const usual =
    'about an unknown session, as the usual profile says; first-contact sees a paid one';

  it.each<[string, Parameters<CliShop['gateway']['answer']>[0], readonly (string | RegExp)[]]>([
    ['nothing where they are as expected', {}, [`^fine: ${usual}$`]],
    [
      'an errorCode beside a success, although it says that there is no error',
      { '/status': [200, { code: 200, message: 'Success', errorCode: '000', data: null }] },
      [/^odd unknown_word: .*retrieveStatus.*\/errorCode\. /],
    ],
    [
      'a row’s field, a word and a status, with the profile’s entry where there is one',
      {
        '/status': [200, statusAnswer([row])],
        '/login': [200, { data: { jwt: 'a' } }],
        '/webhooks': refusal(404, 'no'),
      },
      [
        /^odd unknown_field: .*retrieveStatus.*\/bill\. .*status\.orderName/,
        /^odd unknown_word: .*\/transactionStatus\. .*no entry/,
        /^odd unknown_field: .*logIn.*\/data\. .*login\.token/,
        /^odd unreadable_answer: .*logIn.*login\.token/,
      ],
    ],
    [
      'a status code of the status call, and of the webhooks’ list',
      { '/status': refusal(405, 'no'), '/webhooks': refusal(404, 'no') },
      [
        /^odd unexpected_status: .*retrieveStatus.* 405, .*status\.parameter/,
        /^odd unexpected_status: .*listWebhooks.* 404, .*no entry/,
      ],
    ],
  ])('names %s', async (_what, answers, expected) => {
    shop.gateway.answer(answers);
    const found = await reported('/webhooks' in answers ? portal : {});
    expect(found).toEqual(expected.map((words) => expect.stringMatching(words)));
  });

  it('says each thing once, however many keys met it', async () => {
    shop.gateway.answer({ '/status': [200, { ...statusAnswer([]), page: 1 }] });
    expect(await reported({ GATEWAY_API_KEY: 'key-a,key-b' })).toHaveLength(1);
  });

  it('reads the profile, and names it', async () => {
    const file = join(shop.folder, 'profile.json');
    writeFileSync(file, JSON.stringify({ status: { orderName: 'bill' } }));
    shop.gateway.answer({ '/status': [200, statusAnswer([statusRow({ bill: '1001~1' })])] });
    const env = { GATEWAY_PROFILE: file };
    expect(await reported(env)).toEqual([expect.stringMatching(`as the profile ${file} says`)]);
    const { out } = await runCliInside(['doctor'], { ...shop.env, ...env });
    expect(out.split('\n')[0]).toContain(`the profile ${file}`);
  });

  const nameless = { asksFor: 'transaction', orderName: null } as const;
  it.each<[GatewayProfile['status'], warnings: readonly string[], env?: object]>([
    [{ orderName: null }, []],
    [{ asksFor: 'transaction' }, []],
    [nameless, [], { GATEWAY_WEBHOOK_SECRET: 'whsec_5f1c0a7be2d94f36' }],
    [nameless, ['nameless_transactions']],
    [{ ...nameless, asksFor: 'either' }, ['nameless_transactions']],
  ])('warns where another’s transaction can be claimed: %j, %j', async (status, warnings, env) => {
    const file = join(shop.folder, 'profile.json');
    writeFileSync(file, JSON.stringify({ status }));
    const found = await shop.said('settings', { GATEWAY_PROFILE: file, ...env }, '--offline');
    expect(found.map(({ status: is, code }) => code ?? is)).toEqual(['fine', ...warnings]);
  });
});

describe('the doctor, of a shop whose router', () => {
  const withoutBody: RequestHandler = (request, _response, next) => {
    request.body = undefined;
    next();
  };
  const closed: RequestHandler = (_request, response) => void response.status(403).end();
  const otherHealth: RequestHandler = (_request, response) => void response.json({ status: 'up' });
  it.each<[string, string, readonly [string, ...RequestHandler[]]]>([
    ['gets no bodies', 'body_already_read', ['/', express.text({ type: () => true }), withoutBody]],
    ['stands behind a catch-all', 'checkout_not_found', ['/pay/checkout', closed]],
    ['is another program’s with a health too', 'router_not_found', ['/pay/health', otherHealth]],
  ])('%s, says so by %s', async (_what, code, before) => {
    shop = await CliShop.start({ prepare: (app) => app.use(...before) });
    const id = code === 'router_not_found' ? 'public-url' : 'requests';
    expect(await shop.said(id)).toMatchObject([{ status: 'wrong', code }]);
  });

  it('has a store that is refused, says as its health does why', async () => {
    const store = memoryStore();
    store.open = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    shop = await CliShop.start({ payments: { store } });
    const what: unknown = expect.stringContaining('ECONNREFUSED: nothing listens at its address');
    expect(await shop.said('public-url')).toMatchObject([{ code: 'store_unavailable', what }]);
    expect(await shop.said('requests')).toMatchObject([{ status: 'unchecked' }]);
    store.open = () => Promise.reject(new ConfigurationError('unsafe_database_setting', 'no'));
    expect(await shop.said('requests')).toMatchObject([{ status: 'unchecked' }]);
  });

  it('is mounted elsewhere, says where to look', async () => {
    shop = await CliShop.start({ mountAt: '/checkout' });
    expect(await shop.said('public-url')).toMatchObject([{ code: 'router_not_found' }]);
    const there = await shop.said('public-url', {}, '--mount', '/checkout');
    expect(there).toMatchObject([{ code: 'mount_mismatch' }]);
  });

  it('is met without the path of the public address, says what takes the path off', async () => {
    const below = { PUBLIC_URL: `${shop.url}/shop` };
    const [found] = await shop.said('public-url', below);
    expect(found).toMatchObject({ status: 'wrong', code: 'path_not_stripped' });
    expect(JSON.stringify(found)).toMatch(/proxy take \/shop off.*mount the router at \/shop\/pay/);
    await shop.payments.close();
    expect(await shop.said('public-url', below)).toMatchObject([{ code: 'path_not_stripped' }]);
    const elsewhere = await shop.said('public-url', below, '--mount', '/nothing');
    expect(elsewhere).toMatchObject([{ code: 'router_not_found' }]);
  });

  it('is mounted with the path of the public address, finds it where shoppers do', async () => {
    const mountPath = '/shop/pay';
    shop = await CliShop.start({ mountAt: mountPath, payments: { mountPath } });
    const env = { PUBLIC_URL: `${shop.url}/shop` };
    const found = await shop.said('public-url', env, '--mount', mountPath);
    expect(found).toMatchObject([{ status: 'fine' }]);
  });

  it('stands behind a proxy gets the details by the token alone', async () => {
    const PAY_HEALTH_TOKEN = 'b41f0c7d2e95836aa7c80d12';
    let aheadMs = 0;
    const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
    const forward: RequestHandler = (request, _response, next) => {
      request.headers['x-forwarded-for'] = '203.0.113.7';
      next();
    };
    const payments = { clock, health: { token: PAY_HEALTH_TOKEN } };
    shop = await CliShop.start({ prepare: (app) => app.use(forward), payments });
    const withToken = () => shop.said('public-url', { PAY_HEALTH_TOKEN });
    expect(await shop.said('public-url')).toMatchObject([{ status: 'fine' }]);
    const summary = expect.stringMatching(/answers, release \d/) as unknown;
    expect(await withToken()).toMatchObject([{ summary }]);
    await shop.open('1001');
    aheadMs = 40 * 60_000;
    const fix = expect.stringContaining('PAY_HEALTH_TOKEN') as unknown;
    expect(await shop.said('public-url')).toMatchObject([{ code: 'shop_degraded', fix }]);
    const what = expect.stringContaining('status_checks_overdue') as unknown;
    expect(await withToken()).toMatchObject([{ what }]);
  });

  it('has routes of its own names, looks for each there, and for none that is left out', async () => {
    const ofRoutes = async (routes: Readonly<Record<string, string | false>>) => {
      shop = await CliShop.start({ payments: { routes } });
      shop.configure(`routes: ${JSON.stringify(routes)}`);
      return [...(await shop.said('public-url')), ...(await shop.said('requests'))];
    };
    const renamed = await ofRoutes({ checkout: '/start', health: '/up', status: '/state' });
    expect(renamed).toMatchObject([{ status: 'fine' }, { status: 'fine' }]);
    const what = expect.stringMatching(/leaves health out/) as unknown;
    const without = await ofRoutes({ health: false, status: false });
    expect(without).toMatchObject([{ status: 'unchecked', what }, { status: 'fine' }]);
  });

  it('gets no webhook as it was signed, says so before one comes', async () => {
    const GATEWAY_WEBHOOK_SECRET = 'whsec_5f1c0a7be2d94f36';
    const findings: unknown[] = [];
    for (const path of ['/elsewhere', '/pay', '/pay/webhook']) {
      const before = path === '/pay' ? express.json() : closed;
      const payments = { webhookSecrets: [GATEWAY_WEBHOOK_SECRET] };
      shop = await CliShop.start({ prepare: (app) => app.use(path, before), payments });
      const [found] = await shop.said('requests', { GATEWAY_WEBHOOK_SECRET });
      findings.push(found?.['code'] ?? found?.['status'], ...shop.payments.gateway.drift());
    }
    expect(findings).toEqual(['fine', 'body_already_read', 'webhook_not_found']);
  });
});
