import { type Browser, chromium, type Page } from 'playwright';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumArguments, findChromium } from '../../../../scripts/find-chromium.ts';
import { bundleStandalone } from '../../build/standalone.ts';
import type { PayButton } from '../pay-button.ts';

/** What the built file's shortened Lit must do as the whole Lit does. */
let script = '';
let browser: Browser;
let tab: Page;
const sent: unknown[] = [];
const errors: string[] = [];

beforeAll(async () => {
  script = await bundleStandalone('pay-button');
  const executablePath = findChromium();
  browser = await chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [...chromiumArguments],
  });
});

beforeEach(async () => {
  sent.length = 0;
  errors.length = 0;
  tab = await browser.newPage();
  tab.on('pageerror', (error) => errors.push(String(error)));
  await tab.route('**/*', async (route) => {
    if (route.request().method() === 'POST') {
      sent.push(route.request().postDataJSON());
      await route.fulfill({ status: 409, json: { code: 'already_paid' } });
    } else {
      await route.fulfill({ contentType: 'text/html', body: '<!doctype html><html lang="en">' });
    }
  });
  await tab.goto('http://localhost/');
});

afterEach(async () => {
  expect(errors).toEqual([]);
  await tab.close();
});

afterAll(() => browser?.close());

/** Loads the built file and puts one button on the page. */
async function putButton(attributes: string): Promise<void> {
  await tab.addScriptTag({ type: 'module', content: script });
  await tab.evaluate((html) => {
    document.body.innerHTML = html;
  }, `<pay-button endpoint="/checkout" order-id="1" ${attributes}></pay-button>`);
}

/** Sets properties of the page's button in one go, and gives its text after the update. */
function textAfter(properties: Partial<PayButton>): Promise<string> {
  return tab.evaluate(async (given) => {
    const [button] = document.getElementsByTagName('pay-button');
    await Object.assign(button!, given).updateComplete;
    return button!.shadowRoot!.querySelector('[part=button]')!.textContent.trim();
  }, properties);
}

describe('the built <pay-button>', () => {
  it('keeps what a page has set before the script came', async () => {
    await tab.evaluate(() => {
      document.body.innerHTML = '<pay-button></pay-button>';
      const given = { endpoint: '/checkout', orderId: '7', label: 'Buy', data: { gift: true } };
      Object.assign(document.body.firstChild!, given);
    });
    await tab.addScriptTag({ type: 'module', content: script });
    await tab.getByRole('button', { name: 'Buy' }).click();
    await tab.getByText('This order is already paid.').waitFor();
    expect(sent).toEqual([{ gift: true, orderId: '7' }]);
  });

  it('reads its attributes by their types, and writes those that a page may style by', async () => {
    await putButton('full-width timeout-ms="50" allowed-origins="https://a.example"');
    const seen = await tab.evaluate(async () => {
      const [button] = document.getElementsByTagName('pay-button');
      const { fullWidth, timeoutMs, allowedOrigins, currency } = button!;
      button!.removeAttribute('full-width');
      button!.removeAttribute('allowed-origins');
      Object.assign(button!, { variant: 'plain', disabled: true });
      await button!.updateComplete;
      return {
        read: [fullWidth, timeoutMs, allowedOrigins, currency],
        reread: [button!.fullWidth, button!.allowedOrigins],
        written: ['variant', 'size', 'disabled', 'data'].map((name) => button!.getAttribute(name)),
      };
    });
    expect(seen).toEqual({
      read: [true, 50, 'https://a.example', 'SAR'],
      reread: [false, null],
      written: ['plain', null, '', null],
    });
  });

  it('shows texts and shapes that come, change and go', async () => {
    await putButton('');
    expect(await textAfter({})).toBe('Pay');
    expect(await textAfter({ amount: '115.00' })).toMatch(/^Pay\s+115\.00$/);
    expect(await textAfter({ currency: 'USD', label: 'Buy' })).toMatch(/^Buy\s+\$115\.00$/);
    expect(await textAfter({ amount: '', label: '' })).toBe('Pay');
    expect(await textAfter({ locale: 'ar' })).toBe('ادفع');
    expect(await tab.locator('pay-button [part=amount]').count()).toBe(0);
  });

  it('updates once for many changes, and works again after a move', async () => {
    await putButton('');
    const updates = await tab.evaluate(async () => {
      const [button] = document.getElementsByTagName('pay-button');
      let count = 0;
      const observer = new MutationObserver(() => count++);
      observer.observe(button!.shadowRoot!, {
        subtree: true,
        childList: true,
        characterData: true,
      });
      for (const label of ['a', 'b', 'c']) button!.label = label;
      await button!.updateComplete;
      document.body.append(document.createElement('section'));
      document.body.lastElementChild!.append(button!);
      return count;
    });
    expect(updates).toBe(1);
    await tab.getByRole('button', { name: 'c' }).click();
    await tab.getByText('This order is already paid.').waitFor();
    expect(sent).toHaveLength(1);
  });

  it('has the same properties under another name', async () => {
    await putButton('');
    const shown = await tab.evaluate(async () => {
      const { define } = customElements.get('pay-button') as unknown as typeof PayButton;
      define.call(customElements.get('pay-button') as typeof PayButton, 'shop-pay');
      document.body.innerHTML = '<shop-pay label="Buy" endpoint="/" order-id="1"></shop-pay>';
      const element = document.body.firstChild as PayButton;
      await element.updateComplete;
      return element.shadowRoot!.querySelector('[part=label]')!.textContent;
    });
    expect(shown.trim()).toBe('Buy');
  });
});
