import type { Page } from 'playwright';
import { expect, test } from 'vitest';
import { axeFindings, overflowAt } from '../../../../scripts/browser.ts';
import type { useBrowser } from '../../../../scripts/use-browser.ts';
import { signInForTest } from './dashboard-for-test.ts';
import { ReceiverForTest } from './receiver-for-test.ts';
import { by, cards, send, startForTest, type SandboxForTest } from './sandbox-for-test.ts';

type Act = (page: Page) => Promise<void>;
/** One state of one page: where it is, and what brings it about once it is open. */
export type PageState = readonly [name: string, address: string, act?: Act];

/** Every page of the sandbox in every state that looks different, full of things to show. */
export async function everyPageState(sandbox: SandboxForTest): Promise<PageState[]> {
  const shop = await shopperPages(sandbox);
  await merchantHistory(sandbox);
  return [...shop, ...toolPages(sandbox), ...(await dashboardPages(sandbox))];
}

/** Lets a browser in at the dashboard. */
export async function signInBrowser(page: Page, sandbox: SandboxForTest): Promise<void> {
  const [name = '', value = ''] = (await signInForTest(sandbox)).cookie.split('=');
  await page.context().addCookies([{ name, value, url: `${sandbox.url}/dashboard` }]);
}

/** A slow machine may take its time; what counts is what is found. */
const patienceMs = 240_000;

interface Look {
  readonly lang: 'ar' | 'en';
  readonly colorScheme: 'dark' | 'light';
  readonly widths: readonly number[];
}

/** Tests every page as one reader sees it; axe looks at the last width. */
export function testEveryPage({ open }: ReturnType<typeof useBrowser>, look: Look): void {
  const { lang, colorScheme, widths } = look;
  const title = `in ${lang}, ${colorScheme}, axe finds nothing on any page, none is too wide or asks elsewhere`;
  test(title, { timeout: patienceMs }, async () => {
    const sandbox = await startForTest();
    const states = await everyPageState(sandbox);
    const { page, complaints } = await open({ colorScheme });
    await signInBrowser(page, sandbox);
    const strangers: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(sandbox.url)) strangers.push(request.url());
    });
    for (const [name, address, act] of states) {
      // A phone shows the inspector's tools in a view of their own.
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${address}${address.includes('?') ? '&' : '?'}lang=${lang}`);
      await act?.(page);
      const wider: number[] = [];
      for (const width of widths) wider.push(await overflowAt(page, width));
      expect([name, await axeFindings(page), wider]).toEqual([name, [], [0, 0]]);
    }
    expect(complaints).toEqual([]);
    expect(strangers).toEqual([]);
  });
}

const answerWrongly: Act = async (page) => {
  await page.fill(by('otp'), '111111');
  await page.click(by('approve'));
  await page.waitForSelector(by('challenge-error'));
};

const refuseWebhook: Act = async (page) => {
  await page.fill(by('webhook-url'), 'not an address');
  await page.click(by('create-webhook'));
  await page.waitForSelector(by('refused'));
  await page.click(by('edit-webhook'));
};

async function shopperPages(sandbox: SandboxForTest): Promise<PageState[]> {
  const link = (merchantOrderId: string, more = {}) =>
    sandbox.createLink({ merchantOrderId, ...more });
  const pay = (id: string, number: string) => sandbox.control.pay(id, { card: { number } });
  const paid = await link('paid');
  await pay(paid.id, cards.mada);
  const open = await link('open');
  const declined = await link('declined');
  const expired = await link('expired');
  const magic = await link('magic', { amount: 9901.51 });
  await pay(declined.id, cards.poor);
  await sandbox.control.expire(expired.id);
  const { challenge } = await pay((await link('challenged')).id, cards.challenged);
  const { challenge: silent } = await pay((await link('hanging')).id, '9682990600000002');
  const challengePage = `${sandbox.url}/challenge/${challenge?.id}`;
  const unfold = (page: Page) => page.click(`${by('test-drawer')} summary`);
  return [
    ['drawer', open.redirectUrl, unfold],
    ['wrong fields', open.redirectUrl, (page) => page.click(by('submit-payment'))],
    ['Apple Pay', open.redirectUrl, (page) => page.click(by('pay-apple'))],
    ['saved card', open.redirectUrl, (page) => page.click(by('pay-saved'))],
    ['declined', declined.redirectUrl],
    ['magic amount', magic.redirectUrl],
    ['paid', paid.redirectUrl],
    ['expired', expired.redirectUrl],
    ['unknown', `${sandbox.url}/checkout?sessionId=unknown`],
    ['challenge', challengePage],
    ['wrong password', challengePage, answerWrongly],
    ['hanging', `${sandbox.url}/challenge/${silent?.id}`],
  ];
}

/** Something of every kind for the inspector and the dashboard to show. */
async function merchantHistory(sandbox: SandboxForTest): Promise<void> {
  const merchant = await signInForTest(sandbox);
  const receiver = await ReceiverForTest.start();
  await merchant.submit('webhooks', { url: receiver.url, active: 'yes' });
  await merchant.submit('sdk-tokens', { name: 'Till 3', type: 'SMARTPOS' });
  await merchant.submit('credentials/rotate');
  const { transactionId } = await sandbox.payLink({ merchantOrderId: 'refunded' });
  await sandbox.post('/payment/s2s/refund', { transactionId, amount: 15 });
  await sandbox.sellForId({ auth: 'Y' });
  await send(`${sandbox.baseUrl}/payment/checkout/initiate`, { method: 'POST' });
  await sandbox.control.setProfile('webhook-storm');
  await sandbox.control.addFault({ operation: 'sale', place: 'body', kind: 'cut' });
  await sandbox.control.openTenant({ id: 'second' });
}

function toolPages({ url }: SandboxForTest): PageState[] {
  const first = (what: string) => (page: Page) => page.click(`${what} >> nth=0`);
  return [
    ['inspector', `${url}/_sandbox`, first('#new-fault summary')],
    ['empty inspector', `${url}/_sandbox?tenant=second`],
    ['fidelity', `${url}/_sandbox/fidelity?tier=analogue`, first('details')],
    ['sign in', `${url}/dashboard/sign-in?ended=1`],
  ];
}

async function dashboardPages(sandbox: SandboxForTest): Promise<PageState[]> {
  const merchant = await signInForTest(sandbox);
  const list = await merchant.page('transactions');
  const [, held] = /transactions\/([\w-]+)\?/.exec(list) ?? [];
  const page = (path: string) => `${sandbox.url}/dashboard/${path}`;
  return [
    ['transactions', page('transactions')],
    ['authorization', page(`transactions/${held}`), (open) => open.click(by('void'))],
    ['keys', page('credentials'), (open) => open.click(`${by('revoke-key')} >> nth=0`)],
    ['webhooks', page('webhooks'), refuseWebhook],
    ['SDK tokens', page('sdk-tokens')],
  ];
}
