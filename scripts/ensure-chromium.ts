import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ensureChromium } from './chromium/install.ts';
import { findChromium } from './find-chromium.ts';
import { run } from './process/run.ts';

const result = await ensureChromium({
  find: findChromium,
  has: onPath,
  isRoot: process.getuid?.() === 0,
  run: (file, parameters) => run(file, parameters, { output: 'inherit' }),
  say: console.log,
});
if (result.ok) {
  console.log(`Chromium: ${result.path}`);
} else {
  console.error(result.advice);
  process.exitCode = 1;
}

function onPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
