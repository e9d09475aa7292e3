import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passesLuhn } from '../domain/cards.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import {
  approvingCard,
  createLink,
  startForTest,
  statusContent,
  validLink,
} from '../testing/sandbox-for-test.ts';
import { redactRequest, withoutStrayCardsInside } from './redaction.ts';
import { withoutCardNumbers, withoutStrayCards } from './stray-cards.ts';

/** It passes the check digit and is on no list: it could be anyone's. */
const groups = ['4539', '5787', '6362', '1486'];
const number = groups.join('');
const inDigits = (zero: number): string =>
  Array.from(number, (digit) => String.fromCodePoint(zero + Number(digit))).join('');

const spellings: Readonly<Record<string, string>> = {
  'without anything': number,
  'with commas': groups.join(','),
  'with dots and spaces': groups.join('. '),
  'with no-break spaces of HTML': groups.join('&nbsp;'),
  'with numbered spaces of HTML': groups.join('&#xa0;'),
  'with percent-encoded spaces': groups.join('%20'),
  'with percent-encoded spaces twice': groups.join('%2520'),
  'with percent-encoded no-break spaces': groups.join('%C2%A0'),
  'with zero-width spaces': groups.join('\u200B'),
  'with percent-encoded zero-width spaces': groups.join('%E2%80%8B'),
  'with no-break spaces': groups.join('\u00A0'),
  'with soft hyphens': groups.join('\u00AD'),
  'with bars': groups.join(' | '),
  'with plus signs': groups.join('+'),
  'with slashes': groups.join('/'),
  'in Arabic-Indic digits': inDigits(0x660),
  'in full-width digits': inDigits(0xff10),
  'in percent-encoded Arabic-Indic digits': encodeURIComponent(inDigits(0x660)),
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
  'behind a word': `card${number}`,
  'behind 30 letters': `${'a'.repeat(30)}${number}`,
  'behind another number': `17 ${number}`,
  'behind another number, with a zero-width space': `17\u200B${number}`,
};

/** What an address may not hold is escaped in it. */
const inAddress = (text: string): string => text.replaceAll(/[\s\\]/g, encodeURIComponent);

/** A text as someone reads it who looks for card numbers. */
function digitsOf(text: string): string {
  const plain = text
    .replaceAll(/(?:%(?:25)?[\da-f]{2})+/gi, (run) =>
      decodeURIComponent(run.replaceAll('%25', '%')),
    )
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x\w+;|&#(?:x20|160)|\\u\{20\}|\\xa0/g, ' ');
  const ascii = Array.from(plain, (one) => {
    const code = one.codePointAt(0) ?? 0;
    return code >= 0x660 && code <= 0x669 ? String(code - 0x660) : one.normalize('NFKC');
  });
  return ascii.join('').replaceAll(/\D/g, '');
}

test.each(Object.entries(spellings))('in a text that is shown it is masked: %s', (_how, text) => {
  const shown = withoutCardNumbers(`a ${text} b`);
  expect(shown).toContain('453957******1486');
  expect(digitsOf(shown)).not.toContain(number);
});

test.each([
  '411111******1111',
  '4111 11** **** 1111',
  '411111••••••1111',
  'session 56554791-4555-4260-8640-3964f70946e3',
  '14111 1111 1111 1111',
])('it stays as it is, since no card number is in it: %s', (text) => {
  expect(withoutStrayCards(text)).toBe(text);
});

test('an id whose words end in the digits of a card number is not changed', () => {
  // A session id that is a card number where the tails of its words are put together.
  const ids = ['56554791-4555-4260-8640-3964f70946e3', '9a36-4381-8014-1095fbf8'];
  const places = ['', 'https://shop.example/r/', 'https://shop.example/r?to=%2F'];
  for (const id of ids) {
    for (const place of places) expect(withoutStrayCardsInside(place + id)).toBe(place + id);
  }
});

test('a card number that the end of a stored field cuts shows no more of itself', () => {
  for (let before = 230; before < 256; before += 1) {
    const kept = redactRequest({ merchantOrderId: `${'x'.repeat(before)} ${number}` });
    expect(String(kept['merchantOrderId'])).not.toContain('4539578');
  }
});

describe('in the journal', () => {
  let data: string;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'sandbox-stray-card-'));
  });
  afterEach(() => rm(data, { recursive: true }));

  test.each(Object.entries(spellings))('no field stores a card number: %s', async (_how, text) => {
    const sandbox = await startForTest({ data });
    const { id } = await createLink(sandbox, {
      customerName: `Noura ${text}`,
      successUrl: `https://shop.example/thanks?card=${inAddress(text)}`,
      failureUrl: `https://shop.example/${inAddress(text)}/retry`,
    });
    await sandbox.control.next({
      outcome: 'approve',
      merchantOrderId: validLink.merchantOrderId,
    });
    const portal = await PortalForTest.logIn(sandbox);
    await portal.answerOf('POST', 'webhooks', {
      url: `http://127.0.0.1:9/hook?${encodeURI(text)}`,
    });
    const paid = await sandbox.control.pay(id, { card: { number: approvingCard } });
    expect(paid.decidedBy).toBe('next');
    await sandbox.close();
    const journal = await readFile(join(data, 'journal.jsonl'), 'utf8');
    for (const line of journal.split('\n')) {
      expect([line, digitsOf(line).includes(number)]).toEqual([line, false]);
    }
    expect(journal).toContain('453957******1486');
  });

  test('ids that are no card numbers are stored unchanged', async () => {
    const sandbox = await startForTest({ data });
    const ids = [
      '1768471234568',
      '20260115093000122',
      '2611221602391236',
      '4539578763621487',
      '550e8400-e29b-41d4-a716-446655440000',
      '1001~1',
      '٢٠٢٦٠١١٥٠٩٣٠٠٠١٢٣',
      'd41d8cd98f004539578763621486f8427e',
    ];
    expect(ids.slice(0, 3).every(passesLuhn)).toBe(true);
    for (const merchantOrderId of ids) {
      const successUrl = `https://shop.example/return/${merchantOrderId}?at=2026-11-22T16:02:39.123Z`;
      const { id } = await createLink(sandbox, { merchantOrderId, successUrl });
      await sandbox.control.pay(id, { card: { number: approvingCard } });
      const [row] = await statusContent(sandbox, id);
      expect(row?.['transactionStatus']).toBe('SUCCESS');
    }
    await sandbox.close();
    const journal = await readFile(join(data, 'journal.jsonl'), 'utf8');
    for (const id of ids) {
      expect(journal).toContain(JSON.stringify(id));
      expect(journal).toContain(`/return/${id}?at=`);
    }
  });
});
