/**
 * `npm run mutate -- <part>`: changes the sources of a part in every small way that Stryker knows,
 * and asks its tests to notice. It takes a while, so no check runs it; the report says what survived.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { localBinary } from './process/local-binary.ts';
import { root } from './process/root.ts';
import { runNode } from './process/run.ts';

const longestRunMs = 4 * 60 * 60_000;

const [part = '', ...files] = process.argv.slice(2);
const settings = join(root, 'scripts', 'mutate', `${part}.json`);
if (part === '' || !existsSync(settings)) {
  console.error(
    'npm run mutate -- payments                 mutates what decides about money\n' +
      'npm run mutate -- sandbox-domain           mutates the sandbox’s core\n' +
      'npm run mutate -- sandbox-domain <file>…   only these files, by their paths in the repository',
  );
  process.exitCode = 2;
} else {
  const stryker = localBinary('@stryker-mutator/core', 'stryker');
  const only = files.length === 0 ? [] : ['--mutate', files.join(',')];
  const { code } = await runNode([stryker, 'run', settings, ...only], {
    output: 'inherit',
    timeoutMs: longestRunMs,
  });
  process.exitCode = code;
}
