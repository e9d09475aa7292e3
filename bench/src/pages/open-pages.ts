import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ShopProcess } from '../../../e2e/shop-process.ts';
import { run } from '../../../scripts/process/run.ts';
import { serveSite, siteFolder } from '../../../scripts/site/serve-site.ts';

export type PageName = 'storefront' | 'order' | 'hosted' | 'docs';

/** A page to judge, with the cookie of the shopper whose page it is. */
export interface Page {
  readonly name: PageName;
  readonly url: string;
  readonly cookie?: string;
}

/** Pages of one server. */
interface OpenPages {
  readonly pages: readonly Page[];
  readonly close: () => Promise<void>;
}

/** The demo shop's pages, with an order that waits for its payment. */
export async function openShop(): Promise<OpenPages> {
  await succeed('node', ['scripts/build.ts']);
  const shop = await ShopProcess.start();
  try {
    const customer = { name: 'Noura Alqahtani', email: 'noura@example.com', phone: '0512345678' };
    const order = { lines: [{ sku: 'coffee', quantity: 1 }], customer };
    const placed = await post(`${shop.url}/api/orders`, order);
    const { orderId, url } = (await placed.json()) as { orderId: string; url: string };
    const cookie = placed.headers
      .getSetCookie()
      .map((text) => text.split(';')[0])
      .join('; ');
    const checkout = await post(`${shop.url}/pay/checkout`, { orderId }, { cookie });
    const { redirectUrl } = (await checkout.json()) as { redirectUrl: string };
    return {
      pages: [
        { name: 'storefront', url: shop.url },
        { name: 'order', url, cookie },
        { name: 'hosted', url: redirectUrl },
      ],
      close: () => shop.stop(),
    };
  } catch (error) {
    await shop.stop();
    throw error;
  }
}

/** The first page of the documents, which are built when they are not. */
export async function openSite(): Promise<OpenPages> {
  if (!existsSync(join(siteFolder, 'index.html'))) await succeed('npm', ['run', 'docs:build']);
  const site = await serveSite();
  return { pages: [{ name: 'docs', url: `${site.url}/` }], close: async () => site.close() };
}

async function post(
  url: string,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin, ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`POST ${url} answers ${answer.status}: ${await answer.text()}`);
  return answer;
}

async function succeed(program: string, parameters: readonly string[]): Promise<void> {
  const { code, output, trouble } = await run(program, parameters, { output: 'capture' });
  if (code !== 0) throw new Error(`${parameters.join(' ')} failed. ${trouble ?? ''}\n${output}`);
}
