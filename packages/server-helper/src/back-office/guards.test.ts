import { afterEach, describe, expect, it } from 'vitest';
import { anOrder } from '../../test-support/office-records.ts';
import type { BackOfficeOptions } from './options.ts';
import { put, startOfficeShop, type OfficeShop } from '../../test-support/office-shop.ts';

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
  ['what is no text', () => ({ name: 'Noura' }) as unknown as string],
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
