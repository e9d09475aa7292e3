import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import { maskedPan, quotable } from './quotable.ts';

const KEY = 'sk_live_51Hc9xQ2mZ7tRb0';
/** Secrets with words that harmless messages have too. */
const secrets = [
  KEY,
  'merchant-portal',
  'customer.service@merchant.example',
  'Noura Al-Qahtani',
  '0509876543',
  `eyJhbGciOiJIUzI1NiJ9.${'aG9zdGVkLXBheW1lbnQ'.repeat(45)}`,
];

it.each([
  'amount must not exceed 1,000,000.00, and 100000.00 does',
  'amounts 115.00, 20.00 and 3.5 of 138.50',
  'customerPhone should not be empty; merchantOrderId must be unique',
  'API keys begin with sk_live_, and this one ends with tRb0',
  'session 12345678-1234-4321-9a7e-0c2f6f1d8a01 is unknown',
  'created at 2026-01-15T09:30:00.122Z',
  'the card 453957******1486 was declined',
  'see https://docs.gateway.example/errors?code=400&lang=en#amount',
  'it isn’t “paid” – try again… (100% sure & <= 5)',
  'le numéro est erroné',
  'رقم الجوال غير صحيح، والمبلغ 115.00',
  'يُرجى التحقّق من المبلغ ثم المحاولة مرّةً أخرى',
])('a harmless message is quoted as it is: %s', (message) => {
  expect(quotable(message, secrets)).toBe(message);
});

it.each([
  ['customerPhone must be a phone number: 0501234567', 'customerPhone must be a phone number: #'],
  ['call +966 (50) 123-4567 now', 'call +# now'],
  ['050.123.4567 and 1234567', '# and #'],
  ['write to noura+1@shop.example or "noura@x.example"', 'write to # or "#"'],
  ['order 2026-01-15 4539578763621486', 'order 2026-01-15 #'],
  ['the amounts 1000000.00 and 509876543.00', 'the amounts 1000000.00 and #'],
])('of a message with personal data the rest is quoted: %s', (message, quoted) => {
  expect(quotable(message, [])).toBe(quoted.replaceAll('#', '[redacted]'));
});

const groups = ['4539', '5787', '6362', '1486'];
const card = groups.join('');
const inDigits = (zero: number): string =>
  Array.from(card, (digit) => String.fromCodePoint(zero + Number(digit))).join('');
const each = (write: (digit: string) => string): string => Array.from(card, write).join('');

/** Ways to write a card number that a person or a program reads as one. */
const cards: readonly string[] = [
  ['', ',', ', ', ' | ', ':', '+', "'", '*', '----', '_', '/', ' . . . . ', '\r\n', '\t'],
  ['·', '\u00A0', '\u200B', '\u00AD', '\u2060', '\uFE0F', '\u034F', '\u{E0100}', '\u180B'],
  ['\u3164', '\uFFA0', '\u115F', '\u0301', '\u0640', '\u064B', '•'],
  ['&nbsp;', '&ensp;', '&#160;', '&nbsp', '&#x20', '&#160', '<br>', '<br />', '</b> <b x="y">'],
  ['%20', '%2520', '%5Cn', '\\u00a0', '\\n', '\\t', '\\u{20}', '\\xa0'],
]
  .flat()
  .map((gap) => groups.join(gap))
  .concat(
    [0x660, 0x6f0, 0xff10, 0x1d7d8].map(inDigits),
    each((digit) => `${digit}\u200B`),
    each((digit) => `%3${digit}`),
    each((digit) => `&#${digit.charCodeAt(0)};`),
    each((digit) => `\\x3${digit}`),
    [`17, ${card}`, `${card}=12/39`, `x${card}y`],
  );

describe.each(cards)('a card number written as %j', (text) => {
  it('is not quoted', () => {
    const quoted = quotable(`card ${text} was refused`, []);
    expect(quoted).toMatch(/^card x?\[redacted\].* was refused$|^a message of \d+ characters$/);
    expect(quoted.replaceAll(/\D/g, '').length).toBeLessThan(7);
  });

  it('is masked where a masked one belongs', () => {
    expect(maskedPan(text)).toMatch(/^\d{6}\*+\d{4}$|^\[redacted\]$/);
  });
});

