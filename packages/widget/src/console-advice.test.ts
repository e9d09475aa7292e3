import { fixture, html } from '@open-wc/testing-helpers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import './index.ts';
import type { PayButton } from './pay-button.ts';
import type { PayStatus } from './pay-status.ts';
import { errorOf, buttonOf, payButton } from './testing/pay-button-page.ts';
import { link, problem, script, status } from './testing/script.ts';

let lines: string[];

/** The time that a slow machine may take. */
const longWait = { timeout: 20_000 };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  lines = [];
  vi.spyOn(console, 'error').mockImplementation((...args: unknown[]) => {
    lines.push(args.join(' '));
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** As if the page had stood for a second. */
const settle = () => vi.advanceTimersByTimeAsync(1_000);

const htmlPage = { status: 200, headers: { 'content-type': 'text/html' }, body: '<!doctype html>' };

describe('the console of a page with <pay-button>', () => {
  it('names the refused origin, without its path, and the attribute to write', async () => {
    const { element } = await buttonOf([link], { allowedOrigins: 'https://other.example' });
    await errorOf(element);
    await errorOf(element);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^<pay-button> untrusted_redirect: https:\/\/pay\.example /);
    expect(lines[0]).toContain('allowed-origins="https://other.example https://pay.example"');
    expect(lines[0]).not.toMatch(/checkout|sessionId/);
  });

  it.for([
    ['http://pay.example/checkout?sessionId=s-1', 'http://pay.example'],
    ['https://name:s-1@pay.example/', 'https://pay.example'],
    ['javascript:alert("s-1")', 'https'],
    ['/relative?sessionId=s-1', 'https'],
    [{ nested: 's-1' }, 'https'],
  ] as const)('advises no attribute for %j, which no list may allow', async ([address, origin]) => {
    const { element } = await buttonOf([{ status: 201, body: { redirectUrl: address } }]);
    await errorOf(element);
    expect(lines).toEqual([expect.stringMatching(/^<pay-button> untrusted_redirect: /)]);
    expect(lines[0]).toContain(origin);
    expect(lines[0]).not.toMatch(/s-1|allowed-origins=/);
  });

  it.for([
    ['order-id="1"', ['endpoint="/pay/checkout"']],
    ['endpoint="/pay/checkout"', ['order-id']],
    ['endpoint="/pay/checkout" orderId="1"', ['orderId.*order-id=']],
    ['endpoint="/pay/checkout" order_id="1"', ['order-id="1001"']],
    ['', ['endpoint="/pay/checkout"', 'order-id="1001"']],
    ['endpoint="/c" order-id="1" allowedOrigins="https://p.example"', ['allowed-origins']],
    ['endpoint="/c" order-id="1" timeoutMs="5" fullWidth', ['full-width', 'timeout-ms']],
    ['endpoint="/c" order-id="1" amount="115,00"', ['invalid_amount.*amount="115.00"']],
    ['endpoint="/c" order-id="1" amount="115.00" currency="riyal"', ['invalid_amount.*currency']],
  ] as const)('says once what is wrong with %j, without a press', async ([attributes, advice]) => {
    const inside = '<form><button type="button">Pay</button></form>';
    const page = await fixture(html`<div></div>`);
    page.innerHTML = `<pay-button ${attributes}>${inside}</pay-button>`;
    const element = page.querySelector('pay-button')!;
    await settle();
    expect(lines).toEqual(advice.map((text) => expect.stringMatching(`^<pay-button> .*${text}`)));
    element.requestUpdate();
    if (!element.endpoint || !element.orderId) await element.pay();
    await settle();
    expect(lines).toHaveLength(advice.length);
  });

  it('says at the press what is missing, and what of data is not JSON', async () => {
    const { code, outcome, error } = await errorOf(await payButton(''));
    expect([code, outcome]).toEqual(['not_configured', 'not-sent']);
    expect(String(error.cause)).toContain('endpoint and order-id');
    expect(lines).toEqual([expect.stringMatching(/^<pay-button> not_configured: .*endpoint=/)]);
    const element = await payButton((await script(link)).url, { data: { amount: 1n } });
    await element.pay();
    await element.pay();
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^<pay-button> not_configured: .*BigInt/);
  });

  it.for([
    ['credentials', { credentials: 'yes' as RequestCredentials }, /not_configured: .*'yes'/],
    ['endpoint', { endpoint: 'http://' }, /not_configured: .*URL/],
  ] as const)('says that %s cannot be used, and sends nothing', async ([, wrong, advice]) => {
    const { element, requests } = await buttonOf([link], wrong);
    expect((await errorOf(element)).outcome).toBe('not-sent');
    await element.pay();
    expect(lines).toEqual([expect.stringMatching(advice)]);
    expect(await requests()).toEqual([]);
  });

  it('says of each element and each cause for itself', async () => {
    const shop = await script(htmlPage, htmlPage, { status: 201, body: {} });
    const first = await payButton(shop.url);
    const second = await payButton(shop.url);
    for (const element of [first, second, second, second]) await errorOf(element);
    expect(lines).toHaveLength(3);
  });

  it('has nothing to say of a healthy button, or of a shopper', async () => {
    await (await payButton((await script(link)).url)).pay();
    const refusing = await payButton((await script(link)).url);
    refusing.addEventListener('pay-start', (event) => event.preventDefault());
    await refusing.pay();
    await payButton('', { disabled: true });
    const late = await fixture<PayButton>(html`<pay-button endpoint="/c"></pay-button>`);
    const gone = await fixture<PayButton>(html`<pay-button></pay-button>`);
    gone.remove();
    await vi.advanceTimersByTimeAsync(400);
    late.orderId = 'set-by-a-framework';
    await settle();
    expect(lines).toEqual([]);
  });

  it('stays silent of a network that the browser knows to be gone', async () => {
    const element = await payButton('http://127.0.0.1:1/refused');
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    await errorOf(element);
    Reflect.deleteProperty(navigator, 'onLine');
    expect(lines).toEqual([]);
  });
});

