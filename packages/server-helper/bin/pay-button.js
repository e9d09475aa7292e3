#!/usr/bin/env node
import '../supported-node.js';
import { existsSync } from 'node:fs';

// A published package brings its build. A clone has its sources before, which Node can run as well.
const built = new URL('../dist/cli/main.js', import.meta.url);
const source = new URL('../src/cli/main.ts', import.meta.url);
const program = existsSync(built) ? built : source;

try {
  await import(program.href);
} catch (error) {
  if (program === built) throw error;
  console.error(
    `pay-button: this package is not built, and its sources could not be loaded (${error.code}). Run "npm ci" and "npm run build" at the top of the repository.`,
  );
  process.exitCode = 1;
}
