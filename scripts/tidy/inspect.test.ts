import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { houseFiles } from './house-files.ts';
import { inspect } from './inspect.ts';

it('names file, line, rule and advice for each broken rule of a folder, and skips what is foreign', () => {
  const top = mkdtempSync(join(tmpdir(), 'pay-button-tidy-'));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  for (const folder of ['src', 'dist', 'node_modules']) mkdirSync(join(top, folder));
  writeFileSync(join(top, 'src/utils.ts'), '');
  writeFileSync(join(top, 'src/pay.test.ts'), "\nit('works', () => {});\n");
  writeFileSync(join(top, 'dist/utils.js'), '');
  writeFileSync(join(top, 'node_modules/utils.js'), '');
  expect(inspect(houseFiles(top))).toEqual([
    expect.stringMatching(/^src\/pay\.test\.ts:2 {2}test-names: /),
    expect.stringMatching(/^src\/utils\.ts:1 {2}file-name: /),
  ]);
});
