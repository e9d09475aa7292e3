import { existsSync } from 'node:fs';
import { chromium, type LaunchOptions } from 'playwright';

/**
 * Where a usable Chromium is: `CHROME_PATH`, else Playwright's own, else the system's. Of the system's
 * the one without windows goes first: it opens a page in a third of the time. Returns `undefined` when there
 * is none; `installChromium` then tries to install one.
 *
 * @param isWhole - Whether a Chromium without windows is not enough: it keeps no page for Back.
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env, isWhole = false) {
  const candidates = [
    env['CHROME_PATH'],
    chromium.executablePath(),
    ...(isWhole ? [] : ['/usr/bin/chromium-headless-shell']),
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
  ];
  return candidates.find((path) => path !== undefined && path !== '' && existsSync(path));
}

/** Switches that keep Chromium quiet on a closed network, and able to start as root. */
const chromiumArguments: readonly string[] = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
];

export function chromiumLaunch(isWhole = false): LaunchOptions & { readonly args: string[] } {
  const executablePath = findChromium(process.env, isWhole);
  const args = [...chromiumArguments];
  return executablePath === undefined ? { args } : { executablePath, args };
}
