import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('playwright.ts', import.meta.url));
const commandLine = createRequire(import.meta.url).resolve('@playwright/test/cli');

const tests = `
import { test as base, expect } from '@playwright/test';
import { sandboxFixtures } from '${source}';

const test = base.extend(sandboxFixtures);
test.use({ sandboxOptions: { policy: ['sameId'] } });

test('has a tenant', async ({ sandbox, sandboxServer }) => {
  const { policy, apiKey } = await sandbox.control.info();
  expect([policy, apiKey]).toEqual([['sameId'], sandbox.apiKey]);
  expect(sandbox.apiKey).not.toBe(sandboxServer.apiKey);
});

test('fails', async ({ sandbox }) => {
  await fetch(sandbox.baseUrl + '/payment/checkout/status?id=x', { headers: { 'x-api-key': sandbox.apiKey } });
  throw new Error('on purpose');
});
`;

test('Playwright runs tests with a tenant each, and a failed one keeps what the gateway saw', async () => {
  const folder = await mkdtemp(join(fileURLToPath(new URL('.', import.meta.url)), '.playwright-'));
  try {
    await writeFile(join(folder, 'shop.spec.ts'), tests);
    const config = `export default { reporter: 'json', outputDir: ${JSON.stringify(join(folder, 'out'))} };`;
    await writeFile(join(folder, 'playwright.config.ts'), config);
    const report = await run(join(folder, 'playwright.config.ts'));
    expect(report.stats).toMatchObject({ expected: 1, unexpected: 1 });
    const [, failed] = report.suites[0]?.specs ?? [];
    const [attachment] = failed?.tests[0]?.results[0]?.attachments ?? [];
    expect(attachment?.name).toBe('gateway-requests.har');
    const archive =
      attachment?.path === undefined
        ? atob(attachment?.body ?? '')
        : await readFile(attachment.path, 'utf8');
    expect(archive).toContain('/payment/checkout/status?id=x');
  } finally {
    await rm(folder, { recursive: true });
  }
}, 120_000);

interface Report {
  readonly stats: { readonly expected: number; readonly unexpected: number };
  readonly suites: readonly {
    readonly specs: readonly {
      readonly tests: readonly {
        readonly results: readonly {
          readonly attachments: readonly { name: string; body?: string; path?: string }[];
        }[];
      }[];
    }[];
  }[];
}

/** Runs Playwright; it exits with 1, because one test fails on purpose. */
function run(config: string): Promise<Report> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [commandLine, 'test', '-c', config], (_error, stdout, stderr) => {
      try {
        resolve(JSON.parse(stdout) as Report);
      } catch {
        reject(new Error(stdout + stderr));
      }
    });
  });
}
