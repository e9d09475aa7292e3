/** `npm run tool -- torture`: kills a shop again and again, and asks whether anything was lost or doubled. */
import { count, oneOf, progressOf, runCommand, type ValuesOf, wholeNumber } from './long-run.ts';
import { tortured, type Tortured } from './torture/database.ts';
import { torture, type TortureReport } from './torture/torture.ts';

const names = Object.keys(tortured) as readonly Tortured[];

const help = `npm run tool -- torture [--store NAME] [--kills N]

Runs a small shop of four processes on one database, lets shoppers buy, and kills with SIGKILL:
processes at random, before a commit, after a commit and after the gateway's answer, and PostgreSQL
itself. Then it compares what was shipped and refunded with the gateway's truth. Ends with 0 when
nothing was lost or doubled and money was known in time, with 1 otherwise, with 2 when it was called
wrongly; after Ctrl-C it reports what was until then.

  --store NAME   (sqlite)
${Object.entries(tortured)
  .map(([name, { about }]) => `    ${name.padEnd(14)} ${about}`)
  .join('\n')}
  --kills N      how many, 1 to 99999 (100)`;

const options = { store: oneOf(names, 'sqlite'), kills: wholeNumber(1, 99_999, 100) };

await runCommand(help, options, run);

async function run(asked: ValuesOf<typeof options>): Promise<number> {
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const report = await torture({
    ...asked,
    onKill: progressOf(asked.kills, 'kills'),
    isStopped: () => isStopped,
  });
  for (const line of linesOf(report, asked.store)) console.log(line);
  const isInTime = report.longestRecoveryMs <= tortured[asked.store].recoveryLimitMs;
  return report.wrongs.length === 0 && isInTime ? 0 : 1;
}

function linesOf(report: TortureReport, store: Tortured): readonly string[] {
  const { kills, orders, refunds, wrongs, usualRecoveryMs, longestRecoveryMs } = report;
  const total = Object.values(kills).reduce((sum, one) => sum + one, 0);
  const parts = Object.entries(kills).filter(([, times]) => times > 0);
  const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
  return [
    `${count(total)} kills on ${store}: ${parts.map(([what, times]) => `${times} ${what}`).join(', ')}`,
    `${count(orders)} orders, ${count(refunds)} refunds: ${wrongs.length === 0 ? '0 lost, 0 doubled, 0 shipped unpaid' : `${wrongs.length} wrong`}`,
    `recovery (money taken to order shown as paid): usually ${seconds(usualRecoveryMs)}, at the longest ${seconds(longestRecoveryMs)}, of at most ${seconds(tortured[store].recoveryLimitMs)}`,
    ...wrongs.slice(0, 20).map((wrong) => `✗ ${wrong}`),
  ];
}
