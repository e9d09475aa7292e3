import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';
import { createManifest, elementsOf } from '../build/manifest.ts';
import { playgroundBackend } from './backend.ts';

/** A running playground. */
export interface Playground {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the playground on loopback, from the sources, with a shop of its own.
 *
 * @param port - 0 takes a free one
 */
export async function startPlayground(port: number): Promise<Playground> {
  const elements = elementsOf(await createManifest());
  const server = await createServer({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'warn',
    resolve: { conditions: ['module', 'browser'] },
    plugins: [playgroundBackend(elements)],
    server: { host: '127.0.0.1', port, fs: { allow: ['../../..'] } },
    optimizeDeps: { include: ['lit'] },
    cacheDir: '../../../node_modules/.cache/playground',
  });
  await server.listen();
  const [url = ''] = server.resolvedUrls?.local ?? [];
  return { url, close: () => server.close() };
}
