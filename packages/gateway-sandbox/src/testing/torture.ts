import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { killRounds } from './kill-rounds.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '100' } } });
const data = await mkdtemp(join(tmpdir(), 'sandbox-torture-'));
const begun = performance.now();
const report = await killRounds(data, { kills: Number(values.kills), random: Math.random });
const seconds = Math.round((performance.now() - begun) / 1000);
process.stdout.write(
  `${report.kills} kills, ${report.acknowledged} acknowledged commands, ${report.lost.length} lost (${seconds} s)\n`,
);
if (report.lost.length === 0) {
  await rm(data, { recursive: true });
} else {
  process.stderr.write(`The journal stays in ${data}.\n${report.lost.slice(0, 20).join('\n')}\n`);
  process.exitCode = 1;
}
