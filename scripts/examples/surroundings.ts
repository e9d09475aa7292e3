import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { startPostgres } from '../postgres.ts';
import type { StepResult } from '../process/report-step.ts';
import { freePort } from '../process/free-port.ts';
import { startProgram } from './processes.ts';

/** The settings of a shop under trial. */
export type Environment = Readonly<Record<string, string>>;

/** Starts the installed sandbox, and gives the settings with which a shop reaches it. */
export async function withSandbox(
  folder: string,
  work: (env: Environment) => Promise<StepResult>,
): Promise<StepResult> {
  const program = join(folder, 'node_modules/@pay-button/gateway-sandbox/dist/cli.js');
  const sandbox = await startProgram([program, '--port', '0'], { cwd: folder });
  try {
    const known = JSON.parse(sandbox.ready) as Record<'url' | 'baseUrl' | 'apiKey', string>;
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    const file = join(mkdtempSync(join(folder, 'data-')), 'payments.db');
    return await work({
      GATEWAY_ENVIRONMENT: 'staging',
      GATEWAY_BASE_URL: known.baseUrl,
      GATEWAY_API_KEY: known.apiKey,
      HOSTED_PAGE_ORIGIN: known.url,
      HOST: '127.0.0.1',
      PORT: port,
      PUBLIC_URL: url,
      // SvelteKit's own name for it.
      ORIGIN: url,
      PAY_TOKEN_SECRET: randomUUID(),
      DATABASE_URL: `sqlite:${file}`,
    });
  } finally {
    await sandbox.stop();
  }
}

/** A schema of its own in a real PostgreSQL. */
export async function withSchema(work: (url: string) => Promise<StepResult>): Promise<StepResult> {
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
