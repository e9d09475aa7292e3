import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { pack, root, runNpm } from '../process.ts';

/** A registry on this machine. */
export interface Registry {
  readonly url: string;
  readonly close: () => Promise<void>;
}

interface Publication {
  readonly name: string;
  readonly version: string;
  readonly manifest: object;
  readonly tarball: string;
}

/**
 * Packs our packages into `folder` and serves them as if they were published. Everything else is
 * redirected to the registry that npm is set up with, so that the documents' commands run unchanged.
 */
export async function startRegistry(folder: string): Promise<Registry> {
  const publications: Publication[] = [];
  for (const name of readdirSync(join(root, 'packages'))) {
    const { tarball } = await pack(join(root, 'packages', name), folder);
    const text = readFileSync(join(root, 'packages', name, 'package.json'), 'utf8');
    const manifest = JSON.parse(text) as { name: string; version: string };
    publications.push({ ...manifest, manifest, tarball });
  }
  const others = (await runNpm(['config', 'get', 'registry'])).trim().split('\n').at(-1);
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const asked = publications.find(({ name }) => name === path);
    const file = publications.find(({ tarball }) => path === `-/${basename(tarball)}`);
    if (asked !== undefined) {
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify(documentOf(asked, `http://${request.headers.host}`)));
    } else if (file !== undefined) {
      response.end(readFileSync(file.tarball));
    } else {
      response.writeHead(307, { location: new URL(`.${request.url}`, others).href }).end();
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What a registry tells npm of a package with one version. */
function documentOf({ name, version, manifest, tarball }: Publication, url: string): object {
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${url}/-/${basename(tarball)}`, integrity };
  return {
    name,
    'dist-tags': { latest: version },
    versions: { [version]: { ...manifest, dist } },
  };
}
