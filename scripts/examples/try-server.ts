import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { StepResult } from '../process/report-step.ts';
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
    const page = await fetch(shop.ready);
    assert.match(await page.text(), /<pay-button /);
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
