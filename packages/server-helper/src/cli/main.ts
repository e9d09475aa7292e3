#!/usr/bin/env node
import { runCli } from './run.ts';

process.exitCode = await runCli({
  args: process.argv.slice(2),
  env: process.env,
  out: process.stdout,
  err: process.stderr,
  input: process.stdin,
});
