import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CliShop, type CliShopOptions } from '../../../test-support/cli-shop.ts';
import { hostOf } from '../../../test-support/shop-host.ts';
import { helpAddress } from '../../errors.ts';
import { blockedBy, elementsOf, policiesOf } from './page.ts';

const SCRIPT = '<script type="module" src="/widget.js"></script>';
const GOOD = 'endpoint="/pay/checkout" order-id="1001"';
const BUTTON = `<pay-button ${GOOD}></pay-button>`;
const HOSTED = 'https://checkout.gateway.example';
const LISTED = `<pay-button ${GOOD} allowed-origins="${HOSTED}">`;
const button = (endpoint: string): string => `<pay-button endpoint="${endpoint}" order-id="1">`;

interface PageSetting extends CliShopOptions {
  readonly policy?: string;
  readonly origins?: string;
  readonly host?: string;
  readonly script?: string;
  readonly hasOrders?: boolean;
}

/** What the doctor says of a page, without what is fine. `NEAR` is the shop by another name. */
async function reported(
  html: string,
  { policy = '', origins, host, prepare, script = SCRIPT, hasOrders, ...more }: PageSetting = {},
): Promise<readonly string[]> {
  const shop = await CliShop.start({
    ...more,
    prepare: (app) => {
      prepare?.(app);
      app.get('/some/page', (_request, response) => {
        if (policy !== '') response.setHeader('content-security-policy', policy);
        const near = shop.url.replace('127.0.0.1', 'localhost');
        response.send(script + html.replace('NEAR', near));
      });
    },
  });
  if (hasOrders) shop.configure();
  const url = host === undefined ? shop.url : shop.url.replace('127.0.0.1', host);
  const env = origins === undefined ? {} : { GATEWAY_PAGE_ORIGINS: origins };
  return (await shop.said('widget', env, '--page', `${url}/some/page`))
    .filter(({ status }) => status !== 'fine')
    .map(({ status, code, what, why, fix }) => `${status} ${code}: ${what} ${why} ${fix}`);
}

