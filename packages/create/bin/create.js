#!/usr/bin/env node
import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

// `npm create @pay-button` is `pay-button init`, whose program does the rest.
const require = createRequire(import.meta.url);
const manifest = '@pay-button/server-helper/package.json';
const program = require(manifest).bin['pay-button'];
process.argv.splice(2, 0, 'init');
await import(pathToFileURL(resolve(dirname(require.resolve(manifest)), program)).href);
