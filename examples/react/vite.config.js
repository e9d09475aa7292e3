import { defineConfig } from 'vite';

/** `/pay` is the shop's server: the Express example, on its own port. */
export default defineConfig({ server: { proxy: { '/pay': 'http://127.0.0.1:3000' } } });
