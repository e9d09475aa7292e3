import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';

let shop: CliShop;
beforeEach(async () => void (shop = await CliShop.start({})));
afterEach(() => shop.close());

/** What the doctor says of the settings of a shop with this profile. */
async function toldOf(status: GatewayProfile['status'], env: object = {}): Promise<unknown> {
  const file = join(shop.folder, 'profile.json');
  writeFileSync(file, JSON.stringify({ status }));
  const given = { ...shop.env, GATEWAY_PROFILE: file, ...env };
  const { json } = await runCliInside(['doctor', '--json', '--offline'], given);
  const found = json['checks'] as readonly Readonly<Record<string, string>>[];
  return found.filter(({ id }) => id === 'settings').map(({ status: is, code }) => code ?? is);
}

it.each(['transaction', 'either'] as const)(
  'the doctor warns of a gateway that is asked by %s and whose rows and webhooks prove no order',
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
] as const)('the doctor does not warn of a gateway %s', async (_which, status, env) => {
  expect(await toldOf(status, env)).toEqual(['fine']);
});
