import { afterEach, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';
import { systemClock } from '../../clock.ts';

const PAY_HEALTH_TOKEN = 'b41f0c7d2e95836aa7c80d12';
let shop: CliShop;
afterEach(() => shop.close());

/** What the doctor says of the shop's public address. */
async function finding(env: object = {}): Promise<Readonly<Record<string, string>>> {
  const { json } = await runCliInside(['doctor', '--json'], { ...shop.env, ...env });
  const checks = json['checks'] as readonly Record<string, string>[];
  return checks.find(({ id }) => id === 'public-url') ?? {};
}

it('the doctor of a shop behind a proxy gets the details by the token alone', async () => {
  let aheadMs = 0;
  const clock = { ...systemClock, now: () => systemClock.now() + aheadMs };
  shop = await CliShop.start({
    prepare: (app) =>
      app.use((request, _response, next) => {
        request.headers['x-forwarded-for'] = '203.0.113.7';
        next();
      }),
    payments: { clock, health: { token: PAY_HEALTH_TOKEN } },
  });
  expect(await finding()).toMatchObject({ status: 'fine' });
  expect((await finding({ PAY_HEALTH_TOKEN }))['summary']).toMatch(/answers, release \d/);
  await shop.open('1001');
  aheadMs = 40 * 60_000;
  const stranger = await finding();
  expect(stranger).toMatchObject({ code: 'shop_degraded' });
  expect(stranger['fix']).toContain('PAY_HEALTH_TOKEN');
  expect((await finding({ PAY_HEALTH_TOKEN }))['what']).toContain('status_checks_overdue');
});
