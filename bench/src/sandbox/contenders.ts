import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../scripts/process/root.ts';
import { run } from '../../../scripts/process/run.ts';
import { fileOf, installPeer, type Peer } from '../peer.ts';
import { readReadyLine, type ServerKind } from './server.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const prismPeer: Peer = {
  name: 'Prism',
  folder: 'prism',
  file: '@stoplight/prism-cli/dist/index.js',
};

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
    parameters: [fileOf(prismPeer), 'mock', document, ...address],
    readLine: (line) =>
      line.includes('Prism is listening')
        ? { baseUrl: `http://127.0.0.1:${port}`, apiKey: 'any' }
        : null,
  };
}

/** Builds the sandbox, and installs the peer that only this measurement needs. */
export async function prepare(onProgress: (text: string) => void): Promise<void> {
  onProgress('building the sandbox');
  const { code } = await run('tsc', ['-b', 'packages/gateway-sandbox'], { output: 'inherit' });
  if (code !== 0) throw new Error(`The build ended with code ${code}.`);
  await installPeer(prismPeer, onProgress);
}
