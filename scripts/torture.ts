/** `npm run tool -- torture`: kills a shop again and again, and asks whether anything was lost or doubled. */
import { count, oneOf, runCommand, wholeNumber } from './long-run.ts';
import { tortured, type Tortured } from './torture/database.ts';
import { torture } from './torture/torture.ts';

const names = Object.keys(tortured) as readonly Tortured[];

const help = `npm run tool -- torture [--store NAME] [--kills N]

Runs a small shop of four processes on one database, lets shoppers buy, and kills with SIGKILL:
processes at random, before a commit, after a commit and after the gateway's answer, and PostgreSQL
itself. Then it compares what was shipped and refunded with the gateway's truth. Ends with 0 when
nothing was lost or doubled and money was known in time, with 1 otherwise, with 2 when it was called
wrongly; after Ctrl-C it reports what was until then.

  --store NAME   (sqlite)
${names.map((name) => `    ${name.padEnd(14)} ${tortured[name].about}`).join('\n')}
  --kills N      how many, 1 to 99999 (100)`;

const options = { store: oneOf(names, 'sqlite'), kills: wholeNumber(1, 99_999, 100) };

await runCommand(help, options, async ({ store, kills }) => {
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const report = await torture(store, kills, () => isStopped);
  const { orders, refunds, wrongs, recoveries } = report;
  const parts = Object.entries(report.kills).filter(([, times]) => times > 0);
  const total = parts.reduce((sum, [, times]) => sum + times, 0);
  const { recoveryLimitMs } = tortured[store];
  const usual = recoveries[Math.floor(recoveries.length / 2)] ?? 0;
  const longest = recoveries.at(-1) ?? 0;
  const seconds = (milliseconds: number): string => `${(milliseconds / 1_000).toFixed(1)} s`;
  console.log(`${count(total)} kills on ${store}: ${parts.map(([what, times]) => `${times} ${what}`).join(', ')}
${count(orders)} orders, ${count(refunds)} refunds: ${wrongs.length === 0 ? '0 lost, 0 doubled, 0 shipped unpaid' : `${wrongs.length} wrong`}
recovery (money taken to order shown as paid): usually ${seconds(usual)}, at the longest ${seconds(longest)}, of at most ${seconds(recoveryLimitMs)}`);
  for (const wrong of wrongs.slice(0, 20)) console.log(`✗ ${wrong}`);
  return wrongs.length === 0 && longest <= recoveryLimitMs ? 0 : 1;
});
