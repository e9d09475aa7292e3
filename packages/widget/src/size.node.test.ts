import { brotliCompressSync } from 'node:zlib';
import { expect, it, describe } from 'vitest';
import { bundleStandalone, type StandaloneName } from '../build/standalone.ts';
import { readFileSync } from 'node:fs';

/**
 * The largest size of each file in bytes of brotli. Decision 0080 says what `pay-button.js` has beyond
 * the design's 10,000, which `npm run bench -- widget` judges.
 */
const limits: readonly (readonly [StandaloneName, number])[] = [
  ['pay-button', 11_720],
  ['pay-status', 8_690],
  ['console-advice', 710],
];
/** The most that `pay-elements.js`, with both elements, may add to `pay-button.js`. */
const statusLimit = 2_816;

const sizeOf = (code: string) => brotliCompressSync(code).length;

it.for(limits)('%s.js has at most %i bytes of brotli, and a notice', async ([name, limit]) => {
  const code = await bundleStandalone(name);
  expect(sizeOf(code)).toBeLessThanOrEqual(limit);
  expect(code).toContain('@license Lit');
  const loads = name === 'console-advice' ? [] : ['import(`./console-advice.js`)'];
  expect(code.match(/\bimport[\s{("'`].*?\)/g) ?? []).toEqual(loads);
});

it(`the status adds at most ${statusLimit} bytes to the button`, async () => {
  const both = await bundleStandalone('pay-elements');
  const button = await bundleStandalone('pay-button');
  expect(sizeOf(both) - sizeOf(button)).toBeLessThanOrEqual(statusLimit);
});

describe('the package in Node, without a document', () => {
  it('has the version of its package.json in both elements', async () => {
    const { PayButton, PayStatus } = await import('./index.ts');
    const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
    expect(JSON.parse(manifest)).toMatchObject({ version: PayButton.version });
    expect(PayStatus.version).toBe(PayButton.version);
  });

  it('takes new labels there', async () => {
    const { registerLabels } = await import('./index.ts');
    registerLabels('fr', { pay: 'Payer' });
    const { buttonLabels } = await import('./labels.ts');
    expect(buttonLabels.find('fr').pay).toBe('Payer');
  });
});
