import { expect, it } from 'vitest';
import { installChromium } from './debian-programs.ts';

/** Brings a Chromium to a machine that has none. @returns the advice, and what was run for it. */
async function bring(traits: {
  programs: string[];
  isRoot?: boolean;
  sudoAsks?: boolean;
  works?: boolean;
}) {
  const commands: string[] = [];
  const { programs, isRoot = false, sudoAsks = false, works = true } = traits;
  let isThere = false;
  const machine = {
    hasAptGet: programs.includes('apt-get'),
    isRoot,
    run: async (file: string, parameters: readonly string[]) => {
      const command = [file, ...parameters].join(' ');
      commands.push(command);
      if (file !== 'env' && !programs.includes(file)) return 1;
      if (command === 'sudo -n true') return sudoAsks ? 1 : 0;
      isThere = works && command.includes(' install ');
      return works ? 0 : 100;
    },
  };
  const advice = await installChromium(machine, () => (isThere ? 'chromium' : undefined));
  return { advice, commands };
}

it('a Chromium that is there is used, and nothing is run', async () => {
  const machine = { hasAptGet: true, isRoot: true, run: () => Promise.reject(new Error('ran')) };
  expect(await installChromium(machine, () => 'chrome')).toBeUndefined();
});

it('one is installed as root, and by a sudo that asks for no password', async () => {
  const install = /install -y --no-install-recommends chromium chromium-headless-shell/;
  const asRoot = await bring({ programs: ['apt-get'], isRoot: true });
  expect(asRoot).toEqual({
    advice: undefined,
    commands: [expect.stringMatching(/^env .*apt-get -qq update$/), expect.stringMatching(install)],
  });
  const quiet = await bring({ programs: ['apt-get', 'sudo'] });
  expect(quiet.advice).toBeUndefined();
  expect(quiet.commands[1]).toMatch(/^sudo -n env .*apt-get -qq update$/);
  const asking = await bring({ programs: ['apt-get', 'sudo'], sudoAsks: true });
  expect(asking.advice).toContain('passwordless sudo');
  expect(asking.commands).toEqual(['sudo -n true']);
});

it('where it may not or cannot be installed, what to do is said', async () => {
  for (const traits of [
    { programs: [] },
    { programs: ['apt-get'] },
    { programs: ['apt-get'], isRoot: true, works: false },
  ]) {
    expect((await bring(traits)).advice).toMatch(/apt-get install[\s\S]*CHROME_PATH/);
  }
});
