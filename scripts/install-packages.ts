import { existsSync } from 'node:fs';
import { findChromium } from './find-chromium.ts';
import { run } from './process/run.ts';

/** The machine as the installer sees it, so that a test can describe another one. */
export interface Machine {
  readonly hasAptGet: boolean;
  readonly isRoot: boolean;
  /** Runs a program and returns its exit code; a program that does not exist ends with 1. */
  readonly run: (file: string, parameters: readonly string[]) => Promise<number>;
  readonly say: (line: string) => void;
}

const thisMachine: Machine = {
  hasAptGet: existsSync('/usr/bin/apt-get'),
  isRoot: process.getuid?.() === 0,
  run: async (file, parameters) => (await run(file, parameters, { output: 'inherit' })).code,
  say: console.log,
};

/**
 * Installs packages of Debian where that is possible without asking anybody: as root or with a
 * passwordless sudo.
 *
 * @returns `undefined` where they are installed, else why not.
 */
export async function installPackages(
  packages: readonly string[],
  machine = thisMachine,
): Promise<string | undefined> {
  if (!machine.hasAptGet) return 'this system has no apt-get';
  if (!machine.isRoot && (await machine.run('sudo', ['-n', 'true'])) !== 0) {
    return 'apt-get needs root or a passwordless sudo';
  }
  machine.say(`Installing ${packages.join(', ')} with apt-get: 1 to 3 minutes, once.`);
  const sudo = machine.isRoot ? [] : ['sudo', '-n'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const command = [...sudo, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', '-qq', ...step];
    const [file = 'env', ...parameters] = command;
    const code = await machine.run(file, parameters);
    if (code !== 0) return `apt-get ${step[0]} ended with code ${code}`;
  }
  return undefined;
}

/** Chromium, also without windows, and a font with Arabic: else the Arabic pages are drawn as boxes. */
const chromiumPackages = ['chromium', 'chromium-headless-shell', 'fonts-noto-core'];

/**
 * Finds a Chromium, or installs Debian's where that is possible without asking anybody.
 *
 * @returns `undefined` when there is a Chromium, else why not and how to bring one.
 */
export async function installChromium(
  machine: Machine & { readonly find: () => string | undefined } = {
    ...thisMachine,
    find: () => findChromium(process.env, true),
  },
): Promise<string | undefined> {
  if (machine.find() !== undefined) return undefined;
  const problem = await installPackages(chromiumPackages, machine);
  if (problem !== undefined) return advice(problem);
  if (machine.find() === undefined) return advice('apt-get installed it at an unknown path');
  return undefined;
}

function advice(reason: string): string {
  return [
    `The browser tests need a Chromium, and none was found: ${reason}.`,
    `Debian, Ubuntu:  sudo apt-get install -y --no-install-recommends ${chromiumPackages.join(' ')}`,
    'anywhere:        npx playwright install chromium',
    'or set CHROME_PATH to the program of a Chromium or Chrome that you have.',
  ].join('\n');
}
