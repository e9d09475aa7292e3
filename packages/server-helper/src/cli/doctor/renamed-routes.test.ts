import { afterEach, describe, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';

let shop: CliShop;
afterEach(() => shop.close());

/** What the doctor says of the running shop whose code and `pay.config.ts` have these routes. */
async function findings(
  routes: Readonly<Record<string, string | false>>,
): Promise<readonly Readonly<Record<string, string>>[]> {
  shop = await CliShop.start({ payments: { routes } });
  shop.configure(`routes: ${JSON.stringify(routes)}`);
  const args = ['doctor', '--json'];
  const { json } = await runCliInside(args, shop.env, false, undefined, shop.folder);
  return (json['checks'] as readonly Record<string, string>[]).filter(({ id }) =>
    ['public-url', 'requests'].includes(id ?? ''),
  );
}

describe('the doctor, of a shop that names its routes itself', () => {
  it('looks for each where the shop has it', async () => {
    const found = await findings({ checkout: '/start', health: '/up', status: '/state' });
    expect(found.map(({ status }) => status)).toEqual(['fine', 'fine']);
  });

  it('looks for none that the shop leaves out, and says that the place is not checked', async () => {
    expect(await findings({ health: false, status: false })).toMatchObject([
      { status: 'unchecked', what: expect.stringMatching(/leaves health out/) },
      { status: 'fine' },
    ]);
  });
});
