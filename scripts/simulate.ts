/** `npm run simulate`: plays many histories of a shop, and holds every rule against each. */
import {
  runHistories,
  type Failure,
} from '../packages/server-helper/test-support/histories/run-histories.ts';
import { openStore } from '../packages/server-helper/test-support/histories/stores.ts';
import { count, duration, Progress } from './simulate/progress.ts';
import { readArguments, type Asked } from './simulate/read-arguments.ts';

const asked = readArguments(process.argv.slice(2));
if (asked.kind === 'play') {
  process.exitCode = await play(asked);
} else {
  console.log(asked.text);
  process.exitCode = asked.kind === 'help' ? 0 : 2;
}

async function play(asking: Extract<Asked, { readonly kind: 'play' }>): Promise<number> {
  const { seed, histories, store, variant } = asking;
  // Before the first output: a caller that reads the output may stop us at once.
  let isStopped = false;
  process.once('SIGINT', () => (isStopped = true));
  console.log(
    `${count(histories)} histories from seed ${seed} on, on the ${store} store${variant === undefined ? '' : `, of a program that ${variant.name}: ${variant.about}`}`,
  );
  const progress = new Progress(histories, process.stdout);
  const begun = performance.now();
  const { played, failure } = await runHistories(
    { seed, histories },
    { openStore: (of) => openStore(store, of), variant },
    (done) => {
      progress.at(done);
      return isStopped;
    },
  );
  progress.end();
  const time = duration((performance.now() - begun) / 1_000);
  if (failure !== null) {
    tell(failure, asking);
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

function tell(
  { seed, message, history, lines }: Failure,
  { store, variant }: Extract<Asked, { readonly kind: 'play' }>,
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
  const also = variant === undefined ? '' : ` --variant ${variant.name}`;
  console.log(`Again: npm run simulate -- --seed ${seed} --histories 1 --store ${store}${also}`);
}
