import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SettingError } from './setting-error.ts';

/**
 * The secret that signs return addresses, made once per data folder and readable by its owner only.
 * It outlives a restart, so a shopper who is at the gateway meanwhile still finds the way back.
 *
 * @throws {@link SettingError} when the kept file is not a secret any more.
 */
export function keptTokenSecret(dataFolder: string): string {
  const file = join(dataFolder, 'token-secret');
  mkdirSync(dataFolder, { recursive: true });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, randomBytes(32).toString('base64url'), { mode: 0o600 });
  try {
    // A link appears whole or not at all, and never replaces what another process made first.
    linkSync(draft, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(draft);
  }
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length >= 32) return secret;
  throw new SettingError(
    `${file} holds no token secret: it was cut or emptied. Remove the file to get a new one; payment links that are open now then lead to a 404.`,
  );
}
