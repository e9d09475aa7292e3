import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('corpora/', import.meta.url);

/** The texts that earlier searches found, one a file, as JSON, since a text may hold any character. */
export function readCorpus(target: string): readonly string[] {
  const folder = new URL(`${target}/`, root);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .toSorted()
    .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as string);
}

/** Keeps a text, and gives the file's name. */
export function keep(target: string, text: string): string {
  const folder = new URL(`${target}/`, root);
  mkdirSync(folder, { recursive: true });
  const name = createHash('sha256').update(JSON.stringify(text)).digest('hex').slice(0, 12);
  const file = new URL(`${name}.json`, folder);
  writeFileSync(file, `${JSON.stringify(text)}\n`);
  return fileURLToPath(file);
}
