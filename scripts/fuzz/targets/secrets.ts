import { cleanMessages } from '../../../packages/server-helper/src/gateway/redaction.ts';
import { halves, must, wellFormed, type Target } from '../target.ts';

const MASK = '[redacted]';
const inJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const percent = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

const spellings: readonly ((secret: string) => string)[] = [
  (secret) => secret,
  encodeURIComponent,
  percent,
  (secret) => percent(percent(secret)),
  inJson,
  (secret) => Array.from(secret, (one) => `&#${one.codePointAt(0) ?? 0};`).join(''),
];
/** A short secret is not looked for in these. */
const encodings: readonly ((secret: string) => string)[] = [
  (secret) => Buffer.from(secret).toString('hex'),
  (secret) => Buffer.from(secret).toString('base64url'),
];

/** What the gateway says, quoted in errors and logs. The first line is a secret, the rest a message. */
export const secrets: Target = {
  name: 'secrets',
  about: 'secrets in quoted messages: shown in no spelling, whatever is around them',
  seeds: [
    'sk_live_0123456789abcdef\nThe key sk_live_0123456789abcdef is not valid.',
    '+.+.+.+.+.+.+.+.@example.com\n%2B.%2B.&#43;.\\u002B.',
    '0512345678\nphone +966 51 234-5678 of &quot;Noura&quot; is wrong',
    `%41b&amp;\n${'&#0'.repeat(50)};%25252541`,
    'noura@example.com\nNOURA%40EXAMPLE.COM noura@example.com',
    'ß😀٣\nSS 😀 3 \uD83D',
  ],
  words: [
    '%',
    '%25',
    '%41',
    '\\u0041',
    '&#65;',
    '&amp;',
    '\b',
    '\t',
    '&',
    ';',
    '\\',
    '@',
    '+',
    '.',
    '-',
    ' ',
    '\u200B',
    '５',
    '\n',
    '[redacted]',
    'x'.repeat(300),
    '\u0130',
    '\u1E9E',
    '\uFB03',
  ],
  check: (text) => {
    const [first, message] = halves(text);
    const secret = wellFormed(first.slice(0, 200));
    const shown = cleanMessages([message], [secret])[0] ?? '';
    must(shown.length <= 300, 'a quoted message has 300 characters at most');
    must(
      cleanMessages(
        Array.from({ length: 20 }, () => message),
        [secret],
      ).length <= 10,
      'ten are quoted at most',
    );
    // Signs alone are in any text, and no secret.
    if (!/[\p{L}\p{N}]/u.test(secret)) return;
    const written = secret.length < 6 ? spellings : [...spellings, ...encodings];
    const around = message.slice(0, 100);
    // Two of them for each text, since each costs as much as all the rest.
    for (const spelling of [inJson, written[message.length % written.length] ?? inJson]) {
      const form = spelling(secret);
      const clean = cleanMessages([`${around} <${form}> ${around}`], [secret])[0] ?? '';
      for (const part of clean.split(MASK)) {
        must(!part.includes(form), 'no spelling of a secret is shown');
      }
    }
  },
};
