import express, { type Express } from 'express';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { freePort } from '../../../../scripts/process.ts';
import { anOrder } from '../../test-support/office-records.ts';
import { type OfficeShopOptions, openOffice } from '../../test-support/office-shop.ts';
import { hostOf } from '../../test-support/shop-host.ts';
import { OfficeVisitor } from '../../test-support/office-visitor.ts';
import { refusalOf } from '../../test-support/some-options.ts';
import { startPathProxy } from '../../test-support/path-proxy.ts';
import { backOffice, type BackOffice, type BackOfficeOptions } from './back-office.ts';
import type { Payments } from '../index.ts';

const express4 = createRequire(import.meta.url)('express4') as () => Express;

/** Follows every address of every page, as a browser resolves it, and tells which lead nowhere. */
async function deadLinks(visitor: OfficeVisitor, start: string): Promise<readonly string[]> {
  const seen = new Set([start]);
  const dead: string[] = [];
  for (const url of seen) {
    const answer = await visitor.get(url);
    const location = answer.headers.get('location');
    // A form’s address without its fields asks for them.
    if (answer.status >= 400 && answer.status !== 422) dead.push(`${answer.status} ${url}`);
    const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
    const text = isPage ? await answer.text() : '';
    const found = [...text.matchAll(/\s(?:href|src|action)="([^"]*)"/g)].map(([, to = '']) => to);
    for (const to of location === null ? found : [location]) {
      const next = new URL(to.replaceAll('&amp;', '&'), url);
      next.hash = '';
      if (next.origin === new URL(start).origin) seen.add(next.href);
    }
  }
  expect(seen.size).toBeGreaterThan(10);
  return dead;
}

describe('the back office', () => {
  const serve = async (listener: RequestListener): Promise<string> => {
    const host = await hostOf(createServer(listener).listen(0, '127.0.0.1'));
    onTestFinished(() => host.close());
    return `http://127.0.0.1:${host.port}`;
  };
  const start = (options: OfficeShopOptions = {}) =>
    openOffice(options, anOrder('1001', 'paid'), anOrder('a.b:c@d+e', 'pending'));
  const mounted = (app: Express, mount: string) => (office: BackOffice) => app.use(mount, office);

  it.each<[string, string, (office: BackOffice) => RequestListener]>([
    ['Express 5 below a path', '/admin/payments', mounted(express(), '/admin/payments')],
    ['Express 5 at no path', '/admin/payments', mounted(express(), '/')],
    ['Express 4', '/x', mounted(express4(), '/x')],
    ['an app in an app', '/a/b', (office) => express().use('/a', mounted(express(), '/b')(office))],
    ['a server of node:http', '/admin/payments', (office) => office],
  ])('is whole under %s: no address of any page leads nowhere', async (_what, mount, host) => {
    const { office } = await start();
    const origin = await serve(host(office));
    expect(await deadLinks(new OfficeVisitor({ url: origin }), `${origin}${mount}`)).toEqual([]);
  });

  it('is whole behind a proxy that takes a part of the path off', async () => {
    const shop = await start({ mountAt: '/admin' });
    const port = await freePort();
    const proxy = await startPathProxy({ port, target: shop.port, from: '/tools/', strips: true });
    onTestFinished(() => proxy.close());
    const url = `http://127.0.0.1:${port}/tools/admin`;
    expect(await deadLinks(new OfficeVisitor({ url }), url)).toEqual([]);
  });

  it('is whole in a fetch-style server, and knows no address outside its mount', async () => {
    const shop = await start();
    const office = backOffice<Request>(shop.payments, {
      actor: (request) => request.headers.get('x-actor'),
      mountPath: '/backstage/',
    });
    const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = `http://${request.headers.host}${request.url}`;
      const headers = { 'x-actor': 'Noura' };
      const given = await office.handle(new Request(url, { headers }));
      response.writeHead(given.status, Object.fromEntries(given.headers));
      response.end(await given.text());
    };
    const origin = await serve((request, response) => void answer(request, response));
    const visitor = new OfficeVisitor({ url: origin });
    expect(await deadLinks(visitor, `${origin}/backstage`)).toEqual([]);
    expect((await visitor.get('/elsewhere')).status).toBe(404);
  });

  it('gives actor the context that a fetch-style framework hands over', async () => {
    const shop = await start();
    const office = backOffice<{ person: string }>(shop.payments, { actor: ({ person }) => person });
    const request = new Request('https://shop.example/admin/payments/');
    expect((await office.handle(request, { context: { person: 'Noura' } })).status).toBe(200);
    expect((await office.handle(request, { context: { person: '' } })).status).toBe(401);
    expect(() => office.handle({} as Request)).toThrow('office.handle');
  });

  it('tells the developer once of an address outside its mount, and no visitor', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    onTestFinished(() => warn.mockRestore());
    const { payments } = await start({ payments: { logger: undefined as never } });
    const office = backOffice(payments, { actor });
    for (const path of ['/backstage/orders/1001?q=x', '/other']) {
      const answer = await office.handle(new Request(`https://shop.example${path}`));
      expect(answer.status).toBe(404);
      expect(await answer.text()).not.toContain('mount');
    }
    const told = /"\/backstage\/orders", .*mountPath, "\/admin\/payments"/;
    expect(warn.mock.calls).toEqual([[expect.stringMatching(told)]]);
  });

  it('leaves addresses outside its mount to the shop', async () => {
    const { office } = await start();
    const app = express().use(office);
    app.use((_request, response) => response.send('the shop'));
    const origin = await serve(app);
    for (const path of ['/', '/orders', '/admin', '/admin/paymentsx']) {
      expect(await (await fetch(`${origin}${path}`)).text()).toBe('the shop');
    }
  });

  it('leaves the cookies that the sign-in before it has set', async () => {
    const shop = await start({
      before: (_request, response, next) => {
        response.cookie('staff', 'renewed');
        next();
      },
    });
    const cookies = (await new OfficeVisitor(shop).get('?lang=ar')).headers.getSetCookie();
    const names = cookies.map((cookie) => cookie.split(';')[0]);
    expect(names).toEqual(['staff=renewed', 'pay_office_lang=ar']);
  });

  it.each(['before it', 'nowhere'])('takes its forms with a body parser %s', async (where) => {
    const parser = { before: express.urlencoded({ extended: true }) };
    const shop = await start(where === 'nowhere' ? {} : parser);
    const noura = new OfficeVisitor(shop);
    const answer = await noura.send(await noura.form('orders/1001/confirm'));
    expect(answer.status).toBe(303);
  });
});

