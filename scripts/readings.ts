/** `npm run readings`: plays every journey of an order under every reading of the specification. */
import { parseArgs } from 'node:util';
import { combinationOf } from '../contract/matrix/combinations.ts';
import { journeyNames } from '../contract/matrix/journeys.ts';
import { readings } from '../contract/matrix/readings.ts';
import { playReading, type Row } from '../contract/matrix/run-matrix.ts';
import { legend, markdownTable, plainTable } from '../contract/matrix/table.ts';
import { count, duration, Progress } from './simulate/progress.ts';

const help = `npm run readings -- [--seed N] [--combinations M] [--only NAME] [--journey NAME] [--markdown]

Plays every journey of an order against the sandbox under each single reading of what the
specification leaves open, and under gateways of several readings at once. Each order has to be paid
once, or a person has it and health says so.

  --seed N          the first combination's seed, 0 to 4294967295 (1); the next one has N + 1
  --combinations M  how many of them (5)
  --only NAME       the readings with this name, or with this text in their names
  --journey NAME    ${journeyNames.join(' · ')}
  --markdown        prints the table as Markdown

It ends with 0 when every promise was kept, 1 when one was broken, and 2 when it was called wrongly.`;

process.exitCode = await main(process.argv.slice(2)).catch((error: unknown) => {
  console.log(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
  return 2;
});

async function main(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seed: { type: 'string', default: '1' },
      combinations: { type: 'string', default: '5' },
      only: { type: 'string' },
      journey: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const chosen = choose(
    readNumber('seed', values.seed),
    readNumber('combinations', values.combinations),
    values.only,
  );
  const journey = journeyNames.find((name) => name === values.journey);
  if (values.journey !== undefined && journey === undefined) {
    throw new Error(`There is no journey ${JSON.stringify(values.journey)}.`);
  }
  return play(chosen, journey, values.markdown);
}

function readNumber(name: string, text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new Error(`--${name} must be a whole number from 0 to 4294967295.`);
}

function choose(seed: number, combinations: number, only: string | undefined) {
  const combined = Array.from({ length: combinations }, (_, index) => combinationOf(seed + index));
  const all = [...readings, ...combined];
  const exact = all.filter(({ name }) => name === only);
  const found = exact.length > 0 ? exact : all.filter(({ name }) => name.includes(only ?? ''));
  if (found.length === 0) throw new Error(`No reading has ${JSON.stringify(only)} in its name.`);
  return found;
}

async function play(
  chosen: ReturnType<typeof choose>,
  journey: (typeof journeyNames)[number] | undefined,
  asMarkdown: boolean,
): Promise<number> {
  const progress = new Progress(chosen.length, process.stderr, 'readings');
  const begun = performance.now();
  const rows: Row[] = [];
  for (const reading of chosen) {
    rows.push(await playReading(reading, journey === undefined ? undefined : [journey]));
    progress.at(rows.length);
  }
  progress.end();
  console.log(asMarkdown ? markdownTable(rows) : plainTable(rows));
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
        `✗ ${name} / ${journey}: ${reason}\n  again: npm run readings -- ${which} --journey "${journey}"`,
    );
}
