/** A browser reduced to what the shop sees of it: requests, and cookies that come back. */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #shopUrl: string;

  constructor(shopUrl: string) {
    this.#shopUrl = shopUrl;
  }

  /** Sends a request; redirects are answers to look at, not to follow. */
  async send(path: string, request: RequestInit = {}): Promise<Response> {
    const headers = new Headers(request.headers);
    if (this.cookies.size > 0) headers.set('cookie', this.#cookieHeader());
    const url = new URL(path, this.#shopUrl);
    const response = await fetch(url, { ...request, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    return response;
  }

  /** Posts JSON. */
  postJson(path: string, body: unknown): Promise<Response> {
    const headers = { 'content-type': 'application/json' };
    return this.send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  /** Posts a form, as a page of the shop does. */
  postForm(path: string, fields: Readonly<Record<string, string>>): Promise<Response> {
    return this.send(path, { method: 'POST', body: new URLSearchParams(fields) });
  }

  #cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  #keep(cookie: string): void {
    const [pair = ''] = cookie.split(';');
    const at = pair.indexOf('=');
    this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
  }
}

/** An order that the shop takes. */
export function goodOrder(sku = 'coffee', quantity = 1) {
  return {
    lines: [{ sku, quantity }],
    customer: { name: 'Noura', email: 'noura@example.com', phone: '0512345678' },
  };
}
