import { defineConfig } from 'vitest/config';

const source = { conditions: ['@pay-button/source', 'module', 'node', 'default'] };
const helper = 'packages/server-helper/src';

/**
 * The tests of what decides about money: they need neither a server nor a database, so that a
 * mutant costs seconds. Each runs once, on the store in memory.
 */
export default defineConfig({
  resolve: source,
  ssr: { resolve: source },
  test: {
    include: [
      `${helper}/payments/**/*.test.ts`,
      `${helper}/flows/{authorization,operators,refund-refusals,sale}.test.ts`,
    ],
    isolate: false,
    testTimeout: 120_000,
    coverage: {
      provider: 'v8',
      include: [`${helper}/payments/{judge,transition}.ts`],
      reporter: ['text'],
      reportOnFailure: true,
      thresholds: { branches: 100, functions: 100, lines: 100, statements: 100 },
    },
  },
});
