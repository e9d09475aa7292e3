/** `npm start`: builds what changed, then starts the demo shop in this process. */
import './build.ts';

const shop = new URL('../demo/dist/main.js', import.meta.url);
if (process.exitCode === 0) await import(shop.href);
