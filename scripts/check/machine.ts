import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { judgeFindings } from '../steps.ts';
import { root } from '../process.ts';
import { houseFiles } from '../tidy/house-files.ts';

/** The files that may ask, each with its reason. */
const exceptions = new Set([
  // npm has no Chromium for every system: the browser part takes the machine's, or installs Debian's.
  'scripts/find-chromium.ts',
  'scripts/debian-programs.ts',
  // The cases of this check are texts of tests that ask.
  'scripts/check/machine.test.ts',
]);

const isTest = (path: string): boolean => /(?<!\.debian)\.test\.ts$/.test(path);
/** What a merchant runs, and no test: it may well ask for the machine. */
const isShipped = (path: string): boolean =>
  /^(?:packages\/[\w-]+|demo)\/(?:src|bin|starter)\//.test(path) &&
  !/\.test\.ts$|\/testing\//.test(path);

/** A line of a comment, and the first line of a shell's script, which every system can run. */
const silent = /^\s*(?:\/\/|\/?\*).*|#!\/bin\/sh\b/gm;
/** A folder of the system, but not what follows a value in a template: that is the rest of a path. */
const place = /(?<![\w.~}/-])\/(?:usr|bin|sbin|etc|opt|lib|lib64|snap)\/|\bcommand -v\b/g;
/** `run` starts a program where a list of parameters, or options behind it, follow. */
const start =
  /(?<![\w.])(?:spawn|spawnSync|exec|execSync|execFile|execFileSync|run(?=\('[^']*',\s*(?:\[|[\w.]+,\s*\{)))\(\s*'([\w.-]+)(?=[ '])/g;
/** Every system has these, and npm's programs come with the lockfile. */
const brought = new Set(['node', 'npm', 'sh']);
const isBrought = (program: string): boolean =>
  brought.has(program) || existsSync(join(root, 'node_modules/.bin', program));
/** A name of a file, but not of what has types alone, or is loaded when a caller asks for it. */
const named = /(?<!import type [^;]*|import\()(['"`])([\w./-]+\.(?:ts|mts|js|mjs))\1/g;

/**
 * Checks that no test of `npm test` and `npm run test:all`, and nothing that such a test imports or
 * starts, asks what the machine has: no path of a system's folder, and no program that neither
 * Node nor the lockfile brings. A green run would otherwise prove something about one machine only.
 *
 * An `import()` is not followed: it loads what a caller asked for by its name, such as a torture of
 * a pooler.
 */
export async function checkMachine(top: string): Promise<string> {
  const tests = houseFiles(top).filter(({ path }) => isTest(path));
  const reachedFrom = new Map(tests.map(({ path }) => [path, path]));
  const findings: string[] = [];
  // The loop goes on with the files that it adds.
  for (const [path, test] of reachedFrom) {
    const text = readFileSync(join(top, path), 'utf8').replaceAll(silent, '');
    const programs = [...text.matchAll(start)].filter(([, program = '']) => !isBrought(program));
    const asked = [...text.matchAll(place), ...programs];
    for (const { 0: what, 1: program = what, index } of exceptions.has(path) ? [] : asked) {
      const way = path === test ? '' : `, and ${test} needs this file`;
      const advice = 'write a .debian.test.ts, or use what npm ci brings';
      const line = text.slice(0, index).split('\n').length;
      findings.push(`${path}:${line}  asks for "${program}"${way}: ${advice}`);
    }
    for (const [, , name = ''] of text.matchAll(named)) {
      for (const file of [join(dirname(path), name), join(name)]) {
        const isFollowed = !isShipped(file) && isFile(join(top, file));
        if (isFollowed && !reachedFrom.has(file)) reachedFrom.set(file, test);
      }
    }
  }
  return judgeFindings(findings, `${reachedFrom.size} files`);
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
