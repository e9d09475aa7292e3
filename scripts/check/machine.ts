import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseSync, Visitor } from 'vite';
import { foundResult, type StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { houseFiles } from '../tidy/house-files.ts';

/** The files that may ask, each with its reason. */
const exceptions = new Set([
  // npm has no Chromium for every system: the browser part takes the machine's, or installs Debian's.
  'scripts/find-chromium.ts',
  'scripts/install-packages.ts',
  // The PATH of PostgreSQL's own shell, where another account runs the server.
  'scripts/postgres/cluster.ts',
]);

/** Every system has these, and npm's programs come with the lockfile. */
const programs = new Set(['node', 'npm', 'sh']);
const starts = new Set([
  'spawn',
  'spawnSync',
  'exec',
  'execSync',
  'execFile',
  'execFileSync',
  'run',
]);
const place = /(?<![\w.~}/-])\/(?:usr|bin|sbin|etc|opt|lib|lib64|snap)\/|\bcommand -v\b/;
const shellLine = '#!/bin/sh';
const isTest = (path: string): boolean => /(?<!\.debian)\.test\.ts$/.test(path);
/** What a merchant runs, and no test: it may well ask for the machine. */
const isShipped = (path: string): boolean =>
  /^(?:packages\/[\w-]+|demo)\/(?:src|bin|starter)\//.test(path) &&
  !/\.test\.ts$|\/testing\//.test(path);

/** A file as this check sees it: the places that it asks for, and the files that it leads to. */
interface Reading {
  readonly asked: readonly { readonly start: number; readonly text: string }[];
  readonly files: readonly string[];
}

/**
 * Checks that no test of `npm test` and `npm run test:all`, and nothing that such a test imports or
 * starts, asks what the machine has: no path of a system's folder, and no program that neither
 * Node nor the lockfile brings. A green run would otherwise prove something about one machine only.
 *
 * An `import()` is not followed: it loads what a caller asked for by its name, such as a torture of
 * a pooler.
 */
export async function checkMachine(top: string): Promise<StepResult> {
  const tests = houseFiles(top).filter(({ path }) => isTest(path));
  const reachedFrom = new Map(tests.map(({ path }) => [path, path]));
  const findings: string[] = [];
  // The loop goes on with the files that it adds.
  for (const [path, test] of reachedFrom) {
    const text = readFileSync(join(top, path), 'utf8');
    const { asked, files } = read(top, path, text);
    for (const { start, text: what } of exceptions.has(path) ? [] : asked) {
      const way = path === test ? '' : `, and ${test} needs this file`;
      const advice = 'write a .debian.test.ts, or use what npm ci brings';
      findings.push(
        `${path}:${text.slice(0, start).split('\n').length}  asks for ${JSON.stringify(what)}${way}: ${advice}`,
      );
    }
    for (const file of files) if (!reachedFrom.has(file)) reachedFrom.set(file, test);
  }
  return foundResult(findings, `${reachedFrom.size} files`);
}

function read(top: string, path: string, text: string): Reading {
  const parsed = parseSync(path, text);
  if (parsed.errors[0] !== undefined) throw new Error(`${path}: ${parsed.errors[0].message}`);
  const asked: { start: number; text: string }[] = [];
  const files: string[] = [];
  const unfollowed = new Set<number>();
  const ask = (start: number, what: string): void => void asked.push({ start, text: what });
  const follow = (name: string): void => {
    for (const file of [join(dirname(path), name), join(name)]) {
      if (/\.(?:ts|mts|js|mjs)$/.test(file) && !isShipped(file) && isFile(join(top, file)))
        return void files.push(file);
    }
  };
  new Visitor({
    ImportDeclaration(declaration) {
      if (declaration.importKind === 'type') unfollowed.add(declaration.source.start);
    },
    ImportExpression({ source }) {
      unfollowed.add(source.start);
    },
    Literal({ value, start }) {
      if (typeof value !== 'string') return;
      if (place.test(value.replaceAll(shellLine, ''))) ask(start, value);
      if (!unfollowed.has(start)) follow(value);
    },
    TemplateElement({ value, start }) {
      // What follows a value in a template is the rest of a path.
      const isFirst = text[start] === '`' || text[start - 1] === '`';
      if (place.test(`${isFirst ? '' : '}'}${value.raw}`.replaceAll(shellLine, ''))) {
        ask(start, value.raw.trim());
      }
    },
    CallExpression({ callee, arguments: [first, second, third] }) {
      if (callee.type !== 'Identifier' || !starts.has(callee.name)) return;
      if (first?.type !== 'Literal' || typeof first.value !== 'string') return;
      // `run` starts a program where a list of parameters, or options behind it, follow.
      const isCall = second?.type === 'ArrayExpression' || third?.type === 'ObjectExpression';
      if (callee.name === 'run' && !isCall) return;
      const [program = ''] = first.value.split(' ');
      if (/^[\w.-]+$/.test(program) && !isBrought(program)) ask(first.start, program);
    },
  }).visit(parsed.program);
  return { asked, files };
}

const isBrought = (program: string): boolean =>
  programs.has(program) || existsSync(join(root, 'node_modules/.bin', program));

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;
