import { fileURLToPath } from 'node:url';

/** The repository's top folder, without a trailing slash. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
