/**
 * `node scripts/setup.mjs [--in=<folder>] <program> [parameters]` installs the packages of
 * package-lock.json, and of a folder with a lockfile of its own, where they are missing or old, and
 * runs the program with the Node that comes with them. Without a program it installs only.
 *
 * Plain JavaScript without packages, because it runs before the first install and on Node 18 too.
 */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Why the machine is not ready, and what makes it ready. */
class SetupError extends Error {}

const root = fileURLToPath(new URL('..', import.meta.url));

try {
  const [first = '', ...rest] = process.argv.slice(2);
  const isFolder = first.startsWith('--in=');
  const parameters = isFolder ? rest : process.argv.slice(2);
  for (const place of isFolder ? ['.', first.slice('--in='.length)] : ['.']) {
    if (!packagesAreInstalled(place)) await installPackages(place);
  }
  process.exitCode = parameters.length === 0 ? 0 : await run(findNode(), parameters, 'inherit');
} catch (error) {
  if (!(error instanceof SetupError)) throw error;
  console.error(`\n✗ ${error.message}`);
  // The last line of a test command is always the sum of its tests.
  if (process.env['npm_lifecycle_event']?.startsWith('test'))
    console.log('0 passed, 1 failed, 0 skipped');
  process.exitCode = 1;
}

/**
 * npm records what it installed in a second lockfile, and writes it last.
 *
 * @param {string} folder
 */
function packagesAreInstalled(folder) {
  const installed = packagesOf(join(folder, 'node_modules/.package-lock.json'));
  return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
    ([path, { version, optional }]) =>
      path === '' || (optional && !installed[path]) || installed[path]?.version === version,
  );
}

/**
 * @param {string} lockfile
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(lockfile) {
  const path = join(root, lockfile);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : { '': {} };
}

/** @param {string} folder */
async function installPackages(folder) {
  const lockfile = join(folder, 'package-lock.json');
  console.error(`Installing the packages of ${lockfile} with npm ci: 1 to 3 minutes, once.`);
  const start = Date.now();
  // What is named here wins over NODE_ENV=production and over npm's settings for this machine.
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const code = await run('npm', ['ci', ...flags, '--no-audit', '--no-fund'], 2, folder);
  if (code !== 0) {
    throw new SetupError(`The packages are not installed: npm ci ended with code ${code}; its reason is above.
It needs the registry of "npm config get registry" (behind a proxy: HTTPS_PROXY) and 600 MB of disk.
Mend that and run the same command again.`);
  }
  console.error(`✓ packages (${((Date.now() - start) / 1000).toFixed(1)} s)`);
}

/** The Node that came with the packages; on systems without such a package, the one that runs us. */
function findNode() {
  const packaged = join(root, 'node_modules/.bin/node');
  if (existsSync(packaged)) return packaged;
  const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [major = 0, minor = 0] = engines.node.match(/\d+/g).map(Number);
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number);
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return process.execPath;
  throw new SetupError(`Node ${engines.node} is needed, and this is ${process.version}.
npm brings Node for Linux on x64 and arm64: run "npm ci --include=optional".
Elsewhere install it from https://nodejs.org and run the same command again.`);
}

/**
 * Runs a program to its end, and hands the signals that end us on to it.
 *
 * @param {string} file
 * @param {string[]} parameters
 * @param {'inherit' | number} output
 * @param {string} folder
 * @returns {Promise<number>} its exit code, or what a shell makes of the signal that ended it.
 */
function run(file, parameters, output, folder = '.') {
  const cwd = join(root, folder);
  const child = spawn(file, parameters, { cwd, stdio: ['inherit', output, 'inherit'] });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', (error) => reject(new SetupError(`${file}: ${error.message}`)));
    child.once('exit', (code, signal) => {
      for (const name of signals) process.removeAllListeners(name);
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
