import type { SandboxOptions } from './options.ts';
import { startSandbox } from './start-sandbox.ts';
import type { Sandbox } from './start-sandbox.ts';
import { openTestTenant } from './test-tenant.ts';
import type { TestTenant } from './test-tenant.ts';

export type { TestTenant } from './test-tenant.ts';

/** Fixtures of one test. */
export interface SandboxTestFixtures {
  /** A tenant of this test's own: addresses, keys and control. */
  readonly sandbox: TestTenant;
}

/** Fixtures that a worker's tests share. */
export interface SandboxWorkerFixtures {
  /** How the worker's sandbox starts; `use: { sandboxOptions: … }` in the configuration sets it. */
  readonly sandboxOptions: SandboxOptions;
  /** The worker's sandbox, on a free port. */
  readonly sandboxServer: Sandbox;
}

type Use<Value> = (value: Value) => Promise<void>;

/** What is asked of Playwright's `testInfo`. */
interface TestInfo {
  readonly status?: string | undefined;
  readonly expectedStatus: string;
  attach(name: string, options: { body: string; contentType: string }): Promise<void>;
}

/**
 * Fixtures for Playwright Test: one sandbox for each worker, and on it a tenant for each test. A
 * test that fails keeps what the gateway saw as an attachment, `gateway-requests.har`.
 *
 * @example
 * ```ts
 * import { test as base } from '@playwright/test';
 * import { sandboxFixtures } from '@pay-button/gateway-sandbox/playwright';
 * import type {
 *   SandboxTestFixtures,
 *   SandboxWorkerFixtures,
 * } from '@pay-button/gateway-sandbox/playwright';
 *
 * export const test = base.extend<SandboxTestFixtures, SandboxWorkerFixtures>(sandboxFixtures);
 * ```
 */
export const sandboxFixtures: {
  sandboxOptions: [SandboxOptions, { scope: 'worker'; option: true }];
  sandboxServer: [
    (fixtures: Pick<SandboxWorkerFixtures, 'sandboxOptions'>, use: Use<Sandbox>) => Promise<void>,
    { scope: 'worker' },
  ];
  sandbox: (
    fixtures: Pick<SandboxWorkerFixtures, 'sandboxServer'>,
    use: Use<TestTenant>,
    testInfo: TestInfo,
  ) => Promise<void>;
} = {
  sandboxOptions: [{}, { scope: 'worker', option: true }],
  sandboxServer: [
    async ({ sandboxOptions }, use) => {
      const server = await startSandbox({ port: 0, ...sandboxOptions });
      await use(server);
      await server.close();
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ sandboxServer }, use, testInfo) => {
    const tenant = await openTestTenant(sandboxServer);
    await use(tenant);
    if (testInfo.status === testInfo.expectedStatus) return;
    const body = JSON.stringify(await tenant.control.requestsArchive());
    await testInfo.attach('gateway-requests.har', { body, contentType: 'application/json' });
  },
};
