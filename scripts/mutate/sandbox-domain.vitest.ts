import { defineConfig } from 'vitest/config';

const source = { conditions: ['@pay-button/source', 'module', 'node', 'default'] };
const domain = 'packages/gateway-sandbox/src/domain';

/** The tests of the core. */
export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: [`${domain}/**/*.test.ts`],
    testTimeout: 120_000,
  },
});
