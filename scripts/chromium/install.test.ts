import { describe, expect, it } from 'vitest';
import { ensureChromium, type Machine } from './install.ts';

/** A machine without Chromium that records what was run; `installs` makes apt-get work. */
function machine(traits: {
  programs: readonly string[];
  isRoot?: boolean;
  installs?: boolean;
  sudoAsks?: boolean;
}): Machine & { commands: string[] } {
  const commands: string[] = [];
  let installed = false;
  return {
    commands,
    find: () => (installed ? '/usr/bin/chromium' : undefined),
    has: (program) => traits.programs.includes(program),
    isRoot: traits.isRoot ?? false,
    say: () => undefined,
    run: async (file, parameters) => {
      const command = [file, ...parameters].join(' ');
      commands.push(command);
      const refused = command === 'sudo -n true' && traits.sudoAsks === true;
      const fails = command.includes(' install ') && traits.installs !== true;
      if (command.includes(' install ')) installed = traits.installs === true;
      return { code: refused || fails ? 100 : 0, output: '', trouble: undefined };
    },
  };
}

describe('bringing a Chromium', () => {
  it('uses the one that is there and runs nothing', async () => {
    const ready = { ...machine({ programs: ['apt-get'] }), find: () => '/opt/chrome' };
    expect(await ensureChromium(ready)).toEqual({ ok: true, path: '/opt/chrome' });
    expect(ready.commands).toEqual([]);
  });

  it('installs one as root', async () => {
    const bare = machine({ programs: ['apt-get'], isRoot: true, installs: true });
    expect(await ensureChromium(bare)).toEqual({ ok: true, path: '/usr/bin/chromium' });
    expect(bare.commands[0]).toMatch(/apt-get update$/);
    expect(bare.commands[1]).toMatch(/install -y --no-install-recommends chromium/);
    expect(bare.commands.join()).not.toContain('sudo');
  });

  it('uses sudo only where it asks for no password', async () => {
    const asking = machine({ programs: ['apt-get', 'sudo'], sudoAsks: true, installs: true });
    expect(await ensureChromium(asking)).toMatchObject({ ok: false });
    expect(asking.commands).toEqual(['sudo -n true']);
    const quiet = machine({ programs: ['apt-get', 'sudo'], installs: true });
    expect(await ensureChromium(quiet)).toMatchObject({ ok: true });
    expect(quiet.commands[1]).toMatch(/^sudo -n env .*apt-get update$/);
  });

  it('says what to install where it may not or cannot', async () => {
    for (const traits of [
      { programs: [] },
      { programs: ['apt-get'] },
      { programs: ['apt-get'], isRoot: true, installs: false },
    ]) {
      const result = await ensureChromium(machine(traits));
      expect(result).toMatchObject({ ok: false });
      expect(result.ok ? '' : result.advice).toMatch(/apt-get install[\s\S]*CHROME_PATH/);
    }
  });
});
