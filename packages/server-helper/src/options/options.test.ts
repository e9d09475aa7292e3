import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { refusalOf, someOptions, TOKEN_SECRET, untyped } from '../../test-support/some-options.ts';
import { createPayments } from '../create-payments.ts';
import { type Finding, helpAddress } from '../errors.ts';
import { readProfile } from '../gateway/profile.ts';
import { paymentsFromEnv } from '../payments-from-env.ts';
import { mysqlStore } from '../stores/mysql/mysql-store.ts';
import { postgresStore } from '../stores/postgres/postgres-store.ts';
import { sqliteStore } from '../stores/sqlite/sqlite-store.ts';
import { memoryStore } from '../testing.ts';
import { mistakesIn } from './check-options.ts';
import { resolveEdgeSettings, resolveWatch, usualLimits } from './settings.ts';
import { resolveWiring } from './wiring.ts';

const HOUR_MS = 3_600_000;
const WEBHOOK_SECRET = 'whsec_5f1c0a7be2d94f36';
const production = {
  environment: 'production',
  baseUrl: 'https://gateway.example/v1',
  apiKey: 'key-1',
} as const;
const good = someOptions();
const gateway = (changes: object) => ({ gateway: { ...good.gateway, ...changes } });
const inProduction = (changes: object) => ({ gateway: { ...production, ...changes } });

const findingsOf = (changes: object): readonly Finding[] =>
  refusalOf(() => createPayments({ ...good, ...changes })).findings;

/** The code of the first mistake; `none` where there is none. */
const codeOf = (changes: object): string => mistakesIn({ ...good, ...changes })[0]?.code ?? 'none';

const startWith = (changes: object): Promise<void> =>
  createPayments({ ...good, store: memoryStore(), ...changes }).close();

const listed = (one: string): readonly string[] => [one];

/** What is no address at all. */
const nothing: readonly unknown[] = ['', undefined, null, 17];

/** What is no page of the shop, or no address at all. */
const strangePages: readonly unknown[] = [
  ...'thanks //evil.example/ /\\evil.example/ https://evil.example/ javascript:alert(1)'.split(' '),
  '/\t/evil.example',
  '/thanks\r\nset-cookie: a=b',
  ...nothing,
];

/** A pool of either driver. */
const pool = { options: {}, pool: {} };