const actor = () => 'Noura';

async function errorOf(options: unknown, given?: unknown) {
  const payments = given === undefined ? (await openOffice()).payments : (given as Payments);
  return refusalOf(() => backOffice(payments, options as BackOfficeOptions));
}

/** A list of one link. */
const link = (text: object, url: string) => ({ links: [{ text, url }] });
const words = { en: 'x', ar: 'x' };

describe('backOffice', () => {
  it.each([
    ['missing_setting', 'actor', undefined],
    ['missing_setting', 'actor', {}],
    ['invalid_option', 'actor', { actor: 'Noura' }],
    ['invalid_option', 'describeOrder', { actor, describeOrder: 'x' }],
    ['invalid_option', 'approvals', { actor, approvals: { refundAbove: 500 } }],
    ['invalid_option', 'approvals', { actor, approvals: { refundAbove: '500' } }],
    ['invalid_option', 'approvals', { actor, approvals: { above: '500.00' } }],
    ['invalid_option', 'links', { actor, ...link({ en: 'Out' }, '/out') }],
    ['invalid_option', 'links', { actor, ...link(words, 'javascript:alert(1)') }],
    // A browser reads it as another site.
    ['invalid_option', 'links', { actor, ...link(words, '/\t/other.example') }],
    ['invalid_option', 'timeZone', { actor, timeZone: 'Mars/Base' }],
    ['invalid_option', 'describeorder', { actor, describeorder: actor }],
    ['invalid_mount_path', 'mountPath', { actor, mountPath: 'admin' }],
    ['invalid_mount_path', 'mountPath', { actor, mountPath: '/admin/:id' }],
  ])('says, as %s of %s, what is wrong with %j, why and how to mend it', async (...given) => {
    const [code, setting, options] = given;
    const { findings } = await errorOf(options);
    expect(findings).toMatchObject([{ code, setting: `backOffice.${setting}` }]);
    for (const { what, why, fix } of findings) {
      for (const sentence of [what, why, fix]) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
    }
  });

  it('names every mistake at once', async () => {
    const { findings } = await errorOf({ may: 1, timeZone: 'x', mountPath: 'y' });
    const settings = findings.map(({ setting }) => setting.replace('backOffice.', ''));
    expect(settings).toEqual(['actor', 'may', 'timeZone', 'mountPath']);
  });

  it('refuses what createPayments did not make, and says so', async () => {
    const { payments } = await openOffice();
    for (const given of [null, {}, 'payments', { ...payments }]) {
      expect(await errorOf({ actor }, given)).toMatchObject({
        code: 'invalid_option',
        message: expect.stringContaining('createPayments') as unknown,
      });
    }
  });

  it('says that it was mounted without being called', async () => {
    expect(await errorOf(undefined, { method: 'GET', headers: {} })).toMatchObject({
      code: 'router_not_called',
      message: expect.stringContaining('backOffice(payments') as unknown,
    });
  });
});
