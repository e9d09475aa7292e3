import { cpSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../packages/server-helper/test-support/temporary-folder.ts';
import { root, startProgram, until } from './process.ts';

const packages = ['widget', 'server-helper', 'gateway-sandbox'];
const folders = ['demo/src', ...packages.map((name) => `packages/${name}/src`)];

it('`npm run dev` starts the shop again each time that another file takes a source’s place, and ends it', async () => {
  const top = temporaryFolder();
  for (const folder of ['scripts', ...folders]) mkdirSync(join(top, folder), { recursive: true });
  for (const file of ['package.json', 'scripts/setup.mjs'])
    cpSync(join(root, file), join(top, file));
  symlinkSync(join(root, 'node_modules'), join(top, 'node_modules'));
  // As many editors save, and git restores. Node's own --watch sees that once.
  const replaceAll = (text: string): void => {
    for (const folder of folders) {
      writeFileSync(join(top, 'new'), `console.log('${text}', process.pid);`);
      renameSync(join(top, 'new'), join(top, folder, 'source.ts'));
    }
  };
  replaceAll('old');
  const imports = folders.map((folder) => `import '../${folder}/source.ts';\n`);
  writeFileSync(join(top, 'scripts/start.ts'), `${imports.join('')}setInterval(() => {}, 1_000);`);

  const { scripts } = JSON.parse(readFileSync(join(top, 'package.json'), 'utf8'));
  const place = { cwd: top, program: 'sh', env: { DEBUG: 'nodemon' }, sign: /^old / };
  const { said, stop } = await startProgram(['-c', scripts.dev], place);
  onTestFinished(stop);
  await until('the watch begins', () => said().includes('watch is complete'));
  for (const text of ['first', 'second', 'third']) {
    replaceAll(text);
    await until(`a start with the ${text}`, () => said().split(`${text} `).length > folders.length);
  }
  await stop();
  expect(() => process.kill(Number(/[^]*^third (\d+)/m.exec(said())?.[1]), 0)).toThrow('ESRCH');
});
