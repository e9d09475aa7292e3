import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStore } from '@pay-button/server-helper';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeAuthority,
  makeCertificate,
  type Certificate,
} from '../../packages/server-helper/test-support/certificates.ts';
import { serverAccount, startPostgres, type TestPostgres } from '../postgres.ts';

let folder: string;
let postgres: TestPostgres;
let admin: pg.Pool;

/** Writes a certificate and its key where the server reads them. */
function write(name: string, { key, cert }: Certificate): void {
  writeFileSync(join(folder, `${name}.pem`), cert);
  chmodSync(join(folder, `${name}.pem`), 0o644);
  const file = join(folder, `${name}.key`);
  writeFileSync(file, key, { mode: 0o600 });
  if (serverAccount !== undefined) chownSync(file, serverAccount, serverAccount);
}

/** Lets the server show another certificate from the next connection on. */
async function serve(name: string): Promise<void> {
  for (const [setting, value] of [
    ['ssl_cert_file', join(folder, `${name}.pem`)],
    ['ssl_key_file', join(folder, `${name}.key`)],
    ['ssl', 'on'],
  ]) {
    await admin.query(`ALTER SYSTEM SET ${setting} = '${value}'`);
  }
  const shown = async (): Promise<unknown> => {
    const { rows } = await admin.query("SELECT current_setting('ssl_cert_file') AS file");
    return (rows[0] as Record<string, unknown>)['file'];
  };
  await admin.query('SELECT pg_reload_conf()');
  await expect.poll(shown).toBe(join(folder, `${name}.pem`));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pay-tls-'));
  chmodSync(folder, 0o755); // The server's account reads the certificates.
  const authority = makeAuthority('an authority');
  write('authority', authority);
  write('good', makeCertificate('localhost', authority));
  write('elsewhere', makeCertificate('db.example', authority));
  write('impostor', makeCertificate('localhost', makeAuthority('another authority')));
  postgres = await startPostgres({});
  admin = new pg.Pool({ connectionString: postgres.url });
});
afterAll(async () => {
  await admin.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens our store over a pool with these settings. @returns the error's code, or `open`. */
async function open(query: string, ssl?: pg.PoolConfig['ssl']): Promise<string> {
  const url = new URL(postgres.url);
  url.hostname = 'localhost';
  url.search = query;
  const pool = new pg.Pool({ connectionString: url.href, ...(ssl === undefined ? {} : { ssl }) });
  const store = postgresStore({ pool });
  try {
    await store.open('staging/tls');
    const { rows } = await pool.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    return (rows[0] as { ssl: boolean }).ssl ? 'open' : 'open, and not encrypted';
  } catch (error) {
    const { code } = ((error as Error).cause ?? error) as { readonly code?: unknown };
    return String(code);
  } finally {
    await pool.end();
  }
}

const verifyFull = 'sslmode=verify-full&sslrootcert=FOLDER/authority.pem';
const unverified = { rejectUnauthorized: false };
const stranger = /^UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/;

it.each([
  ['a known authority for this host', 'good', verifyFull, undefined, /^open$/],
  ['a known authority for another host', 'elsewhere', verifyFull, undefined, /CERT_ALTNAME/],
  ['an unknown authority', 'impostor', verifyFull, undefined, stranger],
  ['an unknown authority', 'impostor', 'sslmode=verify-full', undefined, stranger],
  // No other setting protects, and none beside it takes the protection away.
  ['an unknown authority', 'impostor', 'sslmode=no-verify', undefined, /^open$/],
  ['an unknown authority', 'impostor', '', unverified, /^open$/],
  ['an unknown authority', 'impostor', '', undefined, /^open, and not encrypted$/],
  ['an unknown authority', 'impostor', verifyFull, unverified, /^(?!open)/],
])(
  'a PostgreSQL with a certificate of %s (%s) is, with "%s" and %j, %s',
  async (_what, certificate, query, ssl, outcome) => {
    await serve(certificate);
    expect(await open(query.replace('FOLDER', folder), ssl)).toMatch(outcome);
  },
);
