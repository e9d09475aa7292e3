import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { migrations as postgres } from './postgres/migrations.ts';
import { migrations as sqlite } from './sqlite/migrations.ts';

it.each([
  ['postgres', postgres],
  ['sqlite', sqlite],
])('the migrations in the code of %s are its .sql files', (folder, migrations) => {
  const cwd = fileURLToPath(new URL(folder, import.meta.url));
  const files = globSync('*.sql', { cwd }).toSorted();
  const texts = files.map((file) => `\n${readFileSync(`${cwd}/${file}`, 'utf8')}`);
  expect(migrations).toEqual(texts);
});
