import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endedInTime } from '../../test-support/ended-in-time.ts';
import { cleanMessages, maskedPan } from './redaction.ts';

/** How much of a message is read, with the margin behind what is shown. */
const MAX_READ = 2_560;

const cleaned = (messages: readonly string[], secrets: readonly string[]): readonly string[] =>
  endedInTime(() => cleanMessages(messages, secrets));

describe('the work of cleaning is in proportion to what comes in', () => {
  it.each([
    ['a plus and a dot again and again', `${'+.'.repeat(34)}@example.com`],
    ['dots between pluses and dashes', `${'+.-.'.repeat(17)}@example.com`],
    ['letters and spaces', `${'a '.repeat(40)}b`],
    ['backslashes', `${'\\ '.repeat(40)}"`],
    ['percent signs', `${'% '.repeat(40)}!`],
    ['the start of an HTML escape', `${'& #0 '.repeat(20)};`],
  ])('for a secret of %s that the gateway gives back but for its end', (_what, secret) => {
    const echo = secret.slice(0, -1);
    const [message = ''] = cleaned([echo, echo.repeat(20), encodeURIComponent(echo)], [secret]);
    expect(message).not.toContain('example.co');
  });

  it.each([
    ['a'.repeat(200_000), 'a'],
    ['ab'.repeat(100_000), 'a'.repeat(100_000)],
    ['+.'.repeat(100_000), `${'+.'.repeat(100_000)}@`],
    ['%25'.repeat(100_000), `${'%25'.repeat(100_000)}4`],
    ['&#0'.repeat(100_000), `${'&#0'.repeat(100_000)};`],
    [';'.repeat(100_000), 'x;'],
    [`&${'0'.repeat(100_000)};`.repeat(2), '&0;'],
    ['\\'.repeat(100_000), '\\u0041'],
    ['1,'.repeat(100_000), '1 2'],
    ['٣'.repeat(100_000), '٣'],
    ['<b'.repeat(100_000), '<b>'],
    [`<b${' '.repeat(60)}`.repeat(3_000), '<b>'],
    ['4\\u{0'.repeat(50_000), '4\\n4'],
    [`${'a@'.repeat(100_000)}%40`, 'a@a'],
  ])(
    'for hundreds of thousands of characters, of which the beginning alone counts: %#',
    (text, secret) => {
      const secrets = [secret, `${secret}!`];
      const ten = <T>(one: T): readonly T[] => Array.from({ length: 10 }, () => one);
      const [beginning] = cleaned([text.slice(0, MAX_READ + 1)], secrets);
      expect(cleaned(ten(text), secrets)).toEqual(ten(beginning));
    },
  );

  it('for a card number of as many backslashes, of which nothing is cut', () => {
    const pan = endedInTime(() => maskedPan(`${'\\'.repeat(120_000)}4201320111111010`));
    expect(pan).toBe('420132******1010');
  });
});

const written: readonly ((text: string) => string)[] = [
  (text) => text,
  encodeURIComponent,
  (text) => encodeURIComponent(encodeURIComponent(text)),
  (text) => new URLSearchParams({ a: text }).toString().slice(2),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
  (text) => Array.from(text, (one) => `&#x${one.codePointAt(0)?.toString(16)};`).join(''),
  (text) => text.replaceAll(/./gu, (one) => `${one} `),
  (text) => text.toUpperCase(),
];

const escapes = ['%41', '\\u0041', '&#65;', '&amp;'];
const nasty = fc.constantFrom(...escapes, ...Array.from('+.- %\\&#;/"=uxaF041äßم😀５'));
const nastySecret = fc
  .array(nasty, { maxLength: 30 })
  // What may stand between characters is not part of a secret at its ends.
  .map((parts) => `z${parts.join('')}q`);

it('a secret shows in no way of writing, whatever it is made of', () => {
  fc.assert(
    fc.property(nastySecret, fc.constantFrom(...written), (secret, write) => {
      const [clean = ''] = cleanMessages([`< ${write(secret)} >`], [secret]);
      expect(clean.replaceAll('[redacted]', '').replaceAll(/[\s\\]/g, '')).toBe('<>');
    }),
    { numRuns: 2_000 },
  );
});

it('a secret that a cut of the message runs through shows no part of itself', () => {
  const secret = 'sk_canary_0123456789_canary';
  const secrets = [secret];
  const filler = `${'f'.repeat(60)}@${'f'.repeat(180)} `.repeat(20);
  for (const write of written) {
    for (let before = 1_900; before < 2_700; before += 61) {
      const text = `${filler.slice(0, before)} ${write(secret).repeat(40)}`;
      const [clean = ''] = cleanMessages([text], secrets);
      expect(clean.replaceAll('[redacted]', '')).not.toMatch(/s *k *_|&#x73;|%73/i);
    }
  }
});
