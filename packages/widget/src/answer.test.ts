import { fixture, html, oneEvent } from '@open-wc/testing-helpers';
import { afterEach, describe, expect, it } from 'vitest';
import './index.ts';
import type { PaySettledEvent } from './events.ts';
import type { PayStatus } from './pay-status.ts';
import { errorOf, part, buttonOf } from './testing/pay-button-page.ts';
import { problem, script } from './testing/script.ts';

/** Fields that a script of the page gives to every object. */
const planted = {
  redirectUrl: 'https://evil.example/',
  code: 'already_paid',
  state: 'paid',
  orderId: 'planted',
  amount: '0.01',
  currency: 'ZZZ',
  updatedAt: 'planted',
} as const;

const everyObject = Object.getPrototypeOf({}) as object;

function plant(...names: readonly (keyof typeof planted)[]): void {
  for (const name of names) {
    const field = { value: planted[name], configurable: true, writable: true };
    Object.defineProperty(everyObject, name, field);
  }
}

afterEach(() => {
  for (const name of Object.keys(planted)) Reflect.deleteProperty(everyObject, name);
});

describe('an answer counts by its own fields, never by those of every object', () => {
  it.for([
    ['an object', '{}'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['a number', '7'],
    ['nothing', 'null'],
    ['no JSON', '<p>ok</p>'],
    ['an object that names a prototype', '{"__proto__":{"redirectUrl":"https://evil.example/"}}'],
  ])('no shopper is sent anywhere by a success that is %s', async ([, body]) => {
    const { element } = await buttonOf([{ status: 201, body }]);
    element.addEventListener('pay-redirect', (event) => event.preventDefault());
    const ended = Promise.race([oneEvent(element, 'pay-redirect'), oneEvent(element, 'pay-error')]);
    plant('redirectUrl');
    part(element, 'button').click();
    expect(await ended).toMatchObject({ type: 'pay-error', code: 'invalid_response' });
  });

  it('no failure has a code that the answer does not have', async () => {
    const { element } = await buttonOf([{ status: 422, body: {} }, problem(422, 'invalid_order')]);
    plant('code');
    expect((await errorOf(element)).code).toBe('invalid_response');
    expect((await errorOf(element)).code).toBe('invalid_order');
  });

  it('no payment is paid by an answer without a state', async () => {
    const shop = await script({ body: {} });
    plant('state');
    const element = await fixture<PayStatus>(html`<pay-status src=${shop.url}></pay-status>`);
    const settled: Event[] = [];
    element.addEventListener('pay-settled', (event) => settled.push(event));
    while (settled.length === 0 && (await shop.requests()).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect([settled, element.state === undefined]).toEqual([[], true]);
  });

  it('a settled payment is reported with the fields of the answer only', async () => {
    const shop = await script({ body: { state: 'paid', orderId: 'o-9' } });
    plant('amount', 'currency', 'updatedAt', 'orderId');
    const element = await fixture<PayStatus>(html`<pay-status src=${shop.url}></pay-status>`);
    const event = (await oneEvent(element, 'pay-settled')) as unknown as PaySettledEvent;
    expect(event.orderId).toBe('o-9');
    expect(Object.hasOwn(event, 'amount')).toBe(false);
    expect(JSON.stringify(Object.entries(event))).not.toMatch(/planted|0\.01|ZZZ/);
  });
});
