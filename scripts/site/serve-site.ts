import { join } from 'node:path';
import { preview } from 'vite';
import { root } from '../process.ts';

/** Where `npm run tool -- docs:build` writes the site. */
export const siteFolder = join(root, 'site/dist');

/** Serves the built site on this machine as a host of static files does: compressed, without a fallback. */
export async function serveSite() {
  const server = await preview({
    configFile: false,
    logLevel: 'silent',
    appType: 'mpa',
    build: { outDir: siteFolder },
    preview: { host: '127.0.0.1', port: 0 },
  });
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return { url: url.replace(/\/$/, ''), close: () => server.close() };
}
