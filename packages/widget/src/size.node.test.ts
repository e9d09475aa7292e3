import { brotliCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { bundleStandalone, type StandaloneName } from '../build/standalone.ts';

/** Most bytes a file may have when compressed: the budget of the design, never to be raised. */
const limits: readonly (readonly [StandaloneName, number])[] = [
  ['pay-button', 9_000],
  ['pay-status', 7_750],
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
