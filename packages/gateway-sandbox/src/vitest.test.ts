import { expect, test as base } from 'vitest';
import { sandboxFixtures } from './vitest.ts';
import type { SandboxFixtures } from './vitest.ts';

const test = base.extend<SandboxFixtures>(sandboxFixtures({ policy: ['sameId'] }));
const seen = { tenants: new Set<string>(), ports: new Set<number>() };

test('a test has a tenant of its own', async ({ sandbox, sandboxServer }) => {
  note(sandbox.id, sandboxServer.port);
  await sandbox.control.freezeClock();
  const info = await sandbox.control.info();
  expect(info).toMatchObject({ apiKey: sandbox.apiKey, policy: ['sameId'] });
  expect(info.clock.state).toBe('frozen');
});

test('the next test meets nothing of it, on the same sandbox', async ({
  sandbox,
  sandboxServer,
}) => {
  note(sandbox.id, sandboxServer.port);
  expect((await sandbox.control.info()).clock.state).toBe('running');
  expect([seen.tenants.size, seen.ports.size]).toEqual([2, 1]);
});

function note(tenant: string, port: number): void {
  seen.tenants.add(tenant);
  seen.ports.add(port);
}
