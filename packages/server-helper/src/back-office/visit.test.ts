import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { anEvent, anOrder, letEventsDie } from '../../test-support/office-records.ts';
import { openOffice, put } from '../../test-support/office-shop.ts';
import type { OfficeShop, OfficeShopOptions } from '../../test-support/office-shop.ts';
import { aReview } from '../../test-support/records.ts';
import { OfficeVisitor, otherSecret, problemIn } from '../../test-support/office-visitor.ts';
import { ScriptedGateway } from '../../test-support/scripted-gateway.ts';
import { someOptions, TOKEN_SECRET } from '../../test-support/some-options.ts';
import { systemClock } from '../clock.ts';
import { memoryStore } from '../testing.ts';
import type { BackOfficeOptions } from './options.ts';

/** Where nothing is waited for longer than a turn. */
const soonOver = { now: Date.now, sleep: () => setImmediate() };

const addresses =
  '/orders /orders/1001 /orders/1001/confirm /review /gateway /language?lang=ar /nowhere /';

it.each<[string, BackOfficeOptions['actor']]>([
  ['nobody', () => null],
  ['nothing', () => undefined],
  ['an empty name', () => '  '],
  ['a name that nobody sees', () => '\u200B\u3164\u2060'],
  ['a name without an id', () => ({ name: 'Noura' }) as unknown as string],
  ['an id without a name', () => ({ id: 'u-17', name: '' })],
  ['an id that a name could imitate', () => ({ id: 'u-17) (u-18', name: 'Noura' })],
  ['a name without an end', () => 'x'.repeat(201)],
  ['a name with a line break', () => 'Noura\r\nx: y'],
  ['a rejection', () => Promise.reject(new Error('no session'))],
  ['an exception', () => JSON.parse('session is undefined')],
  ['no answer at all', () => new Promise(() => undefined)],
])('every address answers alike with 401 where actor gives %s', async (_what, actor) => {
  const payments = { onError: () => undefined, clock: soonOver };
  const shop = await openOffice({ office: { actor }, payments }, anOrder('1001', 'paid'));
  const seen = new Set<string>();
  for (const address of addresses.split(' ')) {
    for (const method of ['GET', 'POST', 'PUT']) {
      const answer = await fetch(shop.url + address.slice(1), { method, redirect: 'manual' });
      expect([address, method, answer.status]).toEqual([address, method, 401]);
      expect(answer.headers.get('set-cookie')).toBeNull();
      seen.add(await answer.text());
    }
  }
  expect(seen.size).toBe(1);
  expect([...seen].join()).not.toMatch(/1001|115|session|undefined|Error/);
});

it('an actor without a name is told on the console of a shop without a logger', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const office = { actor: () => ({ user: 'x' }) as never };
  const shop = await openOffice({ office, payments: { logger: undefined as never } });
  expect((await fetch(`${shop.url}orders`)).status).toBe(401);
  expect(warn.mock.calls.join()).toContain('backOffice.actor answered what is no name');
});

it('asks may about the id of a person, and shows the name with it', async () => {
  const asked: string[] = [];
  const office: OfficeShopOptions['office'] = {
    actor: () => ({ id: 'u-17', name: 'Noura Ali' }),
    may: (actor) => asked.push(actor) > 0,
  };
  const shop = await openOffice({ office }, anOrder('1001', 'paid'));
  const page = await fetch(`${shop.url}orders/1001`);
  expect(await page.text()).toContain('Noura Ali (u-17)');
  expect(new Set(asked)).toEqual(new Set(['u-17']));
});

it('takes it for no where may never answers', async () => {
  const office = { may: () => new Promise<boolean>(() => undefined) };
  const shop = await openOffice({ office, payments: { clock: soonOver } }, anOrder('1001', 'paid'));
  expect(await new OfficeVisitor(shop).text('orders/1001')).not.toContain('data-test="refund"');
});

const HOUR_MS = 3_600_000;
const CONFIRM = 'orders/1001/confirm';

