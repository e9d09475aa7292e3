import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { root, runNode, startProgram } from '../../../scripts/process.ts';
import { createControlClient } from './control/client.ts';

const entry = fileURLToPath(new URL('cli.ts', import.meta.url));

const runCli = (parameters: readonly string[], NODE_ENV = 'test') =>
  runNode([entry, ...parameters], { output: 'capture', env: { NODE_ENV } });

test('it prints one line with addresses and keys, and ends cleanly on SIGTERM', async () => {
  const parameters = [entry, '--port', '0', '--seed', 'cli'];
  const { ready, end } = await startProgram(parameters, { cwd: root, sign: /ready \{/ });
  const told = JSON.parse(`{${ready}`) as Record<string, string>;
  const names = 'url inspector baseUrl apiKey productionBaseUrl productionApiKey portal';
  expect(Object.keys(told).join(' ')).toBe(names);
  await createControlClient(told['url'] ?? '').ready();
  await end('SIGTERM');
});

test('--help explains every option', async () => {
  const { code, output } = await runCli(['--help']);
  expect(code).toBe(0);
  const flags = 'port host public-url seed merchant data policy profile i-know json version help';
  for (const flag of flags.split(' ')) expect(output).toContain(`--${flag}`);
});

test.each([
  [['--prot', '1'], 'test', 2, 'Try --help.'],
  [['--port', 'many'], 'test', 2, 'Option port must be a whole number'],
  [['--port', '0'], 'production', 1, '--i-know'],
])('%j with NODE_ENV=%s ends with a message and exit code %i', async (parameters, env, ...end) => {
  const { code, output } = await runCli(parameters, env);
  expect([code, output]).toEqual([end[0], expect.stringContaining(end[1])]);
  expect(output).not.toContain('    at ');
});

test('--version and --json answer for programs', async () => {
  expect((await runCli(['--version'])).output).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
  const parameters = [entry, '--port', '0', '--host', '0.0.0.0', '--json'];
  const { said, stop } = await startProgram(parameters, { cwd: root, sign: /\{/ });
  onTestFinished(stop);
  expect(JSON.parse(said())).toMatchObject({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:/),
    controlToken: expect.stringMatching(/^\S{32}$/),
  });
});