describe('the doctor, of a page with elements,', () => {
  it.each<[string, PageSetting?]>([
    [BUTTON],
    [`<PAY-BUTTON ENDPOINT='/pay/checkout' Order-Id=1001>`],
    ['<!-- <pay-button orderId> --><script>"<pay-button orderId>"</script>' + BUTTON],
    ['<style>/* <pay-button> */</style><title><pay-button></title>' + BUTTON],
    ['<textarea><pay-button></textarea>' + BUTTON],
    [`<div orderid="7" timeoutms="5"></div><pay-button ${GOOD} orderid="1001">`],
    ['<pay-button title="a > b" endpoint = "/pay/checkout" order-id= "1001"/>'],
    ['<pay-button endpoint="/pay/checkout"/order-id="1001">'],
    [`<pay-button ${GOOD} endpoint="/nothing">`],
    [`<pay-button ${GOOD} allowed-origins="${HOSTED}/">`, { origins: HOSTED }],
    [`${BUTTON}<form action="/search"></form>`, { policy: "form-action 'none'" }],
    [`<pay-button ${GOOD} amount="115">`, { hasOrders: true }],
    [BUTTON, { policy: "default-src 'none'; script-src 'self'; connect-src 'self'" }],
  ])('finds nothing in %s', async (html, more) => {
    expect(await reported(html, more)).toEqual([]);
  });

  const misspelt = 'wrong attribute_misspelt: .*';
  const missing = 'odd attribute_missing: .*';
  const refused = 'wrong origin_not_allowed: .*';
  const blocks = 'wrong policy_blocks: .*';
  const late = '<pay-button timeoutMs="5"';
  const posted = '<form method="post" action="/pay/checkout"></form>';
  const meta = `<meta http-equiv="Content-Security-Policy" content="connect-src 'none'">`;
  const another = { origins: `${HOSTED},https://b.example` };
  const ownForms = { policy: "form-action 'self'", origins: HOSTED };
  it.each<[string, string, PageSetting?]>([
    [`<pay-button endpoint="/pay/checkout" orderId="1">`, `${misspelt}orderid.*order-id=`],
    [`<pay-button ${GOOD} fullWidth>`, `${misspelt}full-width=`],
    [`<pay-button ${GOOD} allowedOrigins="">`, `${misspelt}allowed-origins=`],
    [`${late} ${GOOD}></pay-button>${late} ${GOOD}>`, `${misspelt}timeout-ms=`],
    ['<pay-button endpoint="/pay/checkout">', `${missing}order-id`],
    ['<pay-button order-id="1">', `${missing}endpoint`],
    ['<pay-status></pay-status>', `${missing}src`],
    ['<main>A script of this page writes the button</main>', 'odd widget_not_on_page'],
    [BUTTON, 'odd allowed_origins_missing: .*allowed-origins="https:', { origins: HOSTED }],
    [LISTED, 'wrong hosted_page_refused: .*lacks https:..b.example,.*untrusted_redirect', another],
    [`<pay-button ${GOOD} amount="99.50">`, 'odd other_amount: .*115.00', { hasOrders: true }],
    [button('pay/checkout'), 'wrong endpoint_not_found: .*/some/pay/checkout.*HTTP 404'],
    [button('NEAR/pay/checkout'), `${refused}localhost:\\d+ refuses pages of http://127.0.0.1`],
    [BUTTON, `${refused}http://localhost:\\d+.*cors.origins`, { host: 'localhost' }],
    [BUTTON, `${blocks}Add 'self' to connect-src`, { policy: 'connect-src https://a.example' }],
    [BUTTON, `${blocks}widget.js.*Add 'self' to script-src`, { policy: "script-src 'nonce-x'" }],
    [LISTED + posted, `${blocks}form.*Add ${HOSTED} to form-action`, ownForms],
    ['<pay-status src="/x">', `${blocks}<pay-status>.*connect-src`, { policy: 'connect-src' }],
    [
      `${button('/pay/checkout?a=1&amp;b=2')}<form action="/pay/checkout?a=1&b=2"></form>`,
      `${blocks}Add 'self' to form-action`,
      { policy: `form-action ${HOSTED}` },
    ],
    [meta + BUTTON, `${blocks}connect-src`],
  ])('says of %s what is wrong, why, and how to mend it: %s', async (html, words, more) => {
    expect(await reported(html, more)).toEqual([expect.stringMatching(`^${words}`)]);
  });

  it.each([
    ['is gone', '/gone.js', /^wrong script_not_served: .*\/gone\.js/],
    ['is a page in its place', '/some/page', /^wrong script_not_served: .*\/some\/page/],
    ['is an error in JavaScript', '/error.js', /^wrong script_not_served: .*\/error\.js/],
    ['is of something else', '/other.js', /^wrong widget_not_loaded/],
  ])('says of a script that %s', async (_what, src, words) => {
    const script = SCRIPT.replace('/widget.js', src);
    const prepare: PageSetting['prepare'] = (app) =>
      app.get(['/error.js', '/other.js'], ({ path }, response) => {
        const [status, text] = path === '/error.js' ? [500, '"pay-button"'] : [200, '"other"'];
        response.status(status).type('text/javascript').send(text);
      });
    expect(await reported(BUTTON, { script, prepare })).toEqual([expect.stringMatching(words)]);
  });

  it('says of a page that is none, or has no element, that it is not served or lacks it', async () => {
    const shop = await CliShop.start();
    const of = (path: string) => shop.said('widget', {}, '--page', path);
    expect(await of('/nothing')).toMatchObject([{ status: 'odd', code: 'page_not_served' }]);
    const nowhere = await of('http://127.0.0.1:1/');
    expect(nowhere).toMatchObject([{ status: 'wrong', code: 'page_not_served' }]);
    expect(await of('/widget.js')).toMatchObject([{ status: 'wrong', code: 'widget_not_on_page' }]);
    const below = { PUBLIC_URL: `${shop.url}/shop` };
    for (const path of ['/nothing', '/shop/nothing']) {
      const [found] = await shop.said('widget', below, '--page', path);
      expect(found?.['what']).toContain(`${shop.url}/shop/nothing does not answer`);
    }
  });

  it('knows a script by its nonce', async () => {
    const script = SCRIPT.replace('<script', '<script nonce="abc"');
    expect(await reported(BUTTON, { script, policy: "script-src 'nonce-abc'" })).toEqual([]);
  });

  it('takes a checkout that is busy for one', async () => {
    const code = 'too_many_requests';
    const body = { type: helpAddress(code), status: 429, code };
    const prepare: PageSetting['prepare'] = (app) =>
      app.post('/pay/checkout', (_request, response) => void response.status(429).json(body));
    expect(await reported(BUTTON, { prepare })).toEqual([]);
  });

  it('finds nothing in a page of a front end that the shop lists', async () => {
    let address = '';
    const server = createServer((request, response) => {
      const isScript = request.url === '/widget.js';
      response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
      const endpoint = `endpoint="${address}/pay/checkout"`;
      response.end(isScript ? 'pay-button' : `${SCRIPT}<pay-button ${endpoint} order-id="1">`);
    });
    const front = await hostOf(server.listen(0, '127.0.0.1'));
    onTestFinished(() => front.close());
    const origin = `http://127.0.0.1:${front.port}`;
    const shop = await CliShop.start({ payments: { cors: { origins: [origin] } } });
    address = shop.url;
    expect(await shop.said('widget', {}, '--page', origin)).toMatchObject([{ status: 'fine' }]);
  });
});

