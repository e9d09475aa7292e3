import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { root } from '../process.ts';

/** Where `npm run tool -- docs:build` writes the site. */
export const siteFolder = join(root, 'site/dist');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Serves the built site on this machine as a host of static files does: compressed and cached. */
export async function serveSite(): Promise<{
  readonly url: string;
  readonly close: () => void;
}> {
  const server = createServer(({ url = '/' }, response) => {
    answer(url, response).catch(() => response.writeHead(404).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
}

async function answer(url: string, response: ServerResponse): Promise<void> {
  const asked = normalize(new URL(url, 'http://site').pathname).replace(/\/$/, '/index');
  const path = extname(asked) === '' ? `${asked}.html` : asked;
  const type = types[extname(path)] ?? 'application/octet-stream';
  const file = await readFile(join(siteFolder, path));
  const headers = {
    'content-type': type,
    'cache-control': path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-cache',
  };
  if (type === 'image/png') response.writeHead(200, headers).end(file);
  else {
    const packed = await promisify(gzip)(file);
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' }).end(packed);
  }
}
