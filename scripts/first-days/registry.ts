import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pack, root, runNpm } from '../process.ts';

/**
 * Packs our packages into `folder` and serves them as if they were published. Everything else is
 * redirected to the registry that npm is set up with, so that the documents' commands run unchanged.
 */
export async function startRegistry(folder: string) {
  const others = (await runNpm(['config', 'get', 'registry'])).trim().split('\n').at(-1);
  const served = new Map<string, Buffer | string>();
  const server = createServer(({ url = '' }, response) => {
    const body = served.get(decodeURIComponent(url));
    // npm asks again each time: these packages change, and their versions do not.
    if (body !== undefined) response.setHeader('cache-control', 'no-store').end(body);
    else response.writeHead(307, { location: new URL(`.${url}`, others).href }).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const directory of readdirSync(join(root, 'packages'))) {
    const { tarball } = await pack(join(root, 'packages', directory), folder);
    const bytes = readFileSync(tarball);
    const path = `/-/${basename(tarball)}`;
    const text = readFileSync(join(root, 'packages', directory, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as { readonly name: string; readonly version: string };
    const { name, version } = manifest;
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    const versions = { [version]: { ...manifest, dist: { tarball: address + path, integrity } } };
    served.set(path, bytes);
    served.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }));
  }
  return {
    url: `${address}/`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}
