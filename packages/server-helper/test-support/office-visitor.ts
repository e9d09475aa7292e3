import type { OfficeShop } from './office-shop.ts';
import { TOKEN_SECRET } from './some-options.ts';

/** A form as a browser would send it. */
export interface PageForm {
  readonly url: string;
  readonly fields: URLSearchParams;
}

/** One person at a browser, without scripts. */
export class OfficeVisitor {
  readonly #shop: Pick<OfficeShop, 'url'>;
  readonly #headers: Record<string, string>;

  constructor(shop: Pick<OfficeShop, 'url'>, headers: Record<string, string> = {}) {
    this.#shop = shop;
    this.#headers = { 'x-actor': 'Noura', 'accept-language': 'en', ...headers };
  }

  get(address: string): Promise<Response> {
    const url = new URL(address, this.#shop.url);
    return fetch(url, { headers: this.#headers, redirect: 'manual' });
  }

  async text(address: string): Promise<string> {
    return (await this.get(address)).text();
  }

  /** The form that sends something, on the page at an address. */
  async form(address: string): Promise<PageForm> {
    const page = await this.text(address);
    const [, action] = /<form method="post" action="([^"]*)"/.exec(page) ?? [];
    if (action === undefined) throw new Error(`no form at ${address}: ${page}`);
    const form = page.slice(page.indexOf('<form method="post"'));
    const hidden = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
    const fields = new URLSearchParams(
      [...hidden].map(([, name = '', value = '']) => [name, value]),
    );
    return { url: new URL(decoded(action), new URL(address, this.#shop.url)).href, fields };
  }

  /** Sends a form as a browser does, unless the headers say otherwise. */
  send(
    { url, fields }: PageForm,
    headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
  ): Promise<Response> {
    return fetch(url, {
      method: 'POST',
      headers: { ...this.#headers, ...headers },
      body: fields,
      redirect: 'manual',
    });
  }
}

const decoded = (text: string): string => text.replaceAll('&amp;', '&');

/** The problem that a page shows, by its name; empty for none. */
export async function problemIn(response: Response): Promise<string> {
  return /data-problem="(\w+)"/.exec(await response.text())?.[1] ?? '';
}

/** A secret that signs nothing here. */
export const otherSecret = TOKEN_SECRET.split('').toReversed().join('');
