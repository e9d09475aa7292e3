/** `npm run tool -- simulate`: plays many histories of a shop, and holds every rule against each. */
import { runHistories } from '../packages/server-helper/test-support/histories/run-histories.ts';
import { openStore, storeNames } from '../packages/server-helper/test-support/histories/stores.ts';
import { variants } from '../packages/server-helper/test-support/histories/variants.ts';
import { count, oneOf, runCommand, wholeNumber } from './long-run.ts';

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

await runCommand(help, options, async ({ seed, histories, store, variant: name }) => {
  // Before the first output: a caller that reads the output may stop us at once.
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  const of = name === undefined ? '' : `, of a program that ${name}`;
  console.log(`${count(histories)} histories from seed ${seed} on, on the ${store} store${of}`);
  const variant = name === undefined ? undefined : variants[name];
  const { played, failure } = await runHistories(
    { seed, histories },
    { openStore: (seedOf) => openStore(store, seedOf), variant },
    (done) => {
      if (done % 10_000 === 0) console.error(`${count(done)} of ${count(histories)}`);
      return isStopped;
    },
  );
  if (failure !== null) {
    const { message, lines, history } = failure;
    const { storeFaults, slowness } = history.faultProfile;
    const also = name === undefined ? '' : ` --variant ${name}`;
    console.log(`A rule was broken in the history of seed ${failure.seed}. Its smallest form has ${history.actions.length} actions:
  of all calls to the store ${storeFaults * 100} % fail, of all calls ${slowness * 100} % are slow
${lines.join('\n')}

${message}

Again: npm run tool -- simulate --seed ${failure.seed} --histories 1 --store ${store}${also}`);
    return 1;
  }
  const held = `every rule held in ${count(played)} histories`;
  const rest = `--seed ${seed + played} --histories ${histories - played}`;
  console.log(isStopped ? `Stopped: ${held}. Go on with ${rest}.` : held.replace('every', 'Every'));
  return isStopped ? 130 : 0;
});
