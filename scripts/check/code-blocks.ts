import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, Trouble } from '../process.ts';
import { houseFiles } from '../tidy/house-files.ts';
import { readDocument } from './documents.ts';

/** The first line of such a block is <code>```ts complete</code>; with `runs`, a test runs it too. */
const complete = /^(?:ts|typescript)\s+complete(?:\s+runs)?$/;

/** The examples in the doc comments of the gateway client's methods use a client that they do not make. */
const clientMethods = /^packages\/server-helper\/src\/gateway\/(?!.*\.test\.)/;
const clientPrelude =
  "import type { GatewayClient } from '@pay-button/server-helper'; declare const client: GatewayClient;\n";

/**
 * Compiles the code blocks that say they are complete programs, and the examples of the gateway
 * client's methods, against the packages' types with the repository's strict settings: what a reader
 * copies must work.
 */
export async function checkCodeBlocks(top: string): Promise<string> {
  const cache = join(root, 'node_modules/.cache/pay-button');
  mkdirSync(cache, { recursive: true });
  // Below node_modules, so that the packages are found as they are in a merchant's project.
  const folder = mkdtempSync(join(cache, 'code-blocks-'));
  try {
    const places = writeBlocks(top, folder);
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const ended = await run('tsc', ['-p', folder, '--pretty', 'false'], { cwd: folder });
    if (ended.code === 0) return `${places.size} code blocks`;
    // `block-3.ts(2,5): error …` becomes the place in the document.
    const block = /^(?:.*\/)?(block-\d+\.ts)\((\d+),\d+\)/gm;
    const inDocuments = ended.output.replaceAll(block, (_, name: string, line: string) => {
      const [path, first] = places.get(name) ?? [name, 1];
      return `${path}:${first + Number(line) - 1}`;
    });
    throw new Trouble(inDocuments);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const settings = {
  extends: join(root, 'tsconfig.base.json'),
  compilerOptions: {
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    composite: false,
    incremental: false,
    noEmit: true,
    skipLibCheck: true,
    noUnusedLocals: false,
  },
  include: ['*.ts'],
};

/** Writes each block as a file of its own. @returns where each is in a document: its path and line. */
function writeBlocks(top: string, folder: string): ReadonlyMap<string, readonly [string, number]> {
  const places = new Map<string, readonly [string, number]>();
  const write = (path: string, line: number, code: string): void => {
    const name = `block-${places.size}.ts`;
    places.set(name, [path, line]);
    writeFileSync(join(folder, name), `${code}export {};\n`);
  };
  for (const { path, text } of houseFiles(top)) {
    if (clientMethods.test(path)) {
      // They are indented, and each is the last part of its comment.
      for (const { 0: example, index } of text.matchAll(/(?<=@example\n)(?: {3}\* .*\n)+/g)) {
        const line = text.slice(0, index).split('\n').length;
        write(path, line - 1, clientPrelude + example.replaceAll(/^ {3}\* /gm, ''));
      }
    } else if (path.endsWith('.md')) {
      const blocks = readDocument(text).blocks.filter(({ info }) => complete.test(info));
      for (const { line, code } of blocks) write(path, line, code);
    }
  }
  return places;
}