/** The values that are refused, by the code and the setting that it names. */
const refused: Readonly<Record<string, readonly unknown[]>> = {
  'weak_token_secret tokenSecrets': [
    undefined,
    TOKEN_SECRET,
    [],
    ...['', TOKEN_SECRET.slice(1), Buffer.alloc(64)].map((secret) => [secret]),
    [TOKEN_SECRET, 'short'],
    // One character, and little variety.
    ['a'.repeat(40)],
    ['abcabcabc'.repeat(10)],
  ],
  'weak_encryption_key encryptionKeys': [[], ['short']],
  'invalid_webhook_secret webhookSecrets': [
    [],
    WEBHOOK_SECRET,
    ...[' ', 'whsec_5f1c0a7be'].map((secret) => [WEBHOOK_SECRET, secret]),
    ...'abcdefghijklmnopqrstuvwxyz 9876543210fedcba your-webhook-secret'.split(' ').map(listed),
    ...['a'.repeat(64), `5f1c0a7be2d${' '.repeat(20)}`].map(listed),
  ],
  // Without secrets.
  'invalid_webhook_secret webhookSignatureHeader': ['X-Signature'],
  'invalid_limit limits': [true, null, []],
  'invalid_limit limits.checkoutsPerAddress': [0, Number.NaN, true],
  'invalid_limit limits.checkoutPerAddress': [10],
  'invalid_limit limits.constructor': [10],
  'invalid_base_url gateway.baseUrl': ['https://gateway.example'],
  'wrong_environment gateway.apiKey': ['sk_live_0123456789abcdef'],
  'invalid_option gateway.pageOrigin': [['https://pay.gateway.example']],
  'invalid_portal gateway.portal': [{ username: 'noura' }],
  // Each of the latter two may outlive a lease.
  'invalid_timeout bodyTimeoutMs': [0, 1.5, '10'],
  'invalid_timeout gateway.timeoutMs': [90_000],
  'invalid_timeout hookTimeoutMs': [0, 60_000],
  'invalid_option loadOrder': [undefined],
  'invalid_option recheckOrder': ['false'],
  'invalid_option shedLoad': ['false'],
  'invalid_option health.failsWhenDegraded': ['true'],
  'invalid_option logger': ['console', true, { log: () => undefined }],
  'invalid_option gateway.logger': ['console'],
  'invalid_option clock': [Date],
  'invalid_option random': [0.5],
  'invalid_option gateway.saleHash': ['md5'],
  'invalid_option gateway.transport': ['https'],
  // In production no payment may go to the default file.
  'invalid_option store': [null, '.data/payments.db', memoryStore, {}, Promise.resolve()],
  'invalid_option on': [[]],
  'invalid_option health': [[], 5],
  'missing_api_key gateway.apiKey': ['"key-1"', "'key-1'"],
  'invalid_option recurringCeiling': [5, '0.00'],
  'invalid_option on.paid': ['ship it'],
  'invalid_option on.payed': [() => undefined],
  'invalid_option publicURL': ['https://shop.example'],
  'invalid_option merchant': [' '],
  // No list, a time twice, the time of the payment, a text, and more than 90 days.
  'invalid_option afterPayment': [3, [HOUR_MS, HOUR_MS], [0], ['1h'], [91 * 24 * HOUR_MS]],
  'invalid_option checksPerSecond': [0, Number.NaN],
  'invalid_option dataFields': [
    ...['amount', 'currency', 'customer', 'orderId', '__proto__', '', null].map((name) => [name]),
    'note',
    Array.from({ length: 41 }, (_, index) => `field${index}`),
  ],
  'invalid_public_url publicUrl': [
    ...'shop.example //shop.example ftp://shop.example javascript:alert(1)'.split(' '),
    ...'https://name@shop.example https://:secret@shop.example'.split(' '),
    ...'https://shop.example?x=1 https://shop.example#x'.split(' '),
    ...nothing,
  ],
  'invalid_mount_path mountPath': [
    ...'pay /pay//x //evil.example /:id /pay?x /pay#x /* /.. /a/./b /دفع'.split(' '),
    '/a b',
    '/pay\n',
    17,
  ],
  // Without a slash, with a parameter, and a return, which the gateway needs.
  'invalid_mount_path routes.checkout': ['checkout'],
  'invalid_mount_path routes.status': ['/status/:token'],
  'invalid_mount_path routes.webhook': ['/:x'],
  'invalid_mount_path routes.return': [false],
  'invalid_mount_path routes.health': [17],
  'invalid_option routes.chekout': ['/checkout'],
  'invalid_option pages.cancelled': ['/cart'],
  'invalid_cors_origins cors.origins': [
    ...'* null https://*.front.example https://front.example/ front.example'.split(' ').map(listed),
    ['https://front.example:443'],
    [],
    'https://front.example',
    undefined,
    [undefined],
  ],
  'invalid_page pages.success': strangePages,
  'invalid_page pages.pending': strangePages,
  'invalid_page pages.failure': strangePages,
};

/** What a webhook's secret may not be either. */
const guessable = 's3cretpw'.repeat(4);

/** Mistakes that several options make together, or that count in production alone. */
const mistakes: readonly (readonly [place: string, changes: object])[] = [
  ['weak_token_secret tokenSecrets', { gateway: production, tokenSecrets: [guessable] }],
  ['weak_encryption_key encryptionKeys', { gateway: production, encryptionKeys: [guessable] }],
  ['contradictory_options tokenSecrets', gateway({ apiKey: TOKEN_SECRET })],
  ...['http://shop.example', 'https://localhost:3000'].map(
    (publicUrl) => ['invalid_public_url publicUrl', { gateway: production, publicUrl }] as const,
  ),
  ...[
    'https://sandbox.gateway.example/v1',
    'https://gateway.example/staging/v1',
    'https://127.0.0.1:4010/v1',
  ].map((baseUrl) => ['wrong_environment gateway.baseUrl', inProduction({ baseUrl })] as const),
  ['wrong_environment gateway.apiKey', inProduction({ apiKey: ['key-1', 'sandbox_staging_01'] })],
  ['route_conflict routes.health', { routes: { checkout: '/Health' } }],
  ['route_conflict routes.health', { routes: { health: '/status/ready' } }],
  ['asynchronous_hook inTransaction', { store: undefined, inTransaction: async () => undefined }],
  ...['X Signature', ''].map((webhookSignatureHeader) => {
    const changes = { webhookSecrets: [WEBHOOK_SECRET], webhookSignatureHeader };
    return ['invalid_webhook_secret webhookSignatureHeader', changes] as const;
  }),
  ['invalid_limit limits.shopperKey', { limits: { checkoutsPerShopper: 10 } }],
  ['invalid_option cors.any', { cors: { origins: ['http://a.b'], any: 1 } }],
  ['invalid_option oldChecksPerSecond', { checksPerSecond: 4, oldChecksPerSecond: 5 }],
];

