import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../postgres.ts';
import type { StepResult } from '../process/report-step.ts';
import { freePort } from './free-port.ts';
import { payAsShopper } from './pay-as-shopper.ts';
import type { Ask } from './pay-as-shopper.ts';
import { startProgram } from './processes.ts';
import { checkTypes } from './try-page.ts';

type Environment = Readonly<Record<string, string>>;

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

/** The Next.js example: its types, and a real payment through its route handlers. */
export async function tryRouteHandlers(folder: string): Promise<StepResult> {
  const checked = await checkTypes(folder, 'nextjs');
  if (!checked.ok) return checked;
  return withSandbox(folder, (env) =>
    withSchema(async (url) => {
      Object.assign(process.env, env, { DATABASE_URL: url });
      const load = (file: string): Promise<unknown> =>
        import(pathToFileURL(join(folder, 'examples/nextjs', file)).href);
      const { GET, POST } = (await load('app/pay/[...path]/route.ts')) as Record<
        'GET' | 'POST',
        (request: Request) => Promise<Response>
      >;
      const { payments } = (await load('lib/payments.ts')) as {
        payments: { close: () => Promise<void> };
      };
      const ask: Ask = (address, init) =>
        (init?.method === 'POST' ? POST : GET)(new Request(address, init));
      const thanks = await payAsShopper(env['PUBLIC_URL'] ?? '', ask);
      await payments.close();
      assert.match(thanks, /\/thanks\?order=1001$/);
      return { ok: true, remark: 'one payment' };
    }),
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
    const thanks = await payAsShopper(shop.ready, fetch);
    assert.match(thanks, /\/thanks\/1001$/);
    const [, src = ''] = /<pay-status src="([^"]+)"/.exec(await (await fetch(thanks)).text()) ?? [];
    const status = (await (await fetch(new URL(src, shop.ready))).json()) as { state: string };
    assert.equal(status.state, 'paid');
    return { ok: true, remark: 'one payment' };
  } finally {
    await shop.stop();
  }
}

/** Starts the sandbox that was installed, and tells a shop how to reach it. */
async function withSandbox(
  folder: string,
  work: (env: Environment) => Promise<StepResult>,
): Promise<StepResult> {
  const program = join(folder, 'node_modules/@pay-button/gateway-sandbox/dist/cli.js');
  const sandbox = await startProgram([program, '--port', '0'], { cwd: folder });
  try {
    const known = JSON.parse(sandbox.ready) as Record<'url' | 'baseUrl' | 'apiKey', string>;
    const port = String(await freePort());
    return await work({
      GATEWAY_BASE_URL: known.baseUrl,
      GATEWAY_API_KEY: known.apiKey,
      HOSTED_PAGE_ORIGIN: known.url,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PAY_TOKEN_SECRET: randomUUID(),
    });
  } finally {
    await sandbox.stop();
  }
}

/** A schema of its own in a real PostgreSQL. */
async function withSchema(work: (url: string) => Promise<StepResult>): Promise<StepResult> {
  const server = await startPostgres();
  const pool = new pg.Pool({ connectionString: server.url });
  const schema = `example_${randomUUID().replaceAll('-', '')}`;
  try {
    await pool.query(`CREATE SCHEMA ${schema}`);
    const url = new URL(server.url);
    url.searchParams.set('options', `-c search_path=${schema}`);
    return await work(url.href);
  } finally {
    await pool.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    await pool.end();
    await server.stop();
  }
}
