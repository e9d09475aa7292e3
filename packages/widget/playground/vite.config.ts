import { defineConfig } from 'vite';
import { createManifest, elementsOf } from '../build/manifest.ts';
import { playgroundBackend } from './backend.ts';

/** `npm run tool -- playground`: serves the elements from their sources, with a shop of its own. */
export default defineConfig(async () => ({
  resolve: { conditions: ['module', 'browser'] },
  plugins: [playgroundBackend(elementsOf(await createManifest()))],
  server: { host: '127.0.0.1', fs: { allow: ['../../..'] } },
  optimizeDeps: { include: ['lit'] },
  cacheDir: '../../../node_modules/.cache/playground',
}));
