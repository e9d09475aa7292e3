import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { anOrder } from '../../test-support/office-records.ts';
import {
  officeSecret,
  type OfficeShop,
  type OfficeShopOptions,
  put,
  startOfficeShop,
} from '../../test-support/office-shop.ts';
import { OfficeVisitor, otherSecret, problemIn } from '../../test-support/office-visitor.ts';
import { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import { memoryStore } from '../testing.ts';

const HOUR_MS = 3_600_000;
const CONFIRM = 'orders/1001/confirm';

describe('a form of the back office', () => {
  let gateway: ScriptedGateway;
  let shop: OfficeShop;
  let laterMs = 0;

  const start = async (options: OfficeShopOptions = {}): Promise<OfficeShop> =>
    startOfficeShop({
      ...options,
      payments: {
        gateway: { environment: 'staging', baseUrl: gateway.baseUrl, apiKey: 'test-key' },
        clock: {
          now: () => Date.now() + laterMs,
          sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms).unref()),
        },
        ...options.payments,
      },
    });
  beforeEach(async () => {
    laterMs = 0;
    gateway = await new ScriptedGateway().start();
    shop = await start();
    await put(shop, anOrder('1001', 'pending'));
  });
  afterEach(async () => {
    await shop.close();
    await gateway.close();
  });

  it('does what it says when a person sends it, as often as they press', async () => {
    const noura = new OfficeVisitor(shop);
    const form = await noura.form(CONFIRM);
    // The link's time is over, so that the first answer without a row ends it.
    for (const notice of ['confirmed_changed', 'confirmed_unchanged']) {
      const answer = await noura.send(form);
      const location = `../../orders/1001?notice=${notice}`;
      expect([answer.status, answer.headers.get('location')]).toEqual([303, location]);
    }
    expect(gateway.statusCalls.length).toBeGreaterThan(0);
    const page = await noura.text('orders/1001?notice=confirmed_unchanged');
    expect(page).toContain('The gateway was asked. It says nothing new.');
  });

  it('is only a question where it is asked for: a GET changes nothing, however it is repeated', async () => {
    const noura = new OfficeVisitor(shop);
    const { fields } = await noura.form(CONFIRM);
    await noura.get(`${CONFIRM}?${fields.toString()}`);
    expect(gateway.seen).toHaveLength(0);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same site', { 'sec-fetch-site': 'same-site' }],
    ['no page at all', { 'sec-fetch-site': 'none' }],
    ['a sender that says nothing of itself', {}],
    ['another origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://127.0.0.1:1' }],
    ['a page without an origin', { origin: 'null' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'SELF' }],
  ])('is refused from %s, and nothing is done', async (_what, headers) => {
    const noura = new OfficeVisitor(shop);
    const form = await noura.form(CONFIRM);
    const own = new URL(shop.url).origin;
    const sent = Object.entries(headers).map(([name, value]) => [
      name,
      value === 'SELF' ? own : value,
    ]);
    const answer = await noura.send(form, Object.fromEntries(sent) as Record<string, string>);
    expect([answer.status, await problemIn(answer)]).toEqual([403, 'foreign_form']);
    expect(gateway.seen).toHaveLength(0);
  });

  it.each([
    ['by the address that the browser asked', (url: string) => ({ origin: new URL(url).origin })],
    [
      'behind a proxy, by the host that the proxy names',
      () => ({ origin: 'http://admin.internal', 'x-forwarded-host': 'admin.internal' }),
    ],
    ['by the shop’s own address', () => ({ origin: 'https://shop.example' })],
  ])('is taken from a browser that names its origin only, %s', async (_what, headersOf) => {
    const noura = new OfficeVisitor(shop);
    const answer = await noura.send(await noura.form(CONFIRM), headersOf(shop.url));
    expect(answer.status).toBe(303);
  });

  it('is refused without its token, with one that was changed, and with another person’s', async () => {
    const noura = new OfficeVisitor(shop);
    const omar = new OfficeVisitor(shop, { 'x-actor': 'Omar' });
    const form = await noura.form(CONFIRM);
    const token = form.fields.get('form') ?? '';
    const [endsAt, mac = ''] = token.split('.');
    const wrong = ['', 'x', `${Number(endsAt) + 1}.${mac}`, `${endsAt}.${mac.slice(1)}A`];
    for (const one of wrong) {
      const fields = new URLSearchParams(form.fields);
      fields.set('form', one);
      const answer = await noura.send({ ...form, fields });
      expect([one, answer.status, await problemIn(answer)]).toEqual([one, 403, 'stale_form']);
    }
    const stolen = await omar.send(form);
    expect([stolen.status, await problemIn(stolen)]).toEqual([403, 'stale_form']);
    const doubled = new URLSearchParams(form.fields);
    doubled.append('form', token);
    expect((await noura.send({ ...form, fields: doubled })).status).toBe(403);
    expect(gateway.seen).toHaveLength(0);
  });

  it('is refused twelve hours later, and taken shortly before', async () => {
    const noura = new OfficeVisitor(shop);
    const form = await noura.form(CONFIRM);
    laterMs = 12 * HOUR_MS - 60_000;
    expect((await noura.send(form)).status).toBe(303);
    laterMs = 12 * HOUR_MS;
    expect(await problemIn(await noura.send(form))).toBe('stale_form');
  });

  it('is taken while the secret that signed it is one of the secrets, and no longer', async () => {
    const noura = new OfficeVisitor(shop);
    const { fields } = await noura.form(CONFIRM);
    for (const [tokenSecrets, status] of [
      [[otherSecret, officeSecret], 303],
      [[otherSecret], 403],
    ] as const) {
      const next = await start({ store: memoryStore(), payments: { tokenSecrets } });
      await put(next, anOrder('1001', 'pending'));
      const url = new URL(CONFIRM, next.url).href;
      expect((await new OfficeVisitor(next).send({ url, fields })).status).toBe(status);
      await next.close();
    }
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{"form":"x"}'],
    ['a text', { 'content-type': 'text/plain' }, 'form=x'],
    [
      'more than 64 KiB',
      { 'content-type': 'application/x-www-form-urlencoded' },
      `x=${'y'.repeat(70_000)}`,
    ],
  ])('is refused as %s', async (_what, headers, body) => {
    const answer = await fetch(new URL(CONFIRM, shop.url), {
      method: 'POST',
      headers: { ...headers, 'x-actor': 'Noura', 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect([answer.status, await problemIn(answer)]).toEqual([400, 'bad_form']);
  });

  it('does nothing without the id of its question', async () => {
    const noura = new OfficeVisitor(shop);
    const form = await noura.form(CONFIRM);
    form.fields.set('request', 'office-1');
    expect(await problemIn(await noura.send(form))).toBe('bad_form');
    expect(gateway.seen).toHaveLength(0);
  });
});