const masked = ['453957******1486', '4539 57** **** 1486', '453957xxxxxx1486', '45395787****1486'];
it.each([...masked, '4539 57•• •••• 1486', 'n/a'])('a masked number stays as it is: %s', (pan) => {
  expect(maskedPan(pan)).toBe(pan);
});

it('every piece of a key with eight letters and digits hides the message', () => {
  for (let at = 8; at + 8 <= KEY.length; at += 1) {
    const piece = KEY.slice(at, at + 8);
    const message = `the key ${piece} is unknown`;
    expect(quotable(message, [KEY])).toBe('a message of 27 characters');
  }
});

it.each([
  ['given in full-width letters', 'ａｂ１', 'key ab1'],
  ['of signs alone', '+-+-+', 'key +-+-+'],
  ['that comes in hexadecimal', KEY, `key ${Buffer.from(KEY).toString('hex')}`],
])('a secret %s hides the message', (_which, secret, message) => {
  expect(quotable(message, [secret])).toBe(`a message of ${message.length} characters`);
});

it('a message is quoted to 300 characters, and no half of an e-mail address is among them', () => {
  const filler = 'no '.repeat(100);
  expect(quotable(filler.repeat(10), [])).toBe(filler);
  const address = 'canary.shopper@mail.example';
  for (let before = 250; before <= 300; before += 1) {
    expect(quotable(`${filler.slice(0, before)} ${address}`, [])).not.toMatch(/cana/);
  }
});

it('long texts and long secrets are cleaned in time that grows with their length', () => {
  const parts = ['1 ', 'a@', '%40', '1-', ' - 1', '&a', 'a'.repeat(64), 'ab1', '١', '<b', '\\'];
  const texts = parts.map((part) => part.repeat(100_000));
  for (const text of texts) {
    const quoted = endedInTime(() => quotable(text, texts));
    expect(quoted.length).toBeLessThanOrEqual(300);
    expect(endedInTime(() => maskedPan(`${text}4539578763621486`)).endsWith('1486')).toBe(true);
  }
});

/** Ways in which a server may write what it was sent. */
const writings: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  'in full-width letters': (text) =>
    text.replaceAll(/[!-~]/g, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfe_e0)),
  'percent-encoded': encodeURIComponent,
  'as JSON': (text) => JSON.stringify(text).slice(1, -1),
  'as escaped JSON': (text) =>
    text.replaceAll(/[^]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'as HTML': (text) => Array.from(text, (one) => `&#${one.codePointAt(0)};`).join(''),
  'in Base64': (text) => Buffer.from(text).toString('base64'),
  'in Base64, behind one byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'in Base64 for addresses': (text) => Buffer.from(`??${text}??`).toString('base64url'),
  'in hexadecimal': (text) => Buffer.from(text).toString('hex'),
  'split by spaces': (text) => text.replaceAll(/./gu, (one) => `${one} `),
  'split by dashes': (text) => text.replaceAll(/(\w{4})(?=\w)/g, '$1-'),
  'split by dots': (text) => text.replaceAll(/(\w{4})(?=\w)/g, '$1.'),
};
const written = ['%41', '\\u0041', '&#65;', '&amp;'];
const odd = fc.constantFrom(...written, ...Array.from('+.- %\\&#;/"=uxaF041äßم😀５'));
const oddSecret = fc.array(odd, { maxLength: 30 }).map((parts) => `z${parts.join('')}q`);

it.each(Object.entries(writings))('any secret written %s hides the message', (how, write) => {
  // In an encoding that any text may look like, a secret counts from six characters on.
  const isAny = !/Base64|hexadecimal/.test(how);
  const counted = oddSecret.filter((secret) => isAny || secret.length >= 6);
  fc.assert(
    fc.property(counted, (secret) => {
      const message = `( ${write(secret)} )`;
      expect(quotable(message, [secret])).toBe(`a message of ${message.length} characters`);
    }),
    { numRuns: 300, examples: [['canary \\pass/word ä€'], ['sk_canary+9f/8e7d"Zq']] },
  );
});
