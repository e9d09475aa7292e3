import { fileURLToPath } from 'node:url';
import { afterEach, expect, test, vi } from 'vitest';
import type { SandboxOptions } from './options.ts';
import { startSandbox } from './start-sandbox.ts';
import { cards, folderForTest, startForTest, validLink } from './testing/sandbox-for-test.ts';
import type { SandboxForTest } from './testing/sandbox-for-test.ts';

const file = fileURLToPath(import.meta.url);

afterEach(() => vi.unstubAllEnvs());

test('the same seed and the same calls give byte-identical replies', async () => {
  const replies = async (seed: string): Promise<string> => {
    const { postLink, createLink, control, getStatus } = await startForTest({ seed });
    const { id } = await createLink();
    const { text: refused } = await postLink({ ...validLink, amount: -1 });
    const { transaction } = await control.pay(id, { card: { number: cards.poor } });
    return JSON.stringify([id, refused, transaction, (await getStatus(id)).text]);
  };
  expect(await replies('twins')).toBe(await replies('twins'));
  expect(await replies('other')).not.toBe(await replies('twins'));
});

test.each<[string, SandboxOptions, string]>([
  ['a port that is none', { port: 70_000 }, 'Option port must be'],
  ['a host that is none', { host: 'http://x' }, 'Option host must be'],
  ['a public URL with a path', { publicUrl: 'http://x/y' }, 'Option publicUrl must be'],
  ['a token that can be guessed', { controlToken: 'secret' }, 'Option controlToken must have'],
  ['an empty seed', { seed: '' }, 'Option seed must'],
  ['an empty folder name', { data: '' }, 'Option data must'],
  ['an unknown policy', { policy: ['strange'] }, 'Option policy may hold sameId'],
])('%s is refused at start', async (_what, options, message) => {
  await expect(startSandbox({ port: 0, ...options })).rejects.toMatchObject({
    code: 'invalid_option',
    message: expect.stringContaining(message),
  });
});

const production = ['production', 'Production', 'PRODUCTION '];
test.each(production)('with NODE_ENV=%s it starts only with leave', async (environment) => {
  vi.stubEnv('NODE_ENV', environment);
  await expect(startSandbox({ port: 0 })).rejects.toMatchObject({ code: 'production_refused' });
  const sandbox = await startForTest({ allowProduction: true });
  await sandbox.control.ready();
});

test('without a seed ids are fresh at every start; the keys are well known on loopback, and secret where others can reach it', async () => {
  const links = new Set<string>();
  const keys = async (host: string) => {
    const sandbox = await startForTest({ host, seed: undefined });
    const { apiKey, productionApiKey, portal, salePassword } = sandbox;
    links.add((await sandbox.createLink()).id);
    return [apiKey, productionApiKey, portal.password, salePassword];
  };
  const [wellKnown, again] = [await keys('127.0.0.1'), await keys('localhost')];
  expect(again).toEqual(wellKnown);
  const [wide, wideAgain] = [await keys('0.0.0.0'), await keys('0.0.0.0')];
  expect(new Set([...wellKnown, ...wide, ...wideAgain]).size).toBe(12);
  expect(links.size).toBe(4);
});

test('a journal with the well-known keys is refused where others can reach the sandbox', async () => {
  const data = await folderForTest();
  await (await startForTest({ seed: undefined, data })).close();
  await expect(startSandbox({ port: 0, host: '0.0.0.0', data })).rejects.toMatchObject({
    code: 'seed_mismatch',
    message: expect.stringContaining('its keys are well known'),
  });
});

test.each<[string, (busy: SandboxForTest) => SandboxOptions, string, string]>([
  ['a busy port', ({ port }) => ({ port }), 'port_busy', 'or choose another with --port.'],
  ['another address', () => ({ host: '192.0.2.1' }), 'host_unavailable', 'no address 192.0.2.1'],
  ['a file as folder', () => ({ data: file }), 'data_unwritable', `folder ${file} cannot be`],
])('%s is named, and what is wrong with it', async (_what, options, code, said) => {
  const started = startSandbox({ port: 0, ...options(await startForTest()) });
  await expect(started).rejects.toMatchObject({ code, message: expect.stringContaining(said) });
});
