/** `npm run playground`: prints where it is, and serves until it is stopped. */
import { startPlayground } from './server.ts';

const { url } = await startPlayground(Number(process.env['PORT'] ?? 0));
console.log(`The playground is at ${url}`);
