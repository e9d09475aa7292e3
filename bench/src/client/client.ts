import { availableParallelism, loadavg } from 'node:os';
import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { judge } from './budgets.ts';
import { operations } from './names.ts';
import { budgetTable, tables } from './report.ts';
import { measureRounds } from './rounds.ts';

const extent = { rounds: 15, calls: 2_000, warmUpCalls: 20_000 };

/** CPU and time a call of our gateway client beside its peers, as Markdown, and its budgets. */
export async function measureClient(onProgress: (text: string) => void): Promise<Measured> {
  const series = await measureRounds(extent, onProgress);
  const verdicts = judge(series, operations);
  const versions = `, undici ${packageVersion('undici')}, global fetch’s undici ${process.versions['undici'] ?? 'unknown'}, stripe ${packageVersion('stripe')}`;
  const lines = [
    ...budgetTable(verdicts),
    ...tables(series),
    `${extent.rounds} rounds of ${extent.calls} calls${crowd()}. ${describeMachine(versions)}`,
  ];
  return {
    markdown: lines.join('\n'),
    isWithinBudget: !verdicts.some((one) => one.isClearlyMissed),
  };
}

/** Whether others used the machine, too: then figures are higher and their quarters wider apart. */
function crowd(): string {
  const [load = 0] = loadavg();
  // Our own part is the gateway and one contender at a time.
  const others = load - 2;
  return others < availableParallelism() / 2
    ? ''
    : `, while others kept the machine busy (load ${Math.round(load)})`;
}
