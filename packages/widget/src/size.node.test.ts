import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleStandalone, type StandaloneName } from '../build/standalone.ts';

/**
 * The largest size of each file in bytes of brotli. Raised once, by what was measured, for outlined
 * marks, pointer states, pixel floors, `message`, fieldsets, contrast and print (decision 0080).
 * The design's budget for `pay-button.js` is 10,000, and `npm run bench -- widget` judges it.
 */
const limits: readonly (readonly [StandaloneName, number])[] = [
  ['pay-button', 11_990],
  ['pay-status', 8_780],
];
/** The most that `pay-elements.js`, with both elements, may add to `pay-button.js`. */
const statusLimit = 2_816;

const sizeOf = (code: string) => brotliCompressSync(code).length;

describe('the self-contained files', () => {
  it.for(limits)('%s.js has at most %i bytes of brotli, and a notice', async ([name, limit]) => {
    const code = await bundleStandalone(name);
    expect(sizeOf(code)).toBeLessThanOrEqual(limit);
    expect(code).toContain('@license Lit');
    expect(code).not.toMatch(/\bimport[\s{("'`]/);
  });

  it(`the status adds at most ${statusLimit} bytes to the button`, async () => {
    const both = await bundleStandalone('pay-elements');
    const button = await bundleStandalone('pay-button');
    expect(sizeOf(both) - sizeOf(button)).toBeLessThanOrEqual(statusLimit);
  });
});