describe('a form of the back office', () => {
  let gateway: ScriptedGateway;
  let shop: OfficeShop;
  let noura: OfficeVisitor;
  let laterMs = 0;

  const start = ({ payments, ...options }: OfficeShopOptions = {}): Promise<OfficeShop> => {
    const clock = { ...systemClock, now: () => Date.now() + laterMs };
    const asked = { gateway: someOptions(gateway.baseUrl).gateway, clock };
    const all = { ...options, payments: { ...asked, ...payments } };
    return openOffice(all, anOrder('1001', 'pending'));
  };
  beforeEach(async () => {
    laterMs = 0;
    gateway = await new ScriptedGateway().start();
    shop = await start();
    noura = new OfficeVisitor(shop);
    return () => gateway.close();
  });

  it('does what it says when a person sends it, as often as they press', async () => {
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

  it('delivers a dead letter once, also where the event has died again since', async () => {
    await put(shop, { ...anOrder('2002', 'paid'), events: [anEvent('2002', '2002/paid')] });
    await letEventsDie(shop.store);
    const form = await noura.form('review/redeliver?id=2002/paid');
    expect((await noura.send(form)).status).toBe(303);
    await letEventsDie(shop.store);
    expect((await noura.send(form)).status).toBe(409);
    expect(await shop.store.deadLetters(9)).toHaveLength(1);
    await put(shop, { ...anOrder('2003', 'refunded'), events: [anEvent('2003', '2003/paid')] });
    const reviews = [aReview({ orderId: '2004', reason: 'payment_contradiction' })];
    const doubted = { ...anOrder('2004', 'paid'), reviews };
    await put(shop, { ...doubted, events: [anEvent('2004', '2004/paid')] });
    await letEventsDie(shop.store);
    for (const [id, mayShipUnpaid] of Object.entries({ 2002: false, 2003: true, 2004: true })) {
      const question = await noura.text(`review/redeliver?id=${id}/paid`);
      expect([id, question.includes('may ship unpaid')]).toEqual([id, mayShipUnpaid]);
    }
  });

  it('is only a question where it is asked for: a GET changes nothing, however it is repeated', async () => {
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
    ['a page without an origin', { origin: 'null' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'SELF' }],
  ])('is refused from %s, and nothing is done', async (_what, headers) => {
    const own = new URL(shop.url).origin;
    const sent = JSON.parse(JSON.stringify(headers).replace('SELF', own)) as typeof headers;
    const answer = await noura.send(await noura.form(CONFIRM), sent);
    expect([answer.status, await problemIn(answer)]).toEqual([403, 'foreign_form']);
    expect(gateway.seen).toHaveLength(0);
  });

  it('is taken from a browser that names its origin only, which is the shop’s or the asked one', async () => {
    const taken: readonly Record<string, string>[] = [
      { origin: new URL(shop.url).origin },
      { origin: 'http://admin.internal', 'x-forwarded-host': 'admin.internal' },
      { origin: 'https://shop.example' },
    ];
    for (const headers of taken) {
      const answer = await noura.send(await noura.form(CONFIRM), headers);
      expect([headers, answer.status]).toEqual([headers, 303]);
    }
  });

  it('is refused without its token, with one that was changed, and with another person’s', async () => {
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
    const stolen = await new OfficeVisitor(shop, { 'x-actor': 'Omar' }).send(form);
    expect([stolen.status, await problemIn(stolen)]).toEqual([403, 'stale_form']);
    const doubled = new URLSearchParams(form.fields);
    doubled.append('form', token);
    expect((await noura.send({ ...form, fields: doubled })).status).toBe(403);
    expect(gateway.seen).toHaveLength(0);
  });

  it('is refused twelve hours later, and taken shortly before', async () => {
    const form = await noura.form(CONFIRM);
    laterMs = 12 * HOUR_MS - 60_000;
    expect((await noura.send(form)).status).toBe(303);
    laterMs = 12 * HOUR_MS;
    expect(await problemIn(await noura.send(form))).toBe('stale_form');
  });

  it('is taken while the secret that signed it is one of the secrets, and no longer', async () => {
    const { fields } = await noura.form(CONFIRM);
    for (const [tokenSecrets, status] of [
      [[otherSecret, TOKEN_SECRET], 303],
      [[otherSecret], 403],
    ] as const) {
      const next = await start({ store: memoryStore(), payments: { tokenSecrets } });
      const url = new URL(CONFIRM, next.url).href;
      expect((await new OfficeVisitor(next).send({ url, fields })).status).toBe(status);
    }
  });

  it.each([
    ['application/json', '{"form":"x"}'],
    ['text/plain', 'form=x'],
    ['application/x-www-form-urlencoded', `x=${'y'.repeat(70_000)}`],
  ])('is refused as %s of no form, or of more than 64 KiB', async (type, body) => {
    const answer = await fetch(new URL(CONFIRM, shop.url), {
      method: 'POST',
      headers: { 'content-type': type, 'x-actor': 'Noura', 'sec-fetch-site': 'same-origin' },
      body,
    });
    expect([answer.status, await problemIn(answer)]).toEqual([400, 'bad_form']);
  });

  it('does nothing without the id of its question', async () => {
    const form = await noura.form(CONFIRM);
    form.fields.set('request', 'office-1');
    expect(await problemIn(await noura.send(form))).toBe('bad_form');
    expect(gateway.seen).toHaveLength(0);
  });
});
