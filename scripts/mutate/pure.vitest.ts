import { defineConfig } from 'vitest/config';

const source = { conditions: ['@pay-button/source', 'module', 'node', 'default'] };

/**
 * The tests of the pure parts alone, so that a mutant costs a second. The flows' tests and the
 * simulation find more; here each decision must be held by a test of its own.
 */
export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: [
      'packages/server-helper/src/payments/**/*.test.ts',
      'packages/gateway-sandbox/src/domain/**/*.test.ts',
    ],
    isolate: false,
    testTimeout: 120_000,
  },
});
