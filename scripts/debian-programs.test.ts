import { describe, expect, it } from 'vitest';
import { installChromium, type Machine } from './debian-programs.ts';

/** A machine without Chromium that records what was run; `installs` makes apt-get work. */
function machine(traits: {
  programs: readonly string[];
  isRoot?: boolean;
  installs?: boolean;
  sudoAsks?: boolean;
}): Machine & { find: () => string | undefined; commands: string[]; said: string[] } {
  const commands: string[] = [];
  const said: string[] = [];
  let installed = false;
  return {
    commands,
    said,
    find: () => (installed ? 'chromium' : undefined),
    hasAptGet: traits.programs.includes('apt-get'),
    isRoot: traits.isRoot ?? false,
    say: (line) => said.push(line),
    run: async (file, parameters) => {
      const command = [file, ...parameters].join(' ');
      commands.push(command);
      if (file !== 'env' && !traits.programs.includes(file)) return 1;
      if (command === 'sudo -n true') return traits.sudoAsks === true ? 1 : 0;
      if (!command.includes(' install ')) return 0;
      installed = traits.installs === true;
      return installed ? 0 : 100;
    },
  };
}

describe('bringing a Chromium', () => {
  it('uses the one that is there and runs nothing', async () => {
    const ready = { ...machine({ programs: ['apt-get'] }), find: () => 'chrome' };
    expect(await installChromium(ready)).toBeUndefined();
    expect(ready.commands).toEqual([]);
  });

  it('installs one as root, and says how long that takes', async () => {
    const bare = machine({ programs: ['apt-get'], isRoot: true, installs: true });
    expect(await installChromium(bare)).toBeUndefined();
    expect(bare.commands[0]).toMatch(/^env .*apt-get -qq update$/);
    expect(bare.commands[1]).toMatch(
      /install -y --no-install-recommends chromium chromium-headless-shell/,
    );
    expect(bare.commands.join()).not.toContain('sudo');
    expect(bare.said.join()).toMatch(/minutes/);
  });

  it('uses sudo only where it asks for no password', async () => {
    const asking = machine({ programs: ['apt-get', 'sudo'], sudoAsks: true, installs: true });
    expect(await installChromium(asking)).toContain('passwordless sudo');
    expect(asking.commands).toEqual(['sudo -n true']);
    const quiet = machine({ programs: ['apt-get', 'sudo'], installs: true });
    expect(await installChromium(quiet)).toBeUndefined();
    expect(quiet.commands[1]).toMatch(/^sudo -n env .*apt-get -qq update$/);
  });

  it('says what to install where it may not or cannot', async () => {
    for (const traits of [
      { programs: [] },
      { programs: ['apt-get'] },
      { programs: ['apt-get'], isRoot: true, installs: false },
    ]) {
      const advice = await installChromium(machine(traits));
      expect(advice).toMatch(/apt-get install[\s\S]*CHROME_PATH/);
    }
  });
});
