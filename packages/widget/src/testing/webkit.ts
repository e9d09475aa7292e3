import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { debianProgram } from '../../../../scripts/debian-programs.ts';
import { freePort } from '../../../../scripts/process.ts';

/** A browser with one page, driven by scripts that run in the page. */
export type DrivenBrowser = Awaited<ReturnType<typeof startWebKit>>;

/** A virtual screen with the first free number. */
async function startScreen() {
  const screen = spawn(debianProgram('Xvfb'), ['-displayfd', '3', '-screen', '0', '1280x800x24'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  // Xvfb writes the number and the line break separately, and a closed pipe would end it by SIGPIPE
  // at the second.
  const number = (await text(screen.stdio[3] as Readable)).trim();
  if (!number) throw new Error('Xvfb ended before it had a screen.');
  return { display: `:${number}`, process: screen };
}

/**
 * Starts WebKit, of Debian's packages webkit2gtk-driver and xvfb, and drives it by WebDriver; five commands
 * need no library.
 *
 * @throws where a package is missing, with the command that installs it.
 */
export async function startWebKit() {
  const port = await freePort();
  const { display, process: screen } = await startScreen();
  const driver = spawn(debianProgram('WebKitWebDriver'), [`--port=${port}`], {
    stdio: 'ignore',
    env: { ...process.env, DISPLAY: display, WEBKIT_DISABLE_COMPOSITING_MODE: '1' },
  });
  const stop = (): void => {
    for (const child of [driver, screen] satisfies ChildProcess[]) child.kill();
  };
  const command = async (method: string, path: string, body?: object): Promise<unknown> => {
    const response = await fetch(`http://127.0.0.1:${port}/session${path}`, {
      method,
      // A driver whose browser did not start never answers.
      signal: AbortSignal.timeout(60_000),
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { value } = (await response.json()) as { value: unknown };
    if (!response.ok) throw new Error(`WebDriver ${path}: ${JSON.stringify(value)}`);
    return value;
  };
  try {
    const options = { binary: debianProgram('MiniBrowser'), args: ['--automation'] };
    const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } };
    const created = await eventually(() => command('POST', '', { capabilities }));
    const session = `/${(created as { sessionId: string }).sessionId}`;
    return {
      open: async (url: string) => void (await command('POST', `${session}/url`, { url })),
      url: async () => (await command('GET', `${session}/url`)) as string,
      back: async () => void (await command('POST', `${session}/back`, {})),
      /** Runs the body of a function in the page and returns its result. */
      run: (script: string) => command('POST', `${session}/execute/sync`, { script, args: [] }),
      async close() {
        await command('DELETE', session);
        stop();
      },
    };
  } catch (error) {
    stop();
    throw error;
  }
}

/** Tries again until the driver listens. */
async function eventually<Value>(attempt: () => Promise<Value>): Promise<Value> {
  for (let tries = 0; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= 60 || !(error instanceof TypeError)) throw error;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }
}
