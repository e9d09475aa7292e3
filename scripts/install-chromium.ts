import { findChromium } from './find-chromium.ts';
import { installPackages, thisMachine, type Machine } from './install-packages.ts';

/** Chromium, also without windows, and a font with Arabic: else the Arabic pages are drawn as boxes. */
const packages = ['chromium', 'chromium-headless-shell', 'fonts-noto-core'];

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
  const problem = await installPackages(packages, machine);
  if (problem !== undefined) return advice(problem);
  if (machine.find() === undefined) return advice('apt-get installed it at an unknown path');
  return undefined;
}

function advice(reason: string): string {
  return [
    `The browser tests need a Chromium, and none was found: ${reason}.`,
    `Debian, Ubuntu:  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
    'anywhere:        npx playwright install chromium',
    'or set CHROME_PATH to the program of a Chromium or Chrome that you have.',
  ].join('\n');
}
