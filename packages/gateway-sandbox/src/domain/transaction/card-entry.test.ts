import { expect, test } from 'vitest';
import { readCard } from './cards.ts';

const now = Date.UTC(2030, 5, 15);
const good = { number: '4201 3201-1111 1010', expiry: '07/30', cvv: '123' };

function faultsOf(changes: Partial<typeof good>, at = now): unknown {
  const read = readCard({ ...good, ...changes }, at);
  return 'faults' in read ? read.faults : 'none';
}

test('spaces, dashes and Arabic digits are read like plain ones', () => {
  const read = readCard({ number: '٤٢٠١ ٣٢٠١ ١١١١ ١٠١٠', expiry: '٠٧/٣٠', cvv: '١٢٣' }, now);
  expect(read).toMatchObject({ entry: { cvvDeclines: false, card: { lastFour: '1010' } } });
  expect(faultsOf({})).toBe('none');
});

test.each(['07/30', '7/30', '0730', '07 / 2030', '072030', '12/39'])(
  'the expiry %s is read',
  (expiry) => {
    expect(faultsOf({ expiry })).toBe('none');
  },
);

test.each([
  ['', 'missing'],
  ['13/30', 'malformed'],
  ['00/30', 'malformed'],
  ['07/3', 'malformed'],
  ['next year', 'malformed'],
  ['05/30', 'expired'],
  ['12/29', 'expired'],
])('the expiry %j is %s', (expiry, fault) => {
  expect(faultsOf({ expiry })).toEqual({ expiry: fault });
});

test('a card is good until the last millisecond of its month', () => {
  const end = Date.UTC(2030, 6, 1);
  expect(faultsOf({ expiry: '06/30' }, end - 1)).toBe('none');
  expect(faultsOf({ expiry: '06/30' }, end)).toEqual({ expiry: 'expired' });
});

test('all faults of a card are reported together', () => {
  expect(faultsOf({ number: '', expiry: '', cvv: '' })).toEqual({
    number: 'missing',
    expiry: 'missing',
    cvv: 'missing',
  });
  expect(faultsOf({ number: '4539578763621486', cvv: '12' })).toEqual({
    number: 'not-a-test-card',
    cvv: 'malformed',
  });
  expect(faultsOf({ number: '42013201' })).toEqual({ number: 'malformed' });
});

test('the storable part of a card holds neither its whole number nor its CVV', () => {
  const kept = JSON.stringify(readCard({ ...good, cvv: '911' }, now));
  expect(kept).not.toContain('4201320111111010');
  expect(kept).not.toMatch(/(?<!\d)911(?!\d)/);
  expect(kept).toContain('"cvvDeclines":true');
});
