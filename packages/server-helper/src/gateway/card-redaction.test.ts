import { afterEach, describe, expect, it } from 'vitest';
import { aSession, clientOf, errorOf } from '../../test-support/gateway-calls.ts';
import { httpAnswer, RawServer } from '../../test-support/raw-server.ts';
import type { GatewayClient } from './gateway-client.ts';
import { cleanMessages, maskedPan } from './redaction.ts';

const groups = ['4539', '5787', '6362', '1486'];
const number = groups.join('');
const inDigits = (zero: number): string =>
  Array.from(number, (digit) => String.fromCodePoint(zero + Number(digit))).join('');

/** Ways to write a card number that a person or a program reads as one. */
const spellings: Readonly<Record<string, string>> = {
  'with commas': groups.join(','),
  'with commas and spaces': groups.join(', '),
  'with no-break spaces of HTML': groups.join('&nbsp;'),
  'with other spaces of HTML': groups.join('&ensp;'),
  'with numbered spaces of HTML': groups.join('&#160;'),
  'with percent-encoded spaces': groups.join('%20'),
  'with percent-encoded spaces twice': groups.join('%2520'),
  'with escaped spaces of JSON': groups.join('\\u00a0'),
  'with zero-width spaces': groups.join('\u200B'),
  'with a zero-width space between all digits': Array.from(number).join('\u200B'),
  'with soft hyphens': groups.join('\u00AD'),
  'with a word joiner': groups.join('\u2060'),
  'with bars': groups.join(' | '),
  'with colons': groups.join(':'),
  'with plus signs': groups.join('+'),
  'with apostrophes': groups.join("'"),
  'with middle dots': groups.join('·'),
  'with line breaks': groups.join('\r\n'),
  'in Arabic-Indic digits': inDigits(0x660),
  'in Arabic-Indic digits of Persian': inDigits(0x6f0),
  'in full-width digits': inDigits(0xff10),
  'in mathematical digits': inDigits(0x1d7d8),
  'percent-encoded': Array.from(number, (digit) => `%3${digit}`).join(''),
  'as HTML': Array.from(number, (digit) => `&#${digit.charCodeAt(0)};`).join(''),
  'with variation selectors': groups.join('\uFE0F'),
  'with grapheme joiners': groups.join('\u034F'),
  'with supplementary variation selectors': groups.join('\u{E0100}'),
  'with Mongolian variation selectors': groups.join('\u180B'),
  'with Hangul fillers': groups.join('\u3164'),
  'with half-width Hangul fillers': groups.join('\uFFA0'),
  'with Hangul initial fillers': groups.join('\u115F'),
  'with combining accents': groups.join('\u0301'),
  'with tatweels': groups.join('\u0640'),
  'with line breaks written out': groups.join('\\n'),
  'with tabs written out': groups.join('\\t'),
  'with percent-encoded line breaks written out': groups.join('%5Cn'),
  'with code points written out': groups.join('\\u{20}'),
  'with bytes written out': groups.join('\\xa0'),
  'with no-break spaces of HTML without a semicolon': groups.join('&nbsp'),
  'with numbered spaces of HTML without a semicolon': groups.join('&#x20'),
  'with decimal spaces of HTML without a semicolon': groups.join('&#160'),
  'with single stars': groups.join('*'),
  'with breaks of HTML': groups.join('<br>'),
  'with closed breaks of HTML': groups.join('<br />'),
  'with tags of HTML': groups.join('</b> <b class="x">'),
  'with four dashes': groups.join('----'),
  'with four dots and spaces': groups.join(' . . . . '),
  'behind another number': `17, ${number}`,
  'before a month and a year': `${number}=12/39`,
};

/** Digits that are left in a text. */
const digitsIn = (text: string): string =>
  text.replaceAll(/&#(?:x20|160|\d+;)|\\u\{20\}|\\xa0|[^\p{Nd}]/gu, '');

let server: RawServer | undefined;
let client: GatewayClient | undefined;
afterEach(async () => {
  await client?.close();
  await server?.close();
});

describe('a card number that was not given to the client is hidden', () => {
  it.each(Object.entries(spellings))('in a message of the gateway, %s', async (_how, text) => {
    const body = JSON.stringify({ statusCode: 400, message: [`card ${text} was refused`] });
    const headers = { 'x-request-id': text.replaceAll(/[^\x20-\x7E]/g, ' ') };
    server = await new RawServer({
      onRequest: (socket) => socket.end(httpAnswer('400 Bad Request', body, headers)),
    }).start();
    client = clientOf(server.origin);
    const error = await errorOf(client.retrieveStatus({ sessionId: aSession }));
    expect(error.gatewayMessages[0]).toMatch(/^card .*\[redacted\].* was refused$/);
    for (const shown of [...error.gatewayMessages, error.requestId ?? '']) {
      expect(digitsIn(shown).length).toBeLessThan(9);
      expect(shown).not.toContain(text);
    }
  });

  it.each(Object.entries(spellings))('in the place of a masked one, %s', (_how, text) => {
    expect(digitsIn(maskedPan(text)).length).toBeLessThan(11);
    expect(maskedPan(text)).toMatch(/\*{6}|\[redacted\]/);
  });
});

it.each([
  'session 5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01 is unknown',
  'amount must not exceed 1,000,000.00',
  'the card 453957******1486 was declined',
  'amounts 115.00, 20.00',
])('a message without a card number is kept: %s', (message) => {
  expect(cleanMessages([message], [])).toEqual([message]);
});

it.each(['453957******1486', '4539 57** **** 1486', '453957xxxxxx1486', '45395787****1486', 'n/a'])(
  'a masked number stays as the gateway writes it: %s',
  (pan) => {
    expect(maskedPan(pan)).toBe(pan);
  },
);