const everyMistake = [
  ...mistakes,
  ...Object.entries(refused).flatMap(([place, values]) => {
    const [option = '', part] = (place.split(' ')[1] ?? '').split('.');
    const all = Reflect.get(good, option) as object | undefined;
    const changes = (value: unknown) => (part === undefined ? value : { ...all, [part]: value });
    return values.map((value) => [place, { [option]: changes(value) }] as const);
  }),
].map(([place, changes]) => [...place.split(' '), changes] as [string, string, object]);

describe('payments', () => {
  /** The finding names the setting, and says what is wrong, why, and how to mend it. */
  function expectWhole(finding: Finding | undefined, code: string, setting: string): void {
    expect(finding).toMatchObject({ code, setting, help: helpAddress(code) });
    for (const sentence of [finding?.what, finding?.why, finding?.fix]) {
      expect(sentence).toMatch(/^[A-Za-z].*\.$|^Make .* with: node /);
    }
  }

  it.each(everyMistake)('do not start, with %s, for %s: %j', (code, setting, changes) => {
    const [finding, ...others] = findingsOf(changes);
    expectWhole(finding, code, setting);
    // Other addresses are below one that is wrong.
    if (!/^(?:publicUrl|mountPath|routes.health)$/.test(setting)) expect(others).toEqual([]);
  });

  it.each([
    ['a key whose random part happens to be a word', gateway({ apiKey: 'key_live' })],
    ['the sandbox key of the environment', gateway({ apiKey: 'sandbox_staging_1' })],
    ['the sandbox’s other key', inProduction({ apiKey: 'sandbox_production_1' })],
    ['routes that are left out', { routes: { status: false, webhook: false, health: false } }],
    ['a handler that is undefined', { on: { paid: undefined } }],
    ['names of a form', { dataFields: ['note', 'gift-wrap', 'constructor', 'delivery.at', 'Z_C'] }],
    ['webhook secrets in words', { webhookSecrets: [WEBHOOK_SECRET, 'سر من كلمات عدة'] }],
    ['short webhook secrets', { webhookSecrets: ['4f36a8c07d11e93b', 'kR7~Qz!m2Wx$Lp9v'] }],
  ])('start with %s', async (_what, changes) => startWith(changes));

  it('tell nothing in the message of what was secret', () => {
    const apiKey = 'sandbox_staging_canary';
    const wrong = inProduction({ apiKey, baseUrl: 'https://canary:canary@x.example/' });
    const tokenSecrets = ['canary', apiKey];
    const error = refusalOf(() => createPayments({ ...good, ...wrong, tokenSecrets }));
    expect(error.findings.length).toBeGreaterThan(3);
    expect(JSON.stringify([error.message, error.findings])).not.toContain('canary');
  });

  it('that are given nothing tell of everything that is needed', () => {
    const { findings } = refusalOf(() => createPayments(untyped(undefined)));
    const needed = ['gateway.baseUrl', 'publicUrl', 'tokenSecrets', 'loadOrder'];
    expect(findings.map(({ setting }) => setting)).toEqual(expect.arrayContaining(needed));
  });
});

