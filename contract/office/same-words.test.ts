import { expect, it } from 'vitest';
import { OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

/** The one transaction of the shop on the gateway's dashboard, in Arabic. */
async function dashboardPage(): Promise<string> {
  const signIn = await fetch(`${shop.sandbox.url}/dashboard/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ ...shop.tenant.portal, environment: 'staging' }),
  });
  const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const page = async (path: string) =>
    (await fetch(`${shop.sandbox.url}${path}`, { headers: { cookie } })).text();
  const list = await page('/dashboard/transactions?lang=ar');
  const [, address = ''] = /href="([^"]+)"\s+data-test="open-transaction"/.exec(list) ?? [];
  return page(address);
}

it('in Arabic an authorization is captured and released by the same words in the back office and on the dashboard', async () => {
  await shop.sold('1001', 'authorize');
  const office = await shop.visitor('Noura', 'ar').text('orders/1001');
  const dashboard = await dashboardPage();
  for (const words of ['تحصيل', 'فك الحجز']) {
    expect([words, office.includes(words), dashboard.includes(words)]).toEqual([words, true, true]);
  }
});
