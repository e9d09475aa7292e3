import { afterEach, describe, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';

let shop: CliShop;
const open = async (options: Parameters<typeof CliShop.start>[0] = {}): Promise<void> => {
  shop = await CliShop.start(options);
};
afterEach(() => shop.close());

/** What the doctor says of the place where the router answers. */
async function placeOf(
  env: object = {},
  ...args: string[]
): Promise<readonly Readonly<Record<string, string>>[]> {
  const { json } = await runCliInside(['doctor', '--json', ...args], { ...shop.env, ...env });
  return (json['checks'] as readonly Record<string, string>[]).filter(
    ({ id }) => id === 'public-url',
  );
}

describe('the doctor, of a shop whose router', () => {
  it('is mounted elsewhere, says where to look', async () => {
    await open({ mountAt: '/checkout' });
    expect(await placeOf()).toMatchObject([{ code: 'router_not_found' }]);
    expect(await placeOf({}, '--mount', '/checkout')).toMatchObject([{ code: 'mount_mismatch' }]);
  });

  it('is met without the path of the public address, says what takes the path off', async () => {
    await open();
    const below = { PUBLIC_URL: `${shop.url}/shop` };
    const [found] = await placeOf(below);
    expect(found).toMatchObject({ status: 'wrong', code: 'path_not_stripped' });
    expect(JSON.stringify(found)).toMatch(/proxy take \/shop off.*mount the router at \/shop\/pay/);
  });

  it('is met without that path, says so of one that is not well too, and of no other server', async () => {
    await open();
    await shop.payments.close();
    const below = { PUBLIC_URL: `${shop.url}/shop` };
    expect(await placeOf(below)).toMatchObject([{ code: 'path_not_stripped' }]);
    const elsewhere = ['--mount', '/nothing'];
    expect(await placeOf(below, ...elsewhere)).toMatchObject([{ code: 'router_not_found' }]);
  });

  it('is another program’s, which has a health too, says that the router is not there', async () => {
    await open({
      prepare: (app) =>
        app.get('/pay/health', (_request, response) => void response.json({ status: 'up' })),
    });
    expect(await placeOf()).toMatchObject([{ code: 'router_not_found' }]);
  });

  it('is mounted with the path of the public address, finds it where shoppers do', async () => {
    await open({ mountAt: '/shop/pay', payments: { mountPath: '/shop/pay' } });
    const below = { PUBLIC_URL: `${shop.url}/shop` };
    expect(await placeOf(below, '--mount', '/shop/pay')).toMatchObject([{ status: 'fine' }]);
  });
});
