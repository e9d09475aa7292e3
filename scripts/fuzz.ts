/** `npm run fuzz`: looks for texts under which the readers of strangers' texts break a property. */
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { keep, readCorpus } from './fuzz/corpus.ts';
import { Search } from './fuzz/search.ts';
import type { Target } from './fuzz/target.ts';
import { targets } from './fuzz/targets.ts';
import { count, Progress } from './simulate/progress.ts';

const help = `npm run fuzz -- [--target NAME] [--minutes N] [--seed N]

Looks for texts under which a reader of strangers' texts breaks a property. A text under which our code
does something new is kept, and changed again; scripts/fuzz/corpora has those of earlier searches.
npm test replays them.

  --target NAME   one of these; all of them in turn without it:
${targets.map(({ name, about }) => `                    ${name}: ${about}`).join('\n')}
  --minutes N     how long each is searched (1)
  --seed N        what the search begins with; by chance without it

It ends with 0 when every property held, 1 when one did not, and 2 when it was called wrongly.`;

/** How many texts are tried before the time is looked at. */
const RUNS_AT_ONCE = 500;

process.exitCode = main();

function main(): number {
  try {
    const { values } = parseArgs({
      options: {
        target: { type: 'string' },
        minutes: { type: 'string', default: '1' },
        seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 30)) },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(help);
      return 0;
    }
    const minutes = Number(values.minutes);
    const seed = Number(values.seed);
    const chosen = targets.filter(({ name }) => name === (values.target ?? name));
    if (chosen.length === 0) throw new Error(`There is no target ${values.target}.`);
    if (!(minutes > 0) || !Number.isInteger(seed)) throw new Error('Give whole numbers above 0.');
    const isHeld = chosen.map((target) => search(target, seed, minutes * 60));
    return isHeld.includes(false) ? 1 : 0;
  } catch (error) {
    console.log(`${String(error)}\nnpm run fuzz -- --help says what is possible.`);
    return 2;
  }
}

/** Whether every property held. */
function search(target: Target, seed: number, seconds: number): boolean {
  const of = new Search(target, readCorpus(target.name));
  const progress = new Progress(Math.ceil(seconds), process.stdout, `seconds of ${target.name}`);
  const begun = performance.now();
  const passed = (): number => (performance.now() - begun) / 1_000;
  let finding = of.replay();
  for (let next = seed; finding === null && passed() < seconds; next += 1) {
    finding = of.explore(next, RUNS_AT_ONCE);
    progress.at(Math.min(Math.floor(passed()), Math.ceil(seconds)));
  }
  progress.end();
  of.close();
  for (const text of of.found) keep(target.name, text);
  const figures = `${count(of.runs)} texts, ${count(of.blocks)} blocks, ${count(of.found.length)} kept, seed ${seed}`;
  if (finding === null) {
    console.log(`${target.name}: every property held (${figures}, ${Math.round(passed())} s).`);
    return true;
  }
  const file = relative(process.cwd(), keep(target.name, finding.text));
  console.log(`${target.name}: ${finding.message} (${figures})`);
  console.log(
    `  ${JSON.stringify(finding.text)}\n  is kept in ${file}, so that npm test fails until it is mended.`,
  );
  return false;
}
