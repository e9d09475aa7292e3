import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

/** These two are elements of the browser; Vue would look for components with their names. */
const template = {
  compilerOptions: { isCustomElement: (tag) => tag === 'pay-button' || tag === 'pay-status' },
};

/** `/pay` is the shop's server: the Express example, on its own port. */
export default defineConfig({
  plugins: [vue({ template })],
  server: { proxy: { '/pay': 'http://127.0.0.1:3000' } },
});
