import assert from 'node:assert/strict';
import { join } from 'node:path';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';
import { payAsShopper } from './pay-as-shopper.ts';
import { startProgram } from './processes.ts';
import { type Environment, withSandbox, withSchema } from './surroundings.ts';

/** A real payment through the Express example, to its page of thanks. */
export function tryServer(folder: string): Promise<StepResult> {
  return withSandbox(folder, (env) => payThroughServer(folder, 'express', env));
}

/** The same through the example whose orders are in PostgreSQL. */
export function tryServerWithPostgres(folder: string): Promise<StepResult> {
  return withSandbox(folder, (env) =>
    withSchema((url) =>
      payThroughServer(folder, 'express-postgres', { ...env, DATABASE_URL: url }),
    ),
  );
}

async function payThroughServer(
  folder: string,
  name: string,
  env: Environment,
): Promise<StepResult> {
  const cwd = join(folder, 'examples', name);
  const shop = await startProgram(['--env-file=../sandbox.env', 'server.ts'], { cwd, env });
  try {
    const thanks = await payAsShopper(shop.ready);
    assert.match(thanks, /\/thanks\/1001$/);
    const [, src = ''] = /<pay-status src="([^"]+)"/.exec(await (await fetch(thanks)).text()) ?? [];
    const status = (await (await fetch(new URL(src, shop.ready))).json()) as { state: string };
    assert.equal(status.state, 'paid');
    return { ok: true, remark: 'one payment' };
  } finally {
    await shop.stop();
  }
}

/** Next.js reports no use of this machine. */
const silence = { NEXT_TELEMETRY_DISABLED: '1' };

/** The Next.js example: built without any setting, as CI does, and a real payment through it. */
export async function tryNext(folder: string): Promise<StepResult> {
  const next = join(folder, 'node_modules/next/dist/bin/next');
  const cwd = join(folder, 'examples/nextjs');
  const built = endedResult(
    await runNode([next, 'build'], { cwd, output: 'capture', env: silence }),
  );
  if (!built.ok) return built;
  return withSandbox(folder, (env) =>
    withSchema((url) => payThroughNext(next, cwd, { ...env, ...silence, DATABASE_URL: url })),
  );
}

async function payThroughNext(next: string, cwd: string, env: Environment): Promise<StepResult> {
  const { PUBLIC_URL: shop = '', PORT: port = '' } = env;
  const parameters = [next, 'start', '--hostname', '127.0.0.1', '--port', port];
  const started = await startProgram(parameters, { cwd, env, sign: 'Ready in ' });
  try {
    const thanks = await payAsShopper(shop);
    assert.match(thanks, /\/thanks\?order=1001$/);
    assert.match(await (await fetch(thanks)).text(), /Thank you\./);
    return { ok: true, remark: 'one payment' };
  } finally {
    await started.stop();
  }
}
