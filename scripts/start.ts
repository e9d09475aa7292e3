/** `npm start`: builds the elements where they changed, and starts the demo shop from the sources. */
import { bundled } from './widget-files.ts';

if (bundled) await import('../demo/src/main.ts');
else process.exitCode = 1;