describe('the console of a page with <pay-status>', () => {
  it.for([
    ['an HTML page', htmlPage, /invalid_response: .*200.*HTML/],
    ['JSON of another kind', { body: { state: 'constructor' } }, /invalid_response: .*200/],
    ['a 404', problem(404, 'not_found'), /404.*statusUrl, once the order has a payment/],
    ['a reset', { fault: 'reset' }, /network: no answer from src: check the server/],
  ] as const)('says once what to mend when src answers %s', async ([, answer, advice]) => {
    vi.spyOn(Math, 'random').mockReturnValue(-1.99);
    const shop = await script(answer);
    await fixture(html`<pay-status src=${shop.url}></pay-status>`);
    const askedOften = async () => expect((await shop.requests()).length).toBeGreaterThan(2);
    await vi.waitFor(askedOften, longWait);
    // A browser repeats a request whose connection was reset before the element notices.
    await vi.waitFor(async () => {
      await settle();
      expect(lines).toHaveLength(1);
    }, longWait);
    expect(lines).toEqual([expect.stringMatching(advice)]);
    expect(lines[0]).toMatch(/^<pay-status> /);
  });

  it('has nothing to say of an element that left the page, or of a network that is gone', async () => {
    const gone = await fixture<PayStatus>(html`<pay-status></pay-status>`);
    gone.remove();
    const shop = await script({ fault: 'hang' });
    const asking = await fixture<PayStatus>(html`<pay-status src=${shop.url}></pay-status>`);
    await vi.waitFor(async () => expect(await shop.requests()).toHaveLength(1), longWait);
    asking.remove();
    await settle();
    Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
    const failed = vi.spyOn(window, 'fetch').mockRejectedValue(new TypeError('gone'));
    const offline = await fixture(html`<pay-status src="/status"></pay-status>`);
    expect(failed).toHaveBeenCalled();
    await settle();
    // Its next request would be the next test's, online.
    offline.remove();
    Reflect.deleteProperty(navigator, 'onLine');
    expect(lines).toEqual([]);
  });

  it('says that src is missing', async () => {
    await fixture(html`<pay-status></pay-status>`);
    await settle();
    expect(lines).toEqual([expect.stringMatching(/^<pay-status> not_configured: .*src=/)]);
  });

  it('has nothing to say of a server that is busy or being restarted', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(-1.99);
    const shop = await script(
      { status: 502, body: '<h1>Bad gateway</h1>' },
      problem(503, 'store_unavailable'),
      problem(429, 'too_many_requests'),
      status('paid'),
    );
    const element = await fixture<PayStatus>(html`<pay-status src=${shop.url}></pay-status>`);
    await vi.waitFor(() => expect(element.state).toBe('paid'), longWait);
    expect(lines).toEqual([]);
  });
});
