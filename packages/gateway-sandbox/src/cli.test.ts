import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { createControlClient } from './control/client.ts';

const entry = fileURLToPath(new URL('cli.ts', import.meta.url));
const children = new Set<ChildProcess>();

afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children.clear();
});

test('it prints one line with addresses and keys, and ends cleanly on SIGTERM', async () => {
  const { child, ready } = await startCli(['--port', '0', '--seed', 'cli']);
  expect(Object.keys(ready).join(' ')).toBe(
    'url inspector baseUrl apiKey productionBaseUrl productionApiKey',
  );
  await createControlClient(ready['url'] ?? '').ready();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('--help explains every option', async () => {
  const { code, output } = await runCli(['--help']);
  expect(code).toBe(0);
  const flags = 'port host public-url seed merchant data policy profile i-know json version help';
  for (const flag of flags.split(' ')) expect(output).toContain(`--${flag}`);
});

test.each([
  [['--prot', '1'], 2, 'Try --help.'],
  [['--port', 'many'], 2, 'Option port must be a whole number'],
])('%j ends with a message and exit code %i', async (parameters, code, message) => {
  const result = await runCli(parameters);
  expect(result.code).toBe(code);
  expect(result.errors).toContain(message);
  expect(result.errors).not.toContain('    at ');
});

test('--version and --json answer for programs', async () => {
  const { output } = await runCli(['--version']);
  expect(output).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  const child = spawnCli(['--port', '0', '--host', '0.0.0.0', '--json']);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(JSON.parse(line)).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    controlToken: expect.stringMatching(/^\S{32}$/),
  });
});

test('NODE_ENV=production is refused, with the option that lets it start', async () => {
  const production = await runCli(['--port', '0'], { NODE_ENV: 'production' });
  expect(production).toMatchObject({ code: 1, errors: expect.stringContaining('--i-know') });
});

async function startCli(
  parameters: string[],
): Promise<{ child: ChildProcess; ready: Record<string, string> }> {
  const child = spawnCli(parameters);
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  expect(line).toMatch(/^ready \{/);
  return { child, ready: JSON.parse(line.slice('ready '.length)) as Record<string, string> };
}

async function runCli(
  parameters: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; output: string; errors: string }> {
  const child = spawnCli(parameters, environment);
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => (output += String(text)));
  child.stderr.on('data', (text) => (errors += String(text)));
  const [code] = (await once(child, 'close')) as [number];
  return { code, output, errors };
}

function spawnCli(parameters: string[], environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, [entry, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'test', ...environment },
  });
  children.add(child);
  return child;
}
