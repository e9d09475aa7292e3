import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isPaid } from '@pay-button/server-helper';
import { payments } from './payments.ts';

/** A file or a page of the shop. */
export interface Page {
  readonly type: string;
  readonly body: string;
}

const html = (content: string): Page => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Shop</title>
    <link rel="icon" href="data:,"><script type="module" src="/pay-elements.js"></script>
    <main>${content}</main></html>`,
});

/** The elements, and the file beside them that a page with a mistake loads. */
const scripts = new Map<string, Page>();
for (const name of ['pay-elements.js', 'console-advice.js']) {
  const file = fileURLToPath(import.meta.resolve(`@pay-button/widget/dist/${name}`));
  scripts.set(`/${name}`, { type: 'text/javascript', body: readFileSync(file, 'utf8') });
}

const checkout = html(`<h1>Order 1001</h1>
  <pay-button endpoint="/pay/checkout" order-id="1001" amount="115.00" currency="SAR"
      allowed-origins="${process.env['HOSTED_PAGE_ORIGIN']}">
    <form method="post" action="/pay/checkout">
      <input type="hidden" name="orderId" value="1001"><button>Pay 115.00 SAR</button>
    </form>
  </pay-button>`);

/** What the shop shows at an address, whichever framework serves it; `null` where there is nothing. */
export async function pageAt(url = '/'): Promise<Page | null> {
  const { pathname } = new URL(url, 'http://shop.invalid');
  if (pathname === '/') return checkout;
  const script = scripts.get(pathname);
  if (script !== undefined) return script;
  const orderId = /^\/order\/([^/]+)$/.exec(pathname)?.[1];
  if (orderId === undefined) return null;
  // A real shop first checks that the order is this shopper's. Until a script runs, the line says what
  // the gateway has confirmed.
  const line = isPaid((await payments.retrieve(orderId))?.state)
    ? 'Thank you. Your order is paid.'
    : 'We are checking your payment. <a href="">Check again</a>';
  return html(`<h1>Order ${orderId}</h1>
    <pay-status src="${payments.statusUrl(orderId)}"><p>${line}</p></pay-status>`);
}