it('the README has a row for each option, event, variable, and field of an order or event', () => {
  const textOf = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  const readme = textOf('../../README.md');
  const files = ['environment.ts', 'payments-options.ts', '../payments/record.ts'].map(textOf);
  const types = files.join('').match(/interface (?:Environs|Order|EventFields) [^]*?\n}/g) ?? [];
  const fields = [...types.join('').matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, name]) => name);
  // The advice about a misspelt name lists the right ones.
  const others = [{ optoin: 1 }, { on: { piad: 1 } }].flatMap((mistake) =>
    (findingsOf(mistake)[0]?.fix ?? '').replace(/.*one of |\.$/g, '').split(', '),
  );
  const names = [...fields, ...others];
  expect(names.filter((name) => !readme.includes(`\n| \`${name}\` `))).toEqual([]);
  expect(names.length).toBeGreaterThan(70);
  const limits = Object.entries(usualLimits).map(
    ([name, limit]) => `${name}: ${limit.toLocaleString('en').replace(',', '_')}`,
  );
  expect(limits.filter((limit) => !readme.includes(limit))).toEqual([]);
});

const stores = { sqliteStore, postgresStore, mysqlStore };

it.each<[setting: string, options: unknown]>([
  ['sqliteStore', undefined],
  ['sqliteStore.file', { file: 5 }],
  ['sqliteStore.file', { file: '' }],
  ['sqliteStore.migrate', { file: 'a.db', migrate: 'false' }],
  ['sqliteStore.migrat', { file: 'a.db', migrat: false }],
  ['postgresStore.pool', { pool: 'postgres://db/shop' }],
  ['postgresStore.endPool', { pool, endPool: true }],
  ['postgresStore.preparedStatements', { pool, preparedStatements: 'false' }],
  ['mysqlStore.preparedStatements', { pool, preparedStatements: false }],
  // One whose methods take callbacks.
  ['mysqlStore.pool', { pool: { getConnection: () => undefined } }],
  ['mysqlStore.timeoutMs', { pool, timeoutMs: '5s' }],
  ['mysqlStore.endsPool', { pool, endsPool: 'false' }],
])('a store is not made, with %s, of options of which one is wrong: %j', (setting, options) => {
  const name = setting.split('.')[0] as keyof typeof stores;
  const { findings } = refusalOf(() => stores[name](untyped(options)));
  expect(findings.map((one) => one.setting)).toEqual([setting]);
});

describe('one error', () => {
  it('lists all findings, and bears the code of the first', () => {
    const changes = { publicUrl: 'shop.example', mountPath: 'pay', tokenSecrets: ['x'] };
    const error = refusalOf(() => createPayments({ ...good, ...changes }));
    const codes = error.findings.map(({ code }) => code);
    expect(codes).toEqual(['invalid_public_url', 'invalid_mount_path', 'weak_token_secret']);
    expect(error.code).toBe('invalid_public_url');
    for (const [index, { setting, help }] of error.findings.entries()) {
      expect(error.message).toContain(`\n${index + 1}. ${setting}: `);
      expect(error.message).toContain(help);
    }
  });

  it('tells of the environment by its variables, and of a missing one once', () => {
    const { loadOrder, pages } = good;
    const env = { GATEWAY_ENVIRONMENT: 'demo', PUBLIC_URL: 'shop', PAY_TOKEN_SECRET: TOKEN_SECRET };
    const { findings } = refusalOf(() => paymentsFromEnv({ loadOrder, pages }, env));
    expect(findings.map(({ code, setting }) => [setting, code])).toEqual([
      ['GATEWAY_BASE_URL', 'missing_setting'],
      ['GATEWAY_API_KEY', 'missing_setting'],
      ['GATEWAY_ENVIRONMENT', 'unknown_environment'],
      ['PUBLIC_URL', 'invalid_public_url'],
    ]);
  });
});

type EdgeOptions = Parameters<typeof resolveEdgeSettings>[0];
const settingsOf = (options: EdgeOptions) => resolveEdgeSettings(options, readProfile(undefined));

