/** `npm run docs:reference` writes the reference of the gateway client. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './process/root.ts';
import { makeReference, referencePath } from './reference/reference.ts';

const path = join(root, referencePath);
mkdirSync(dirname(path), { recursive: true });
writeFileSync(path, makeReference());
console.log(referencePath);
