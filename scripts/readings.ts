/** `npm run tool -- readings`: plays every journey of an order under every reading of the specification. */
import { journeyNames } from '../contract/matrix/journeys.ts';
import { brokenIn, type OutcomeKind, playReading, type Row } from '../contract/matrix/play.ts';
import { combinationOf, readings } from '../contract/matrix/readings.ts';
import {
  anyText,
  count,
  duration,
  oneOf,
  progressOf,
  runCommand,
  wholeNumber,
} from './long-run.ts';

const signs: Readonly<Record<OutcomeKind, string>> = {
  paid: '●',
  unpaid: '○',
  review: 'R',
  refused: '–',
  silent: 's',
  failure: '✗',
  wrong: '‼',
};

const legend =
  '● as it should, with money, once · ○ as it should, without money · R a person has the order, and health says so · – the call was refused, and no money moved · s silent for a written reason · ✗ a failure · ‼ shipped twice or without money · blank: the journey does not come by what differs';

const help = `npm run tool -- readings [--seed N] [--combinations M] [--only NAME] [--journey NAME]

Plays every journey of an order against the sandbox under each single reading of what the
specification leaves open, and under gateways of several readings at once. Each order has to be paid
once, or a person has it and health says so. The table is Markdown.

  --seed N          the first combination's seed, 0 to 4294967295 (1); the next one has N + 1
  --combinations M  how many of them (5)
  --only NAME       the readings with this name, or with this text in their names
  --journey NAME    ${journeyNames.join(' · ')}

It ends with 0 when every promise was kept, 1 when one was broken, and 2 when it was called wrongly.`;

const options = {
  seed: wholeNumber(0, 2 ** 32 - 1, 1),
  combinations: wholeNumber(0, 2 ** 32 - 1, 5),
  only: anyText,
  journey: oneOf(journeyNames),
};

await runCommand(help, options, async ({ seed, combinations, only = '', journey }) => {
  const combined = Array.from({ length: combinations }, (_, index) => combinationOf(seed + index));
  const all = [...readings, ...combined];
  const exact = all.filter(({ name }) => name === only);
  const chosen = exact.length > 0 ? exact : all.filter(({ name }) => name.includes(only));
  if (chosen.length === 0) {
    console.log(`No reading has ${JSON.stringify(only)} in its name.`);
    return 2;
  }
  const tell = progressOf(chosen.length, 'readings');
  const begun = performance.now();
  const rows: Row[] = [];
  for (const reading of chosen) {
    rows.push(await playReading(reading, journey === undefined ? undefined : [journey]));
    tell(rows.length);
  }
  console.log(`${tableOf(rows)}\n\n${legend}`);
  const failures = rows.flatMap(failuresOf);
  for (const failure of failures) console.log(`\n${failure}`);
  const cells = rows.reduce((sum, row) => sum + row.cells.size, 0);
  const time = duration((performance.now() - begun) / 1_000);
  console.log(`\n${count(failures.length)} of ${count(cells)} journeys failed (${time}).`);
  return failures.length === 0 ? 0 : 1;
});

/** Each failure of a row, with the command that repeats it. */
function failuresOf(row: Row): readonly string[] {
  const { name } = row.reading;
  const [, seed] = /^combination (\d+):/.exec(name) ?? [];
  const which =
    seed === undefined
      ? `--combinations 0 --only "${name}"`
      : `--seed ${seed} --combinations 1 --only "combination ${seed}:"`;
  return brokenIn(row).map(
    ([journey, { reason }]) =>
      `✗ ${name} / ${journey}: ${reason}\n  again: npm run tool -- readings ${which} --journey "${journey}"`,
  );
}

function tableOf(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(({ reading }) => reading.name.length), 'reading'.length);
  const line = (first: string, cellOf: (name: (typeof journeyNames)[number]) => string): string =>
    `| ${[first.padEnd(width), ...journeyNames.map((name) => cellOf(name).padEnd(name.length))].join(' | ')} |`;
  return [
    line('reading', (name) => name),
    line('-'.repeat(width), (name) => '-'.repeat(name.length)),
    ...rows.map(({ reading, cells }) =>
      line(reading.name, (name) => {
        const outcome = cells.get(name);
        return outcome === undefined ? '' : signs[outcome.kind];
      }),
    ),
  ].join('\n');
}
