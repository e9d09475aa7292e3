import { defineConfig } from 'vitest/config';

const source = { conditions: ['@pay-button/source', 'module', 'node', 'default'] };
const domain = 'packages/gateway-sandbox/src/domain';

/** The core's tests without those that break the core themselves. */
export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: [`${domain}/**/*.test.ts`],
    exclude: [`${domain}/money/money-mutants.test.ts`],
    testTimeout: 120_000,
  },
});
