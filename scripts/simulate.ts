/** `npm run tool -- simulate`: plays many histories of a shop, and holds every rule against each. */
import {
  runHistories,
  type Failure,
} from '../packages/server-helper/test-support/histories/run-histories.ts';
import { openStore, storeNames } from '../packages/server-helper/test-support/histories/stores.ts';
import { variants } from '../packages/server-helper/test-support/histories/variants.ts';
import { count, duration, oneOf, progressOf, runCommand, wholeNumber } from './long-run.ts';
import type { ValuesOf } from './long-run.ts';

const help = `npm run tool -- simulate [--seed N] [--histories M] [--store mixed|memory|sqlite] [--variant NAME]

Plays histories of a shop: shoppers, hints, refunds, crashes, a moody gateway and a moody store, in
virtual time. Every rule of docs/proof.md is checked after every write. Everything follows from the
seed: history M of a run with seed N is the only history of a run with seed N + M - 1.

  --seed N           the first history's seed, 0 to 4294967295; by chance without it
  --histories M      how many (10000)
  --store NAME       memory, sqlite, or mixed: SQLite for one history of twenty (mixed)
  --variant NAME     a program with a known mistake of docs/proof.md, which must be found:
                       ${Object.keys(variants).join('\n                       ')}

It ends with 0 when every rule held, 1 when one was broken, 2 when it was called wrongly, and 130
after Ctrl-C.`;

const options = {
  seed: wholeNumber(0, 2 ** 32 - 1, Math.floor(Math.random() * 2 ** 31)),
  histories: wholeNumber(1, 1_000_000_000, 10_000),
  store: oneOf(storeNames, 'mixed'),
  variant: oneOf(Object.keys(variants)),
};

await runCommand(help, options, play);

async function play(asked: ValuesOf<typeof options>): Promise<number> {
  const { seed, histories, store } = asked;
  const variant = asked.variant === undefined ? undefined : variants[asked.variant];
  // Before the first output: a caller that reads the output may stop us at once.
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  console.log(
    `${count(histories)} histories from seed ${seed} on, on the ${store} store${variant === undefined ? '' : `, of a program that ${asked.variant}`}`,
  );
  const tell = progressOf(histories, 'histories');
  const begun = performance.now();
  const { played, failure } = await runHistories(
    { seed, histories },
    { openStore: (of) => openStore(store, of), variant },
    (done) => {
      tell(done);
      return isStopped;
    },
  );
  const time = duration((performance.now() - begun) / 1_000);
  if (failure !== null) {
    report(failure, asked);
    return 1;
  }
  if (isStopped) {
    const rest = histories - played;
    console.log(
      `Stopped: every rule held in ${count(played)} histories (${time}). Go on with --seed ${seed + played} --histories ${rest}.`,
    );
    return 130;
  }
  console.log(`Every rule held in ${count(played)} histories (${time}).`);
  return 0;
}

function report(
  { seed, message, history, lines }: Failure,
  { store, variant }: ValuesOf<typeof options>,
): void {
  const { actions, faultProfile } = history;
  console.log(
    `A rule was broken in the history of seed ${seed}. Its smallest form has ${actions.length} actions:`,
  );
  console.log(
    `  of all calls to the store ${faultProfile.storeFaults * 100} % fail, of all calls ${faultProfile.slowness * 100} % are slow`,
  );
  for (const line of lines) console.log(line);
  console.log(`\n${message}\n`);
  const also = variant === undefined ? '' : ` --variant ${variant}`;
  console.log(
    `Again: npm run tool -- simulate --seed ${seed} --histories 1 --store ${store}${also}`,
  );
}
