import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findTestCard, maskNumber, passesLuhn, publishedNumbers, readCard } from './outcome.ts';

const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

test('the published cards are those of the README, and each does what it says', () => {
  const rows = [...readme.matchAll(/^\| (\d[\d, ]+?) +\| (.+?) +\|$/gm)];
  const listed = rows.flatMap(([, numbers = '', text = '']) =>
    numbers.split(', ').map((number, index) => {
      const codes = [...text.matchAll(/\((\d\d)\)/g)].map(([, code]) => code);
      const scheme = text.startsWith('unsupported') ? 'AMEX' : text.split(',')[0]?.toUpperCase();
      const responseCode = codes[index] ?? (text.endsWith('approved') ? '00' : '57');
      const mode = text.includes('3-D Secure') ? 'challenge' : 'none';
      return [number, { scheme, responseCode, mode }] as const;
    }),
  );
  expect(listed.map(([number]) => number).toSorted()).toEqual(publishedNumbers.toSorted());
  for (const [number, card] of listed) {
    const ends = { firstSix: number.slice(0, 6), lastFour: number.slice(-4) };
    expect(findTestCard(number)).toEqual({ ...ends, ...card });
  }
});

test('the grammar spells out scheme, 3-D Secure mode and response code', () => {
  const modes =
    'none challenge authentication-fails attempted not-enrolled directory-down never-returns';
  for (const [part, scheme] of Object.entries({ 99: 'MADA', 98: 'VISA', 97: 'MASTERCARD' })) {
    for (const [index, mode] of modes.split(' ').entries()) {
      for (const code of '00 05 14 41 43 51 54 61 91 96 99'.split(' ')) {
        const number = withLuhn(`9682${part}0${index}${code}00000`);
        expect(findTestCard(number)).toMatchObject({ scheme, mode, responseCode: code });
      }
    }
  }
  expect(findTestCard('9682990151000005')).toMatchObject({ mode: 'challenge', responseCode: '51' });
});

test.each([
  ['a wrong check digit', '9682990151000006'],
  ['a scheme of no list', withLuhn('968296000000000')],
  ['a 3-D Secure mode of no list', withLuhn('968299070000000')],
  ['a response code of no list', withLuhn('968299000100000')],
  ['another tail', withLuhn('968299000000001')],
  ['a real card', '4539578763621486'],
  ['nothing', ''],
])('a number with %s is no test card', (_what, number) => {
  expect(findTestCard(number)).toBeNull();
});

test('a masked number shows its first six and last four digits at most', () => {
  expect(maskNumber('4539578763621486')).toBe('453957******1486');
  expect(maskNumber('1234567890')).toBe('**********');
});

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

test.each([
  ...['07/30', '7/30', '0730', '07 / 2030', '072030', '12/39'].map((expiry) => [expiry, 'none']),
  ['', 'missing'],
  ...['13/30', '00/30', '07/3', 'next year'].map((expiry) => [expiry, 'malformed']),
  ['05/30', 'expired'],
  ['12/29', 'expired'],
])('the fault of the expiry %j is %s', (expiry, fault) => {
  expect(faultsOf({ expiry })).toEqual(fault === 'none' ? fault : { expiry: fault });
});

test('all faults of a card are reported together', () => {
  const missing = { number: 'missing', expiry: 'missing', cvv: 'missing' };
  expect(faultsOf({ number: '', expiry: '', cvv: '' })).toEqual(missing);
  const wrong = { number: 'not-a-test-card', cvv: 'malformed' };
  expect(faultsOf({ number: '4539578763621486', cvv: '12' })).toEqual(wrong);
  expect(faultsOf({ number: '42013201' })).toEqual({ number: 'malformed' });
});

function withLuhn(start: string): string {
  const digit = '0123456789'.split('').find((candidate) => passesLuhn(start + candidate));
  return `${start}${digit}`;
}
