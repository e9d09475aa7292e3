import type { Browser } from 'playwright';

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
  const context = await browser.newContext();
  context.setDefaultTimeout(TIME_LIMIT_MS);
  const page = await context.newPage();
  const said: string[] = [];
  page.on('console', (message) => said.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => said.push(error.message));
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
    throw new Error(`${first}\nat ${page.url()}, where the browser said:\n${said.join('\n')}`, {
      cause: error,
    });
  } finally {
    await context.close();
  }
}