describe('the settings of the routes', () => {
  it('have defaults that a busy shop does not notice', () => {
    const names = { webhookOrderNames: ['/merchantOrderId', '/orderId'], webhookTransaction: null };
    const usual = { dataFields: [], bodyTimeoutMs: 10_000, limits: usualLimits, shedLoad: true };
    expect(settingsOf({})).toEqual({ ...usual, ...names, webhookSignature: null });
  });

  it('take each limit for itself, and all of them off', () => {
    const given = { checkoutsPerOrder: 5, pollsPerOrder: false } as const;
    const { limits } = settingsOf({ limits: { ...given, pollsPerAddress: untyped(undefined) } });
    expect(limits).toEqual({ ...settingsOf({}).limits, ...given });
    expect(new Set(Object.values(settingsOf({ limits: false }).limits))).toEqual(new Set([false]));
  });
});

it('the background checks suit a small shop, and give old links a quarter, at least one', () => {
  const afterPayment = [1, 24, 72, 168, 336].map((hours) => hours * HOUR_MS);
  expect(resolveWatch({})).toEqual({ afterPayment, checksPerSecond: 20, oldChecksPerSecond: 5 });
  expect(resolveWatch({ checksPerSecond: 400 }).oldChecksPerSecond).toBe(100);
  expect(resolveWatch({ checksPerSecond: 2 }).oldChecksPerSecond).toBe(1);
  expect(resolveWatch({ oldChecksPerSecond: 20 }).oldChecksPerSecond).toBe(20);
  expect(resolveWatch({ afterPayment: [] }).afterPayment).toEqual([]);
});

it('a mount that only begins like the shop’s path stands below that path', () => {
  const shop = { ...good, publicUrl: 'https://shop.example/shop', mountPath: '/shopping' };
  expect(resolveWiring(shop).publicMount).toBe('/shop/shopping');
});

it('a route keeps its usual name unless it gets another or is left out', () => {
  const routes = { checkout: '/start', status: false, webhook: untyped(undefined) } as const;
  const changed = { checkout: '/start', status: false };
  const usual = resolveWiring(good).routes;
  expect(resolveWiring({ ...good, routes }).routes).toEqual({ ...usual, ...changed });
});

it('the origins of front ends may be https, and http outside production', () => {
  const origins = ['https://www.front.example', 'http://localhost:5173'];
  expect(codeOf({ cors: { origins } })).toBe('none');
  const found = findingsOf({ gateway: production, cors: { origins } });
  expect(found).toMatchObject([{ code: 'invalid_cors_origins' }]);
});

describe('a page', () => {
  it('may be an address of the shop’s origin or of a listed front end, filled in by :orderId alone', () => {
    const cors = { origins: ['https://www.front.example'] };
    const of = (success: string) => codeOf({ cors, pages: { ...good.pages, success } });
    const own = ['https://www.front.example/thanks/:orderId', 'https://shop.example/thanks'];
    expect(own.map(of)).toEqual(['none', 'none']);
    const strange =
      'https://front.example/ http://www.front.example/ ' +
      'https://www.front.example.evil.example/ https://name@www.front.example/ ' +
      'https://:orderId@www.front.example/ https://:orderId.front.example/ ' +
      'https://www.front.example\\@evil.example/ https://www.front.example/?id=:id ' +
      '/thanks/:id /thanks/{orderId} /thanks?order=:order';
    for (const page of strange.split(' ')) expect([page, of(page)]).toEqual([page, 'invalid_page']);
    const [unlisted] = findingsOf({ pages: { ...good.pages, success: 'https://front.example/' } });
    expect(unlisted?.what).toContain('is at https://front.example, which is neither');
  });

  const paths = ['/thanks', '/thanks/:orderId?from=pay#end', '/شكرا/:orderId', '/'];
  it.each(paths)('may be %s', (page) => {
    expect(codeOf({ pages: { ...good.pages, success: page } })).toBe('none');
  });

  it.each([undefined, {}, { success: '/thanks' }])('that is missing is named: %j', (pages) => {
    expect(codeOf({ pages })).toBe('invalid_page');
  });

  it('may not begin with the path of publicUrl, which would stand there twice', () => {
    const publicUrl = 'https://shop.example/shop';
    const of = (success: string) => codeOf({ publicUrl, pages: { ...good.pages, success } });
    expect(['/shop/thanks', '/shop', '/shop?x'].map(of)).toEqual(Array(3).fill('invalid_page'));
    expect(['/thanks', '/shopping', '/?to=/shop'].map(of)).toEqual(Array(3).fill('none'));
  });
});
