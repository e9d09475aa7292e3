import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readDocument } from './check/documents.ts';
import { root } from './process.ts';

/** The pages that a document or a file shows: its blocks of code, or the file. */
function codeOf(file: string): readonly string[] {
  const text = readFileSync(join(root, file), 'utf8');
  return file.endsWith('.md') ? readDocument(text).blocks.map(({ code }) => code) : [text];
}

/** Files from which a merchant copies a page. */
const shown = globSync(
  [
    'README.md',
    'docs/**/*.md',
    'site/*.md',
    'demo/README.md',
    'examples/**/*.{astro,html,md,svelte,ts,tsx,vue}',
    'packages/*/README.md',
    'packages/server-helper/starter/*.ts',
  ],
  { cwd: root, exclude: (path) => /node_modules|decisions/.test(path) },
).toSorted();

/** What a page says too early, or not at all, in a browser whose scripts come late or never. */
function faultsOf(code: string): readonly string[] {
  const unslotted = code
    .replaceAll('=>', '')
    .replaceAll(/<([\w-]+)\s[^>]*\bslot="[^"]*"[^>]*>[\s\S]*?<\/\1>/g, '');
  const element = /<pay-status\s(?:[^>]*\/>|[^>]*>(?<line>[\s\S]*?)<\/pay-status>)/g;
  const elements = [...unslotted.matchAll(element)];
  const faults = {
    'is blank': elements.some(({ groups }) => !groups?.['line']?.trim()),
    'offers no other look':
      elements.length > 0 && !/We are checking your payment[\s\S]*Check again/.test(code),
    'shows its slots': /\sslot="paid"/.test(code) && !code.includes('reserve.css'),
    'thanks everybody': /thank you|packing|شكر/i.test(unslotted) && !unslotted.includes('isPaid'),
    'asks again for money that it has': /\bstate === 'paid'/.test(code),
  };
  return Object.keys(faults).filter((fault) => faults[fault as keyof typeof faults]);
}

describe('before a script runs', () => {
  const pages = shown.flatMap((file) => codeOf(file).map((code) => ({ file, code })));

  it('no page that is shown is blank, or thanks before the server does', () => {
    expect(pages.filter(({ code }) => code.includes('<pay-status ')).length).toBeGreaterThan(7);
    const faults = pages.map(({ file, code }) => ({ file, faults: faultsOf(code) }));
    expect(faults.filter((one) => one.faults.length > 0)).toEqual([]);
  });

  const blank = ['is blank', 'offers no other look'];
  const slotted = '<pay-status src="/s"><p slot="paid">Thank you</p></pay-status>';
  it.each([
    ['<pay-status src="/s"></pay-status>', blank],
    ['<pay-status src={src} />', blank],
    [slotted, [...blank, 'shows its slots']],
    ["response.send('Thank you')", ['thanks everybody']],
    ["payment?.state === 'paid' ? '' : payButton", ['asks again for money that it has']],
  ])('%s is found', (code, faults) => expect(faultsOf(code)).toEqual(faults));
});
