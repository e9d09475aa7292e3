import { expect, it } from 'vitest';
import { installChromium } from './debian-programs.ts';

/** Brings a Chromium to a machine that has none. @returns the advice, and what was run for it. */
async function bring(installed: boolean, isWell: boolean) {
  const commands: string[] = [];
  const find = () => (installed && commands.length > 1 ? 'chromium' : undefined);
  const advice = await installChromium(find, async (file, parameters) => {
    commands.push([file, ...parameters].join(' '));
    if (!isWell) throw new Error('apt-get says why');
  }).catch((error: unknown) => String(error));
  return { advice, commands };
}

it('a Chromium that is there is used, and nothing is run', async () => {
  const fail = () => Promise.reject(new Error('ran'));
  expect(await installChromium(() => 'chrome', fail)).toBeUndefined();
});

it('one is installed by apt-get, which never waits for a password', async () => {
  const { advice, commands } = await bring(true, true);
  expect(advice).toBeUndefined();
  const first = process.getuid?.() === 0 ? 'env ' : 'sudo -n env ';
  expect(commands).toEqual([
    `${first}DEBIAN_FRONTEND=noninteractive apt-get -qq update`,
    expect.stringMatching(/apt-get -qq install -y --no-install-recommends chromium chromium-h/),
  ]);
});

it('where it may not or cannot be installed, why and what to do is said', async () => {
  const { advice, commands } = await bring(false, false);
  expect(advice).toMatch(/apt-get says why[\s\S]*sudo apt-get install[\s\S]*CHROME_PATH/);
  expect(commands).toHaveLength(1);
  expect((await bring(false, true)).advice).toMatch(/at an unknown path[\s\S]*CHROME_PATH/);
});
