import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../scripts/process/root.ts';
import { run, runNode } from '../../../scripts/process/run.ts';
import { localBinary } from '../../../scripts/process/local-binary.ts';
import { readReadyLine, type ServerKind } from './server.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const prismFolder = here('../../peers/prism');
const prismProgram = join(prismFolder, 'node_modules/@stoplight/prism-cli/dist/index.js');

/** The bare handler: what a server that does nothing costs. */
export const floor: ServerKind = {
  name: 'bare node:http (floor)',
  parameters: [here('answers.ts')],
  readLine: readReadyLine,
};

/** The sandbox as a merchant starts it: built, in memory. */
export const sandbox: ServerKind = {
  name: 'sandbox',
  parameters: [join(root, 'packages/gateway-sandbox/dist/cli.js'), '--port', '0', '--seed', 'demo'],
  readLine: readReadyLine,
};

/** A mock made of the same contract, which keeps nothing either. */
export function prism(port: number): ServerKind {
  const document = join(root, 'contract/gateway.openapi.yaml');
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  return {
    name: 'Prism mock',
    parameters: [prismProgram, 'mock', document, ...address],
    readLine: (line) =>
      line.includes('Prism is listening')
        ? { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'any' }
        : null,
  };
}

/** Builds the sandbox, and installs the peer that only this measurement needs. */
export async function prepare(onProgress: (text: string) => void): Promise<void> {
  onProgress('building the sandbox');
  const tsc = localBinary('typescript', 'tsc');
  await mustEnd(
    runNode([tsc, '-b', 'packages/gateway-sandbox'], { output: 'inherit' }),
    'The build',
  );
  if (existsSync(prismProgram)) return;
  onProgress('installing Prism, once');
  const parameters = [
    'install',
    '--no-package-lock',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
  ];
  await mustEnd(run('npm', parameters, { cwd: prismFolder, output: 'inherit' }), 'npm install');
}

async function mustEnd(ended: ReturnType<typeof run>, what: string): Promise<void> {
  const { code } = await ended;
  if (code !== 0) throw new Error(`${what} ended with code ${code}.`);
}
