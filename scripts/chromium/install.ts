import type { Ended } from '../process/run.ts';

/** The machine as the installer sees it, so that a test can describe another one. */
export interface Machine {
  readonly find: () => string | undefined;
  /** Whether a program of that name is on the PATH. */
  readonly has: (program: string) => boolean;
  readonly isRoot: boolean;
  readonly run: (file: string, parameters: readonly string[]) => Promise<Ended>;
  readonly say: (line: string) => void;
}

export type ChromiumResult =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly advice: string };

/** Chromium, and a font with Arabic: without one the Arabic pages are drawn as boxes. */
const packages = ['chromium', 'fonts-noto-core'];

/**
 * Finds a Chromium, or installs Debian's where that is allowed without asking anybody: as root or
 * with a passwordless sudo. Otherwise it says what to do.
 */
export async function ensureChromium(machine: Machine): Promise<ChromiumResult> {
  const found = machine.find();
  if (found !== undefined) return { ok: true, path: found };
  if (!machine.has('apt-get')) {
    return advise('this system has no apt-get, so it cannot be installed for you');
  }
  const prefix = machine.isRoot ? [] : await passwordlessSudo(machine);
  if (prefix === undefined) return advise('installing it needs root or a passwordless sudo');
  machine.say('No Chromium found: installing it with apt-get, which takes a minute or two.');
  const quiet = ['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get'];
  for (const step of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    const [file = 'env', ...parameters] = [...prefix, ...quiet, ...step];
    const ended = await machine.run(file, parameters);
    if (ended.code !== 0) return advise(`apt-get ${step[0]} ended with code ${ended.code}`);
  }
  const installed = machine.find();
  return installed === undefined
    ? advise('apt-get installed it, but it is not where we look')
    : { ok: true, path: installed };
}

async function passwordlessSudo(machine: Machine): Promise<string[] | undefined> {
  if (!machine.has('sudo')) return undefined;
  const asked = await machine.run('sudo', ['-n', 'true']);
  return asked.code === 0 ? ['sudo', '-n'] : undefined;
}

function advise(reason: string): ChromiumResult {
  return {
    ok: false,
    advice: [
      `The browser tests need a Chromium, and none was found: ${reason}.`,
      `Debian, Ubuntu:  sudo apt-get install -y --no-install-recommends ${packages.join(' ')}`,
      'anywhere:        npx playwright install chromium',
      'or set CHROME_PATH to the program of a Chromium or Chrome that you have.',
    ].join('\n'),
  };
}
