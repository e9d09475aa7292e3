/** How a shop of ours is set up beside a sandbox, and how a shopper pays in it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright';
import { openPage } from '../browser.ts';
import { freePort } from '../process.ts';

export async function shopSettings(
  sandbox: Readonly<Record<'url' | 'baseUrl' | 'apiKey', string>>,
  databaseUrl: string,
) {
  const PORT = String(await freePort());
  return {
    GATEWAY_ENVIRONMENT: 'staging',
    GATEWAY_BASE_URL: sandbox.baseUrl,
    GATEWAY_API_KEY: sandbox.apiKey,
    HOSTED_PAGE_ORIGIN: sandbox.url,
    DATABASE_URL: databaseUrl,
    PAY_TOKEN_SECRET: randomUUID(),
    HOST: '127.0.0.1',
    PORT,
    PUBLIC_URL: `http://127.0.0.1:${PORT}`,
  };
}

const card = { number: '4201320111111010', expiry: '12/39', cvv: '123', formKey: '0' };

/**
 * Pays order 1001 as a browser without scripts does: the shop's form, the hosted page's form, and
 * the way back, to a page that says what the server knows.
 *
 * @returns the page that the shop sends the shopper to in the end.
 * @throws where any step on the way answers something else.
 */
export async function payAsShopper(shop: string): Promise<string> {
  const form = (fields: Record<string, string>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(fields),
    redirect: 'manual',
  });
  assert.match(await (await fetch(shop)).text(), /<pay-button\s/);
  const checkout = await fetch(`${shop}/pay/checkout`, form({ orderId: '1001' }));
  assert.equal(checkout.status, 303, `checkout: ${await checkout.text()}`);
  const hostedPage = locationOf(checkout);
  const paid = await fetch(hostedPage, form(card));
  assert.equal(paid.status, 303, 'the hosted page takes the card');
  const back = await fetch(locationOf(paid), { redirect: 'manual' });
  assert.equal(back.status, 303, `return: ${await back.text()}`);
  const page = new URL(locationOf(back), shop).href;
  await saysWhatIsPaid(page);
  return page;
}

/** The page of order 1001, which is paid, thanks without any script, and that of another does not. */
export async function saysWhatIsPaid(page: string): Promise<void> {
  const textAt = async (address: string) => (await fetch(address)).text();
  assert.match(await textAt(page), /Thank you\. Your order is paid\./);
  const unpaid = await textAt(page.replace(/1001$/, '1002'));
  assert.match(unpaid, /We are checking your payment/);
  assert.doesNotMatch(unpaid, /Thank you/);
}

function locationOf(response: Response): string {
  const location = response.headers.get('location');
  assert(location !== null, 'the answer leads somewhere');
  return location;
}

/** A loaded machine must not fail; a development server compiles a page when it is first asked for. */
const TIME_LIMIT_MS = 90_000;

/**
 * Pays order 1001 as a shopper does: the button on the shop's page, the card on the gateway's, and
 * the way back, until the shop thanks there.
 *
 * @returns the address of the page after the payment.
 * @throws with what the pages wrote on the console, when any step on the way takes too long.
 */
export async function payInBrowser(browser: Browser, shop: string): Promise<string> {
  const { page, complaints } = await openPage(browser);
  page.setDefaultTimeout(TIME_LIMIT_MS);
  try {
    await page.goto(shop);
    await page.locator('pay-button').getByRole('button').click();
    await page.locator('[data-test="card-number"]').fill('4201320111111010');
    await page.locator('[data-test="card-expiry"]').fill('12/39');
    await page.locator('[data-test="card-cvv"]').fill('123');
    await page.locator('[data-test="submit-payment"]').click();
    await page.waitForURL(`${shop}/**`);
    await page.getByText('Thank you.').filter({ visible: true }).first().waitFor();
    return page.url();
  } catch (error) {
    const [first] = String(error).split('\n');
    throw new Error(
      `${first}\nat ${page.url()}, where the browser said:\n${complaints.join('\n')}`,
      {
        cause: error,
      },
    );
  } finally {
    await page.context().close();
  }
}
