import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rowsIn, startPostgres } from './postgres.ts';
import { root, startProgram } from './process.ts';

const script = fileURLToPath(new URL('./postgres.ts', import.meta.url));

async function start(): Promise<string> {
  const postgres = await startPostgres({});
  onTestFinished(postgres.stop);
  return postgres.url;
}

/** Waits until the address refuses connections. */
async function untilGone(url: string): Promise<void> {
  for (let tries = 0; tries < 100; tries += 1) {
    try {
      await rowsIn(url, 'select 1');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
    }
    await sleep(100);
  }
  throw new Error('the server still answers');
}

describe('a PostgreSQL for tests', () => {
  it('can be killed, and knows what was committed when it is back at the same address', async () => {
    const postgres = await startPostgres({});
    onTestFinished(postgres.stop);
    await rowsIn(postgres.url, 'create table kept (id int)');
    await rowsIn(postgres.url, 'insert into kept values (7)');
    for (let kills = 0; kills < 2; kills += 1) {
      await postgres.killAndRestart?.();
      expect(await rowsIn(postgres.url, 'select id from kept')).toEqual([{ id: 7 }]);
    }
  });

  it('gives two runs side by side a server each', async () => {
    const [first, second] = await Promise.all([start(), start()]);
    await rowsIn(first, 'create table only_here (id int)');
    await expect(rowsIn(second, 'select * from only_here')).rejects.toThrow(/does not exist/);
  });

  it('refuses a client without the password of the run', async () => {
    const url = new URL(await start());
    url.password = 'guess';
    await expect(rowsIn(url.href, 'select 1')).rejects.toThrow(/authentication failed/);
  });

  it('is gone with its data after a stop', async () => {
    const postgres = await startPostgres({});
    const [row] = await rowsIn(postgres.url, 'show data_directory');
    await postgres.stop();
    await untilGone(postgres.url);
    expect(existsSync(String(row?.['data_directory']))).toBe(false);
  });

  it('is gone with its data after its runner was killed with SIGKILL', async () => {
    const program = `import { startPostgres } from ${JSON.stringify(script)};
      console.log('ready', (await startPostgres({})).url); setInterval(() => {}, 1000);`;
    const parameters = ['--input-type=module', '-e', program];
    const { ready: url, pid } = await startProgram(parameters, { cwd: root });
    const [row] = await rowsIn(url, 'show data_directory');
    process.kill(pid, 'SIGKILL');
    await untilGone(url);
    const folder = String(row?.['data_directory']).replace(/\/data$/, '');
    for (let tries = 0; tries < 50 && existsSync(folder); tries += 1) await sleep(100);
    expect(folder).toContain('pay-button-postgres-');
    expect(existsSync(folder)).toBe(false);
  });

  it('uses the database of DATABASE_URL as it is, and starts nothing', async () => {
    const given = await startPostgres({ DATABASE_URL: 'postgres://somewhere/else' });
    expect(given.url).toBe('postgres://somewhere/else');
    expect(process.getActiveResourcesInfo()).not.toContain('ProcessWrap');
    await given.stop();
  });
});
