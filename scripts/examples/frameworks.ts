import { chmodSync, cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { run, runNode } from '../process/run.ts';
import { type ShopServer, type Trial, tryShop } from './try-shop.ts';

/** The one folder of the servers that share their shop's payments and pages. */
export const frameworks = 'examples/frameworks';

const inFrameworks = (folder: string, ...parameters: readonly string[]): ShopServer => ({
  cwd: join(folder, frameworks),
  parameters,
});

const file = (name: string): Trial => tryShop((folder) => inFrameworks(folder, name));

/** How each server in that folder is tried, by its file. */
export const serverTrials: Readonly<Record<string, Trial>> = {
  'node-http.ts': file('node-http.ts'),
  'connect.ts': file('connect.ts'),
  'fastify.ts': file('fastify.ts'),
  'fastify-express.ts': file('fastify-express.ts'),
  'koa.ts': file('koa.ts'),
  'koa-connect.ts': file('koa-connect.ts'),
  'hono.ts': file('hono.ts'),
  // Decorators need a compiler; this one is compiled with the types of all.
  nest: file('dist/nest/main.js'),
  'bun.ts': tryShop((folder) => ({
    ...inFrameworks(folder, 'bun.ts'),
    program: binary(folder, `@oven/bun-${process.platform}-${process.arch}/bin/bun`),
  })),
  'deno.ts': tryShop((folder) => ({
    ...inFrameworks(folder, 'run', '--allow-all', 'deno.ts'),
    program: denoIn(folder),
  })),
};

/** Compiles all servers of the folder against the frameworks' own types and the tarballs'. */
export async function compileServers(folder: string): Promise<StepResult> {
  const cwd = join(folder, frameworks);
  const compiler = join(folder, 'node_modules/typescript/bin/tsc');
  const compiled = endedResult(await runNode([compiler], { cwd, output: 'capture' }));
  if (!compiled.ok) return compiled;
  return endedResult(await run(denoIn(folder), ['check', 'deno.ts'], { cwd, output: 'capture' }));
}

const denoIn = (folder: string): string =>
  binary(folder, `@deno/${process.platform}-${process.arch}-glibc/deno`);

/** A program that a package brings. Its install script would make it executable, but none is run. */
function binary(folder: string, path: string): string {
  const program = join(folder, 'node_modules', path);
  chmodSync(program, 0o755);
  return program;
}

/** The Express example as it stands, on Express 4. */
export const tryExpress4: Trial = tryShop((folder) => {
  const cwd = join(folder, 'examples/express-4');
  cpSync(join(folder, 'examples/express'), cwd, { recursive: true });
  const express = join(cwd, 'node_modules/express');
  mkdirSync(dirname(express), { recursive: true });
  symlinkSync(join(root, 'node_modules/express4'), express);
  return { cwd, parameters: ['server.ts'] };
});