const PAGE = new URL('http://shop.example/page');

/** The directive of a header that keeps an address from the page. */
const blocking = (
  header: string | null,
  [kind, address, nonce]: readonly ['script' | 'connect' | 'form', string, string?],
  html = '',
): string | undefined =>
  blockedBy(policiesOf(header, elementsOf(html)), kind, new URL(address, PAGE), PAGE, nonce);

const asked = ['connect', 'https://api.shop.example/pay/checkout'] as const;
const own = ['connect', '/pay/checkout'] as const;
const script = ['script', '/widget.js'] as const;

type Request = Parameters<typeof blocking>[1];
it.each<[header: string, request: Request, directive?: string]>([
  ["script-src 'none'", asked],
  ['connect-src *', asked],
  ['connect-src HTTPS:', asked],
  ['connect-src http:', asked],
  ['connect-src shop.example', own],
  ['connect-src http://api.shop.example', asked],
  ['connect-src https://*.shop.example', asked],
  ['connect-src https://api.shop.example:*', asked],
  ['connect-src http://localhost:*', ['connect', 'http://localhost:3000/pay/checkout']],
  ['connect-src https://api.shop.example/pay/', asked],
  ['connect-src https://api.shop.example/pay/checkout', asked],
  ["connect-src 'self'; connect-src 'none'", own],
  ["default-src 'none'; connect-src 'self'", own],
  ["default-src 'none'", ['form', '/pay/checkout']],
  ["script-src 'none'; script-src-elem 'self'", script],
  ["script-src 'nonce-abc'", ['script', '/widget.js', 'abc']],
  ["script-src 'sha256-abc'", script],
  ["script-src 'strict-dynamic' 'nonce-abc'", ['script', '/widget.js', 'abc']],
  ["Connect-Src 'none'", own, 'connect-src'],
  ["connect-src 'self'", asked, 'connect-src'],
  ['connect-src shop.example', asked, 'connect-src'],
  ['connect-src https:', own, 'connect-src'],
  ['connect-src https://shop.example', own, 'connect-src'],
  ['connect-src *.api.shop.example', asked, 'connect-src'],
  ['connect-src https://api.shop.example:8443', asked, 'connect-src'],
  ['connect-src https://api.shop.example/pay', asked, 'connect-src'],
  ['connect-src https://api.shop.example/other/', asked, 'connect-src'],
  ["default-src 'none'", own, 'connect-src'],
  ["connect-src 'self' , connect-src 'none'", own, 'connect-src'],
  ["form-action 'none'", ['form', '/pay/checkout'], 'form-action'],
  ["default-src 'none'", script, 'script-src'],
  ["script-src 'self'; script-src-elem 'none'", script, 'script-src-elem'],
  ["script-src 'nonce-abc'", script, 'script-src'],
  ["script-src 'strict-dynamic' 'self'", script, 'script-src'],
])('a page’s policy %j keeps from the page what is asked by %j by %j', (...given) => {
  const [header, request, directive] = given;
  expect(blocking(header, request)).toBe(directive);
});

it('a page’s policy keeps from it by a tag of its own what the header admits, and by no other tag', () => {
  const tag = (name: string, sources = "'none'"): string =>
    `<meta http-equiv="${name}" content="connect-src ${sources}">`;
  expect(blocking("connect-src 'self'", own, tag('Content-Security-Policy'))).toBe('connect-src');
  expect(blocking(null, own, tag('Content-Security-Policy-Report-Only'))).toBeUndefined();
  for (const quote of ['&#39;', '&#x27;', '&apos;']) {
    const written = tag('content-security-policy', `${quote}self${quote}`);
    expect([quote, blocking(null, own, written)]).toEqual([quote, undefined]);
  }
});
