import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleStandalone, type StandaloneName } from '../build/standalone.ts';

/**
 * Most bytes a file may have when compressed; never raise them. The design's budgets are 9,000 for
 * the button, and for the status 2,500 on top of Lit, which alone weighs 5,100: shortened, far less.
 */
const limits: readonly (readonly [StandaloneName, number])[] = [
  ['pay-button', 9_000],
  ['pay-status', 6_000],
];

describe('the self-contained files', () => {
  it.for(limits)(
    '%s.js weighs at most %i bytes of brotli, and keeps its notice',
    async ([name, limit]) => {
      const code = await bundleStandalone(name);
      expect(brotliCompressSync(code).length).toBeLessThanOrEqual(limit);
      expect(code.includes('@license Lit')).toBe(true);
      expect(/\bimport[\s{("'`]/.test(code)).toBe(false);
    },
  );
});
