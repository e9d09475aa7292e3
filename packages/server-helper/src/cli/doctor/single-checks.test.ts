import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { CliShop, runCliInside, type CliShopOptions } from '../../../test-support/cli-shop.ts';
import { sendJson, type Script } from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';
import { systemClock } from '../../clock.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';

type Found = Readonly<Record<string, string>>;

let shop: CliShop;
afterEach(() => shop.close());

const open = async (options?: CliShopOptions): Promise<void> => {
  shop = await CliShop.start(options);
};

/** What the doctor says by one check. */
async function said(check: string, env: object = {}, ...args: readonly string[]) {
  const given = ['doctor', '--json', ...args];
  const { json } = await runCliInside(
    given,
    { ...shop.env, ...env },
    false,
    undefined,
    shop.folder,
  );
  return (json['checks'] as readonly Found[]).filter(({ id }) => id === check);
}

describe('the doctor’s question about a session that does not exist', () => {
  /** An answer without a session: a gateway's to a good key, or any server's to any request. */
  const nothing: Script = (request, response) => {
    const message = `Cannot GET ${request.path}`;
    sendJson(response, 404, { statusCode: 404, message, error: 'Not Found' });
  };
  const examine = async (script?: Script) => {
    await open();
    if (script !== undefined) shop.gateway.script = script;
    return [...(await said('api-key')), shop.gateway.seen.length] as const;
  };

  it('finds a server that answers 404 to every key, and shows its words', async () => {
    const [found] = await examine(nothing);
    expect(found).toMatchObject({ status: 'wrong', code: 'not_found' });
    expect(JSON.stringify(found)).toMatch(/GATEWAY_BASE_URL.*Cannot GET \//);
  });

  it('believes the 404 of a gateway that refuses a wrong key', async () => {
    const found = await examine((request, response) =>
      request.headers['x-api-key'] === canaries.apiKey
        ? nothing(request, response)
        : sendJson(response, 401, { statusCode: 401, message: 'Invalid', error: 'Unauthorized' }),
    );
    expect(found).toMatchObject([{ status: 'fine' }, 2]);
  });

  it('is asked once where the answer is a status', async () => {
    expect(await examine()).toMatchObject([{ status: 'fine' }, 1]);
  });
});

describe('the doctor, of work that nobody does', () => {
  const ofShopThatIs = async (agoMs: number) => {
    const clock = { ...systemClock, now: () => systemClock.now() - agoMs };
    await open({ payments: { clock } });
    await shop.open('1001');
    return said('background');
  };

  it('finds a shop whose background work nobody does', async () => {
    expect(await ofShopThatIs(40 * 60_000)).toMatchObject([
      {
        status: 'odd',
        code: 'events_overdue',
        what: expect.stringMatching(/waits for 3\d minutes/) as unknown,
        fix: expect.stringMatching(/payments\.start\(\).*payments\.tick\(\)/) as unknown,
      },
    ]);
  });

  it('finds nothing where no work is late', async () => {
    expect(await ofShopThatIs(0)).toMatchObject([{ status: 'fine' }]);
  });
});

it('the doctor of a shop behind a proxy gets the details by the token alone', async () => {
  const PAY_HEALTH_TOKEN = 'b41f0c7d2e95836aa7c80d12';
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  await open({
    prepare: (app) =>
      app.use((request, _response, next) => {
        request.headers['x-forwarded-for'] = '203.0.113.7';
        next();
      }),
    payments: { clock, health: { token: PAY_HEALTH_TOKEN } },
  });
  expect(await said('public-url')).toMatchObject([{ status: 'fine' }]);
  const summary = expect.stringMatching(/answers, release \d/) as unknown;
  expect(await said('public-url', { PAY_HEALTH_TOKEN })).toMatchObject([{ summary }]);
  await shop.open('1001');
  aheadMs = 40 * 60_000;
  const fix = expect.stringContaining('PAY_HEALTH_TOKEN') as unknown;
  expect(await said('public-url')).toMatchObject([{ code: 'shop_degraded', fix }]);
  const what = expect.stringContaining('status_checks_overdue') as unknown;
  expect(await said('public-url', { PAY_HEALTH_TOKEN })).toMatchObject([{ what }]);
});

describe('the doctor, of a profile by which another’s transaction can be claimed,', () => {
  const toldOf = async (status: GatewayProfile['status'], env: object = {}) => {
    await open();
    const file = join(shop.folder, 'profile.json');
    writeFileSync(file, JSON.stringify({ status }));
    const found = await said('settings', { GATEWAY_PROFILE: file, ...env }, '--offline');
    return found.map(({ status: is, code }) => code ?? is);
  };

  it.each(['transaction', 'either'] as const)(
    'warns of a gateway that is asked by %s and whose rows and webhooks prove no order',
    async (asksFor) => {
      expect(await toldOf({ asksFor, orderName: null })).toEqual(['fine', 'nameless_transactions']);
    },
  );

  it.each([
    ['that is asked by sessions', { orderName: null }, {}],
    ['whose rows name their order', { asksFor: 'transaction' }, {}],
    [
      'whose webhooks are signed',
      { asksFor: 'transaction', orderName: null },
      { GATEWAY_WEBHOOK_SECRET: 'whsec_5f1c0a7be2d94f36' },
    ],
  ] as const)('does not warn of a gateway %s', async (_which, status, env) => {
    expect(await toldOf(status, env)).toEqual(['fine']);
  });
});

it.each([
  [
    'lists the origins of hosted pages',
    { GATEWAY_PAGE_ORIGINS: 'https://checkout.gateway.example,https://pay.example:8443' },
    { status: 'fine', summary: 'https://checkout.gateway.example, https://pay.example:8443' },
  ],
  [
    'says that shoppers are sent to any page where no origin is named',
    { GATEWAY_BASE_URL: 'https://gateway.example/v1' },
    {
      status: 'odd',
      code: 'any_page_origin',
      fix: expect.stringContaining('GATEWAY_PAGE_ORIGINS') as unknown,
    },
  ],
  ['needs no name of a sandbox on this machine', {}, { status: 'fine' }],
])('the doctor %s', async (_what, env, expected) => {
  await open();
  expect(await said('page-origins', env, '--offline')).toMatchObject([expected]);
});

describe('the doctor, of a shop that names its routes itself,', () => {
  const ofRoutes = async (routes: Readonly<Record<string, string | false>>) => {
    await open({ payments: { routes } });
    shop.configure(`routes: ${JSON.stringify(routes)}`);
    return [...(await said('public-url')), ...(await said('requests'))];
  };

  it('looks for each where the shop has it', async () => {
    const found = await ofRoutes({ checkout: '/start', health: '/up', status: '/state' });
    expect(found).toMatchObject([{ status: 'fine' }, { status: 'fine' }]);
  });

  it('looks for none that the shop leaves out, and says that the place is not checked', async () => {
    expect(await ofRoutes({ health: false, status: false })).toMatchObject([
      { status: 'unchecked', what: expect.stringMatching(/leaves health out/) as unknown },
      { status: 'fine' },
    ]);
  });
});
