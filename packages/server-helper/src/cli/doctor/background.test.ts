import { afterEach, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';
import { systemClock } from '../../clock.ts';

let shop: CliShop;
afterEach(() => shop.close());

/** What the doctor says of the background work of a shop whose clock shows a time of before. */
async function finding(agoMs: number): Promise<Readonly<Record<string, string>>> {
  const clock = { ...systemClock, now: () => systemClock.now() - agoMs };
  shop = await CliShop.start({ payments: { clock } });
  await shop.open('1001');
  const { json } = await runCliInside(['doctor', '--json'], shop.env);
  const checks = json['checks'] as readonly Record<string, string>[];
  return checks.find(({ id }) => id === 'background') ?? {};
}

it('the doctor finds a shop whose background work nobody does', async () => {
  expect(await finding(40 * 60_000)).toMatchObject({
    status: 'odd',
    code: 'events_overdue',
    what: expect.stringMatching(/waits for 3\d minutes/) as unknown,
    fix: expect.stringMatching(/payments\.start\(\).*payments\.tick\(\)/) as unknown,
  });
});

it('the doctor finds nothing where no work is late', async () => {
  expect(await finding(0)).toMatchObject({ status: 'fine' });
});
