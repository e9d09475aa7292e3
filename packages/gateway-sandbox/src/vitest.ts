import type { SandboxOptions } from './options.ts';
import { startSandbox } from './start-sandbox.ts';
import type { Sandbox } from './start-sandbox.ts';
import { openTestTenant } from './test-tenant.ts';
import type { TestTenant } from './test-tenant.ts';

export type { TestTenant } from './test-tenant.ts';

/** What a test can ask for. */
export interface SandboxFixtures {
  /** How the file's sandbox starts. */
  readonly sandboxOptions: SandboxOptions;
  /** The file's sandbox, on a free port. */
  readonly sandboxServer: Sandbox;
  /** A tenant of this test's own: addresses, keys and control. */
  readonly sandbox: TestTenant;
}

type Use<Value> = (value: Value) => Promise<void>;

/**
 * Fixtures for Vitest: one sandbox for each test file, and on it a tenant for each test. Nothing
 * starts before a test asks for it.
 *
 * @example
 * ```ts
 * import { test as base } from 'vitest';
 * import { sandboxFixtures } from '@pay-button/gateway-sandbox/vitest';
 * import type { SandboxFixtures } from '@pay-button/gateway-sandbox/vitest';
 *
 * const test = base.extend<SandboxFixtures>(sandboxFixtures());
 * ```
 */
export function sandboxFixtures(options: SandboxOptions = {}): {
  sandboxOptions: [SandboxOptions, { readonly scope: 'file' }];
  sandboxServer: [
    (fixtures: Pick<SandboxFixtures, 'sandboxOptions'>, use: Use<Sandbox>) => Promise<void>,
    { readonly scope: 'file' },
  ];
  sandbox: (
    fixtures: Pick<SandboxFixtures, 'sandboxServer'>,
    use: Use<TestTenant>,
  ) => Promise<void>;
} {
  return {
    sandboxOptions: [options, { scope: 'file' }],
    sandboxServer: [
      async ({ sandboxOptions }, use) => {
        const server = await startSandbox({ port: 0, ...sandboxOptions });
        await use(server);
        await server.close();
      },
      { scope: 'file' },
    ],
    sandbox: async ({ sandboxServer }, use) => {
      await use(await openTestTenant(sandboxServer));
    },
  };
}
