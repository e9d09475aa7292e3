import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StepResult } from '../steps.ts';
import { root, run } from '../process.ts';
import { houseFiles } from '../tidy/house-files.ts';
import { readDocument } from './markdown.ts';

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
export async function checkCodeBlocks(top: string): Promise<StepResult> {
  const cache = join(root, 'node_modules/.cache/pay-button');
  mkdirSync(cache, { recursive: true });
  // Below node_modules, so that the packages are found as they are in a merchant's project.
  const folder = mkdtempSync(join(cache, 'code-blocks-'));
  try {
    const places = writeBlocks(top, folder);
    if (places.size === 0) return { ok: true, remark: 'no complete code block' };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
    const parameters = ['-p', folder, '--pretty', 'false'];
    const ended = await run('tsc', parameters, { output: 'capture', cwd: folder });
    if (ended.code === 0) return { ok: true, remark: `${places.size} code blocks` };
    return { ok: false, details: inDocuments(ended.output, places) };
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

interface Place {
  readonly path: string;
  readonly line: number;
}

function writeBlocks(top: string, folder: string): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const write = (path: string, line: number, code: string): void => {
    const name = `block-${places.size}.ts`;
    places.set(name, { path, line });
    writeFileSync(join(folder, name), `${code}export {};\n`);
  };
  for (const { path, text } of houseFiles(top)) {
    if (clientMethods.test(path)) {
      for (const { line, code } of examplesIn(text)) write(path, line - 1, clientPrelude + code);
    }
    if (!path.endsWith('.md')) continue;
    for (const { info, line, code } of readDocument(text).blocks) {
      if (complete.test(info)) write(path, line, code);
    }
  }
  return places;
}

/** The examples of the doc comments of methods, which are indented; each is the last part of its comment. */
function examplesIn(text: string): readonly { readonly line: number; readonly code: string }[] {
  return [...text.matchAll(/(?<=@example\n)(?: {3}\* .*\n)+/g)].map(({ 0: example, index }) => ({
    line: text.slice(0, index).split('\n').length,
    code: example.replaceAll(/^ {3}\* /gm, ''),
  }));
}

/** Turns `block-3.ts(2,5): error …` into the place in the document. */
function inDocuments(output: string, places: ReadonlyMap<string, Place>): string {
  return output.replaceAll(/^(?:.*\/)?(block-\d+\.ts)\((\d+),\d+\)/gm, (whole, name, line) => {
    const place = places.get(name);
    return place === undefined ? whole : `${place.path}:${place.line + Number(line) - 1}`;
  });
}
