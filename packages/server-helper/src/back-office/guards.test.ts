import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { anOrder } from '../../test-support/office-records.ts';
import type { BackOfficeOptions } from './options.ts';
import { type OfficeShop, put, startOfficeShop } from '../../test-support/office-shop.ts';

const addresses = [
  '',
  'orders',
  'orders/1001',
  'orders/1001/confirm',
  'review',
  'gateway',
  'language?lang=ar',
  'nowhere',
];

const noNames: readonly (readonly [string, BackOfficeOptions['actor']])[] = [
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
  [
    'an exception',
    () => {
      throw new TypeError('session is undefined');
    },
  ],
];

describe('without a name, the back office', () => {
  let shop: OfficeShop;
  afterEach(() => shop.close());

  it.each(noNames)(
    'answers every address alike with 401, where actor gives %s',
    async (_what, actor) => {
      shop = await startOfficeShop({ office: { actor }, payments: { onError: () => undefined } });
      await put(shop, anOrder('1001', 'paid'));
      const seen = new Set<string>();
      for (const address of addresses) {
        for (const method of ['GET', 'POST', 'PUT']) {
          const answer = await fetch(`${shop.url}${address}`, { method, redirect: 'manual' });
          expect([address, method, answer.status]).toEqual([address, method, 401]);
          seen.add(await answer.text());
          expect(answer.headers.get('set-cookie')).toBeNull();
        }
      }
      expect(seen.size).toBe(1);
      expect([...seen].join()).not.toMatch(/1001|115|session|undefined|Error/);
    },
  );
});

it('asks may about the id of a person, and shows the name with it', async () => {
  const asked: string[] = [];
  const shop = await startOfficeShop({
    office: {
      actor: () => ({ id: 'u-17', name: 'Noura Ali' }),
      may: (actor) => asked.push(actor) > 0,
    },
  });
  onTestFinished(() => shop.close());
  await put(shop, anOrder('1001', 'paid'));
  const page = await fetch(`${shop.url}orders/1001`);
  expect(await page.text()).toContain('Noura Ali (u-17)');
  expect(new Set(asked)).toEqual(new Set(['u-17']));
});
