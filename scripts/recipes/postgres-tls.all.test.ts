import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresStore } from '@pay-button/server-helper';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPostgres, type TestPostgres } from '../postgres.ts';
import { serverAccount } from '../postgres/cluster.ts';

let folder: string;
let postgres: TestPostgres;
let admin: pg.Pool;

const openssl = (...given: readonly string[]): unknown =>
  execFileSync('openssl', given, { cwd: folder, stdio: 'pipe' });

/** A certificate authority, or a certificate of one for a host; a key of its own each. */
function makeCertificate(name: string, subject: string, signedBy?: string): void {
  const key = ['req', '-newkey', 'rsa:2048', '-nodes', '-keyout', `${name}.key`];
  const plain = ['-subj', `/CN=${subject}`];
  if (signedBy === undefined) return void openssl(...key, ...plain, '-x509', '-out', `${name}.pem`);
  openssl(...key, ...plain, '-out', `${name}.csr`);
  writeFileSync(join(folder, 'names'), `subjectAltName=DNS:${subject}`);
  const authority = ['-CA', `${signedBy}.pem`, '-CAkey', `${signedBy}.key`, '-CAcreateserial'];
  const files = ['-in', `${name}.csr`, '-out', `${name}.pem`, '-extfile', 'names'];
  openssl('x509', '-req', ...files, ...authority);
  const file = join(folder, `${name}.key`);
  chmodSync(file, 0o600);
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
  makeCertificate('authority', 'an authority');
  makeCertificate('stranger', 'another authority');
  makeCertificate('good', 'localhost', 'authority');
  makeCertificate('elsewhere', 'db.example', 'authority');
  makeCertificate('impostor', 'localhost', 'stranger');
  postgres = await startPostgres({});
  admin = new pg.Pool({ connectionString: postgres.url });
});
afterAll(async () => {
  await admin.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens our store over a pool with these settings. @returns the error's code, or `open`. */
async function open(query: string, ssl?: pg.PoolConfig['ssl']): Promise<unknown> {
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
    return code;
  } finally {
    await pool.end();
  }
}

const verifyFull = (): string => `sslmode=verify-full&sslrootcert=${folder}/authority.pem`;

describe('PostgreSQL with sslmode=verify-full', () => {
  it('is reached where the certificate is of a known authority, for this host', async () => {
    await serve('good');
    expect(await open(verifyFull())).toBe('open');
  });

  it('is not reached where the certificate is for another host', async () => {
    await serve('elsewhere');
    expect(await open(verifyFull())).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('is not reached where another authority signed', async () => {
    await serve('impostor');
    const code = await open(verifyFull());
    expect(code).toMatch(/UNABLE_TO_VERIFY_LEAF_SIGNATURE|UNABLE_TO_GET_ISSUER_CERT/);
    expect(await open('sslmode=verify-full')).toBe(code);
  });

  it('is the setting that protects: others reach an impostor', async () => {
    await serve('impostor');
    expect(await open('sslmode=no-verify')).toBe('open');
    expect(await open('', { rejectUnauthorized: false })).toBe('open');
    expect(await open('')).toBe('open, and not encrypted');
  });

  it('wins over a rejectUnauthorized beside it', async () => {
    await serve('impostor');
    expect(await open(verifyFull(), { rejectUnauthorized: false })).not.toBe('open');
  });
});
