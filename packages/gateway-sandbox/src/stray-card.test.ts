import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { passesLuhn } from './domain/cards.ts';
import { withoutCardNumbers } from './domain/stray-cards.ts';
import { keepable } from './redaction.ts';
import { PortalForTest } from './testing/portal-for-test.ts';
import {
  approvingCard,
  createLink,
  startForTest,
  statusContent,
  stopForTest,
} from './testing/sandbox-for-test.ts';

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
  'behind a word': `card${number}`,
  'behind another number': `17 ${number}`,
};

/** A text as someone reads it who looks for card numbers. */
function digitsOf(text: string): string {
  const plain = text
    .replaceAll(/(?:%(?:25)?[\da-f]{2})+/gi, (run) =>
      decodeURIComponent(run.replaceAll('%25', '%')),
    )
    .replaceAll(/&#(\d+);/g, (_all, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll(/&#x\w+;/g, ' ');
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

test('a card number that the end of a kept field runs through shows no more of itself', () => {
  for (let before = 230; before < 256; before += 1) {
    const kept = keepable({ merchantOrderId: `${'x'.repeat(before)} ${number}` });
    expect(String(kept['merchantOrderId'])).not.toContain('4539578');
  }
});

describe('in the journal', () => {
  let data: string;
  beforeEach(async () => {
    data = await mkdtemp(join(tmpdir(), 'sandbox-stray-card-'));
  });
  afterEach(() => rm(data, { recursive: true }));

  test.each(Object.entries(spellings))('no field keeps a card number: %s', async (_how, text) => {
    const sandbox = await startForTest({ data });
    const { id } = await createLink(sandbox, {
      merchantOrderId: `order ${text}`,
      customerName: `Noura ${text}`,
      successUrl: `https://shop.example/thanks?card=${text.replaceAll(/\s/g, '_')}`,
      failureUrl: `https://shop.example/${text.replaceAll(/\s/g, '_')}/retry`,
    });
    await sandbox.control.next({ outcome: 'approve', merchantOrderId: `order ${text}` });
    const portal = await PortalForTest.logIn(sandbox);
    await portal.tell('POST', 'webhooks', { url: `http://127.0.0.1:9/hook?${encodeURI(text)}` });
    const paid = await sandbox.control.pay(id, { card: { number: approvingCard } });
    expect(paid.decidedBy).toBe('next');
    await stopForTest(sandbox);
    const journal = await readFile(join(data, 'journal.jsonl'), 'utf8');
    for (const line of journal.split('\n')) {
      expect([line, digitsOf(line).includes(number)]).toEqual([line, false]);
    }
    expect(journal).toContain('453957******1486');
  });

  test('ids that are no card numbers are kept as they are', async () => {
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
    await stopForTest(sandbox);
    const journal = await readFile(join(data, 'journal.jsonl'), 'utf8');
    for (const id of ids) {
      expect(journal).toContain(JSON.stringify(id));
      expect(journal).toContain(`/return/${id}?at=`);
    }
  });
});
