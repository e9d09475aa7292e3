/** `npm run tool -- readings`: plays every journey of an order under every reading of the specification. */
import { combinationOf } from '../contract/matrix/combinations.ts';
import { journeyNames } from '../contract/matrix/journeys.ts';
import { readings } from '../contract/matrix/readings.ts';
import { playReading, type Row } from '../contract/matrix/run-matrix.ts';
import { legend, markdownTable, plainTable } from '../contract/matrix/table.ts';
import {
  anyText,
  count,
  duration,
  flag,
  oneOf,
  Progress,
  runCommand,
  type ValuesOf,
  wholeNumber,
} from './simulate/long-run.ts';

const help = `npm run tool -- readings [--seed N] [--combinations M] [--only NAME] [--journey NAME] [--markdown]

Plays every journey of an order against the sandbox under each single reading of what the
specification leaves open, and under gateways of several readings at once. Each order has to be paid
once, or a person has it and health says so.

  --seed N          the first combination's seed, 0 to 4294967295 (1); the next one has N + 1
  --combinations M  how many of them (5)
  --only NAME       the readings with this name, or with this text in their names
  --journey NAME    ${journeyNames.join(' · ')}
  --markdown        prints the table as Markdown

It ends with 0 when every promise was kept, 1 when one was broken, and 2 when it was called wrongly.`;

const options = {
  seed: wholeNumber(0, 2 ** 32 - 1, 1),
  combinations: wholeNumber(0, 2 ** 32 - 1, 5),
  only: anyText,
  journey: oneOf(journeyNames),
  markdown: flag,
};
type Asked = ValuesOf<typeof options>;

await runCommand(help, options, play);

function choose({ seed, combinations, only = '' }: Asked) {
  const combined = Array.from({ length: combinations }, (_, index) => combinationOf(seed + index));
  const all = [...readings, ...combined];
  const exact = all.filter(({ name }) => name === only);
  return exact.length > 0 ? exact : all.filter(({ name }) => name.includes(only));
}

async function play(asked: Asked): Promise<number> {
  const { journey, markdown } = asked;
  const chosen = choose(asked);
  if (chosen.length === 0) {
    console.log(`No reading has ${JSON.stringify(asked.only)} in its name.`);
    return 2;
  }
  const progress = new Progress(chosen.length, process.stderr, ' readings');
  const begun = performance.now();
  const rows: Row[] = [];
  for (const reading of chosen) {
    rows.push(await playReading(reading, journey === undefined ? undefined : [journey]));
    progress.at(rows.length);
  }
  progress.end();
  console.log(markdown ? markdownTable(rows) : plainTable(rows));
  console.log(`\n${legend}`);
  const failures = rows.flatMap(failuresOf);
  for (const failure of failures) console.log(`\n${failure}`);
  const cells = rows.reduce((sum, row) => sum + row.cells.size, 0);
  const time = duration((performance.now() - begun) / 1_000);
  console.log(`\n${count(failures.length)} of ${count(cells)} journeys failed (${time}).`);
  return failures.length === 0 ? 0 : 1;
}

/** Each failure of a row, with the command that repeats it. */
function failuresOf({ reading: { name }, cells }: Row): readonly string[] {
  const [, seed] = /^combination (\d+):/.exec(name) ?? [];
  const which =
    seed === undefined
      ? `--combinations 0 --only "${name}"`
      : `--seed ${seed} --combinations 1 --only "combination ${seed}:"`;
  return [...cells]
    .filter(([, { kind }]) => kind === 'failure' || kind === 'wrong')
    .map(
      ([journey, { reason }]) =>
        `✗ ${name} / ${journey}: ${reason}\n  again: npm run tool -- readings ${which} --journey "${journey}"`,
    );
}
