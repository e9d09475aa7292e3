import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goodOrder, openTestShop, type TestShop, Visitor } from '../testing/test-shop.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
});
afterAll(() => shop.close());

const details = { name: 'Noura', email: '', phone: '0512345678' };

async function orderOf(visitor: Visitor): Promise<string> {
  const answer = await visitor.postJson('/api/orders', goodOrder());
  return ((await answer.json()) as { orderId: string }).orderId;
}

async function textOf(visitor: Visitor, path: string, headers?: Record<string, string>) {
  return (await visitor.send(path, headers ? { headers } : {})).text();
}

describe('every page', () => {
  const pages = ['/', '/basket', '/orders/:id', '/wait/:id', '/thanks/:id', '/retry/:id'];

  it.each(pages)('%s speaks English and Arabic, by address, browser and memory', async (page) => {
    const visitor = new Visitor(shop.url);
    const path = page.replace(':id', await orderOf(visitor));
    const arabic = { 'accept-language': 'ar-SA,ar;q=0.9,en;q=0.5' };
    expect(await textOf(visitor, path)).toContain('<html lang="en" dir="ltr">');
    expect(await textOf(visitor, path, arabic)).toContain('<html lang="ar" dir="rtl">');
    expect(await textOf(visitor, `${path}?lang=ar`)).toContain('<html lang="ar" dir="rtl">');
    expect(await textOf(visitor, path)).toContain('<html lang="ar" dir="rtl">');
    expect(await textOf(visitor, `${path}?lang=en`, arabic)).toContain(
      '<html lang="en" dir="ltr">',
    );
  });

  it.each(pages)('%s loads no style of the admin, and says what it is about', async (page) => {
    const visitor = new Visitor(shop.url);
    const text = await textOf(visitor, page.replace(':id', await orderOf(visitor)));
    expect(text).not.toMatch(/href="\/css\/admin/);
    expect(text).toMatch(/<meta name="description" content="[^"]{20,160}"/);
    const styles = [...text.matchAll(/<link rel="stylesheet" href="(\/css\/[^"]+)"/g)];
    for (const [, path = ''] of styles) expect((await visitor.send(path)).status, path).toBe(200);
  });

  it.each(['/', '/css/base.css', '/pay/pay-button.js', '/images/coffee.svg'])(
    'has %s sent in a compressed form to a browser that reads it',
    async (path) => {
      const answer = await fetch(`${shop.url}${path}`, { headers: { 'accept-encoding': 'br' } });
      expect(answer.headers.get('content-encoding')).toBe('br');
    },
  );

  it('may only load and run what the shop itself serves', async () => {
    const answer = await new Visitor(shop.url).send('/');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain(`form-action 'self' ${new URL(shop.sandboxUrl).origin}`);
    expect(policy).not.toMatch(/unsafe|\*|data:/);
    expect(await answer.text()).not.toMatch(
      /<style|\sstyle=|\son[a-z]+=|<script(?! type="module" src="\/)/,
    );
  });

  it.each([
    '/favicon.ico',
    '/favicon.svg',
    '/css/base.css',
    '/wait.js',
    '/receipt.js',
    '/images/coffee.svg',
  ])('is served with its own file %s', async (path) => {
    expect((await new Visitor(shop.url).send(path)).status).toBe(200);
  });
});

describe('the pages of an order', () => {
  it('are not there for a stranger', async () => {
    const orderId = await orderOf(new Visitor(shop.url));
    for (const page of ['orders', 'wait', 'thanks', 'retry']) {
      const answer = await new Visitor(shop.url).send(`/${page}/${orderId}`);
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('Noura');
    }
  });

  it('show names as text, whatever they contain', async () => {
    const visitor = new Visitor(shop.url);
    const name = '<img src=x onerror=alert(1)>"';
    const lines = 'coffee:1';
    const answer = await visitor.postForm('/orders', { ...details, name, lines });
    const page = await textOf(visitor, answer.headers.get('location') ?? '');
    expect(page).toContain('&lt;img src=x onerror=alert(1)&gt;');
    expect(page).not.toContain('<img src=x');
  });

  it('do not thank for an order that is not paid', async () => {
    const visitor = new Visitor(shop.url);
    const page = await textOf(visitor, `/thanks/${await orderOf(visitor)}?status=paid`);
    expect(page).toContain('data-state="unpaid"');
    expect(page).not.toContain('Thank you');
  });

  it('offer a form to pay with inside the pay button', async () => {
    const visitor = new Visitor(shop.url);
    const orderId = await orderOf(visitor);
    const page = await textOf(visitor, `/orders/${orderId}`);
    expect(page).toMatch(/<pay-button[^>]+endpoint="\/pay\/checkout"/);
    expect(page).toMatch(/<pay-button[^>]+methods="mada visa mastercard apple-pay"/);
    expect(page).toMatch(/<form method="post" action="\/pay\/checkout">/);
    const paid = await visitor.postForm('/pay/checkout', { orderId });
    expect(paid.status).toBe(303);
    expect(paid.headers.get('location')).toMatch(new URL(shop.sandboxUrl).origin);
  });
});

describe('the order form', () => {
  it('makes one order of a form that is sent twice', async () => {
    const visitor = new Visitor(shop.url);
    await visitor.send('/basket');
    const form = { ...details, lines: 'coffee:1', requestId: 'one-form' };
    const answers = await Promise.all([
      visitor.postForm('/orders', form),
      visitor.postForm('/orders', form),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    const [first, second] = answers.map(({ headers }) => headers.get('location'));
    expect(first).toBe(second);
    const changed = await visitor.postForm('/orders', { ...form, lines: 'coffee:2' });
    expect(changed.headers.get('location')).not.toBe(first);
  });

  it('keeps what was typed and says what to correct', async () => {
    const visitor = new Visitor(shop.url);
    const form = { name: 'Noura', email: '', phone: '123', lines: 'coffee:1' };
    const page = await (await visitor.postForm('/orders', form)).text();
    expect(page).toContain('value="Noura"');
    expect(page).toContain('Enter a mobile number such as 0512345678.');
    expect(page).toContain('aria-invalid="true"');
  });

  it('says first what is wrong, in the order of its fields', async () => {
    const form = { name: '', email: 'x', phone: '123', lines: 'coffee:1' };
    const page = await (await new Visitor(shop.url).postForm('/orders', form)).text();
    expect(page).toMatch(/<title>\s*Error: Your basket/);
    const summary = /<div class="complaints"[^>]* autofocus[^]*?<\/div>/.exec(page)?.[0] ?? '';
    const told = [...summary.matchAll(/href="#(\w+)"/g)].map(([, field]) => field);
    expect(told).toEqual(['name', 'phone', 'email']);
    const fields = [...page.matchAll(/<input\s+id="(\w+)"/g)].map(([, field]) => field);
    expect(fields).toEqual(told);
  });

  it('takes numbers in Arabic digits', async () => {
    const visitor = new Visitor(shop.url);
    const form = { ...details, phone: '٠٥١٢ ٣٤٥ ٦٧٨', lines: 'coffee:1' };
    expect((await visitor.postForm('/orders', form)).status).toBe(303);
  });

  it('says of an empty basket that it is empty', async () => {
    const answer = await new Visitor(shop.url).postForm('/orders', { ...details, lines: '' });
    expect(await answer.text()).toContain('Your basket is empty.');
  });

  it('is refused when another site sends it', async () => {
    const answer = await new Visitor(shop.url).send('/orders', {
      method: 'POST',
      headers: { 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ ...details, lines: 'coffee:1' }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain('This form came from another site');
  });
});

describe('the basket', () => {
  it('adds, changes and removes without a script', async () => {
    const visitor = new Visitor(shop.url);
    const added = await visitor.postForm('/basket/add', { sku: 'coffee' });
    expect(added.headers.get('location')).toBe('/?added=coffee#coffee');
    await visitor.postForm('/basket/add', { sku: 'coffee' });
    expect(await textOf(visitor, '/basket')).toContain('\u00a0230.00');
    await visitor.postForm('/basket/set', { sku: 'coffee', quantity: '3' });
    expect(await textOf(visitor, '/basket')).toContain('\u00a0345.00');
    await visitor.postForm('/basket/set', { sku: 'coffee', quantity: '3', remove: '1' });
    expect(await textOf(visitor, '/basket')).toContain('Your basket is empty.');
  });

  it('takes one piece more or fewer than the number beside the button', async () => {
    const visitor = new Visitor(shop.url);
    const pieces = async (quantity: string, step: string) => {
      await visitor.postForm('/basket/set', { sku: 'coffee', quantity, step });
      return /name="quantity"\s+value="(\d+)"/.exec(await textOf(visitor, '/basket'))?.[1];
    };
    expect(await pieces('4', '1')).toBe('5');
    expect(await pieces('99', '1')).toBe('99');
    expect(await pieces('2', '-1')).toBe('1');
    expect(await pieces('1', '-1')).toBeUndefined();
  });

  it('is not spoiled by a product or a cookie that makes no sense', async () => {
    const visitor = new Visitor(shop.url);
    expect((await visitor.postForm('/basket/add', { sku: 'tea' })).status).toBe(400);
    visitor.cookies.set('shop_basket', 'coffee:0.tea:4.%E0%A4%A');
    expect((await visitor.send('/basket')).status).toBe(200);
  });
});

describe('errors', () => {
  it('are pages in the reader’s language, and say nothing of the inside', async () => {
    const arabic = { 'accept-language': 'ar' };
    const answer = await new Visitor(shop.url).send('/nowhere', { headers: arabic });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain('لم نجد هذه الصفحة');
    const broken = await new Visitor(shop.url).send('/orders/%E0%A4%A');
    expect(broken.status).toBe(400);
    expect(await broken.text()).not.toMatch(/URIError|node_modules|\n\s+at /);
  });
});

describe('the language switch', () => {
  it('never leads to another site', async () => {
    const page = await (await fetch(`${shop.url}//evil.example/`)).text();
    expect(page).not.toContain('href="//');
  });
});

describe('another name of this machine', () => {
  it('leads someone who arrives to the shop’s own address, and nowhere else', async () => {
    const { port } = new URL(shop.url);
    const arriving = { headers: { accept: 'text/html' } };
    const answer = await new Visitor(`http://127.0.0.1:${port}`).send('/basket?lang=ar', arriving);
    expect(answer.headers.get('location')).toBe(`${shop.url}/basket?lang=ar`);
    const odd = await fetch(`http://127.0.0.1:${port}//evil.example/`, {
      ...arriving,
      redirect: 'manual',
    });
    expect(new URL(odd.headers.get('location') ?? '').host).toBe(new URL(shop.url).host);
  });
});
