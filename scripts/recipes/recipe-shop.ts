import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startSandbox } from '@pay-button/gateway-sandbox';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../../packages/server-helper/test-support/temporary-folder.ts';
import { payAsShopper, shopSettings } from '../examples/pay-as-shopper.ts';
import { root, startProgram } from '../process.ts';

const intruder = fileURLToPath(new URL('intruder.mjs', import.meta.url));
const shopFile = join(root, 'examples/express/server.ts');

/** The start and the payment take seconds; a busy machine may take minutes. */
export const LIMIT_MS = 300_000;

interface Seen {
  readonly thanks: string;
  /** How far the intruder came, by crime. */
  readonly tried: Readonly<Record<string, string>>;
  readonly connections: ReadonlySet<string>;
}

/** A place for the Express example, its data and a sandbox, until the test has finished. */
export async function openRecipeShop() {
  const sandbox = await startSandbox({ port: 0 });
  onTestFinished(() => sandbox.close());
  const folder = temporaryFolder();
  const [data, target] = [join(folder, 'data'), join(folder, 'other')];
  for (const one of [data, target]) mkdirSync(one);
  writeFileSync(join(target, 'secret'), '');
  /** Starts the example with flags of Node behind a command, and pays an order. */
  const pay = async (flags: readonly string[], command: readonly string[] = []): Promise<Seen> => {
    const settings = await shopSettings(sandbox, `sqlite:${join(data, 'payments.db')}`);
    const env = { ...settings, TARGET: target };
    const usual = ['--conditions=@pay-button/source', `--import=${intruder}`, shopFile];
    const [program = '', ...parameters] = [...command, process.execPath, ...flags, ...usual];
    const shop = await startProgram(parameters, { cwd: folder, env, program, isBare: true });
    try {
      const thanks = await payAsShopper(env.PUBLIC_URL);
      const lines = shop.said().split('\n');
      const after = (sign: string): string[] =>
        lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(sign.length));
      const tried = JSON.parse(after('tried ')[0] ?? '{}') as Seen['tried'];
      return { thanks, tried, connections: new Set(after('connects ')) };
    } finally {
      await shop.stop();
    }
  };
  return { data, gatewayHost: new URL(sandbox.url).host, pay };
}
