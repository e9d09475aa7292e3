import { afterEach, beforeEach, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';

let shop: CliShop;
beforeEach(async () => void (shop = await CliShop.start()));
afterEach(() => shop.close());

/** What the doctor says of the origins of hosted pages. */
async function finding(env: object = {}): Promise<Readonly<Record<string, string>>> {
  const { json } = await runCliInside(['doctor', '--json', '--offline'], { ...shop.env, ...env });
  const checks = json['checks'] as readonly Record<string, string>[];
  return checks.find(({ id }) => id === 'page-origins') ?? {};
}

it('the doctor lists the origins of hosted pages', async () => {
  const GATEWAY_PAGE_ORIGINS = 'https://checkout.gateway.example,https://pay.example:8443';
  const { status, summary } = await finding({ GATEWAY_PAGE_ORIGINS });
  expect(status).toBe('fine');
  expect(summary).toBe('https://checkout.gateway.example, https://pay.example:8443');
});

it('the doctor says that shoppers are sent to any page where no origin is named', async () => {
  const reported = await finding({ GATEWAY_BASE_URL: 'https://gateway.example/v1' });
  expect(reported).toMatchObject({ status: 'odd', code: 'any_page_origin' });
  expect(reported['fix']).toContain('GATEWAY_PAGE_ORIGINS');
});

it('a sandbox on this machine needs no name', async () => {
  expect(await finding()).toMatchObject({ status: 'fine' });
});
