/** `npm run tool -- readings`: plays every journey of an order under every reading of the specification. */
import { journeyNames } from '../contract/matrix/journeys.ts';
import { brokenIn, type OutcomeKind, playReading } from '../contract/matrix/play.ts';
import { combinationOf, readings } from '../contract/matrix/readings.ts';
import { anyText, runCommand, wholeNumber } from './long-run.ts';

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

const help = `npm run tool -- readings [--seed N] [--combinations M] [--only NAME]

Plays every journey of an order against the sandbox under each single reading of what the
specification leaves open, and under gateways of several readings at once. Each order has to be paid
once, or a person has it and health says so. A line for each reading has a sign for each journey:
${journeyNames.join(' · ')}

  --seed N          the first combination's seed, 0 to 4294967295 (1); the next one has N + 1
  --combinations M  how many of them (5)
  --only NAME       the readings with this text in their names, such as "combination 7:" with --seed 7

It ends with 0 when every promise was kept, 1 when one was broken, and 2 when it was called wrongly.`;

const most = 2 ** 32 - 1;
const options = {
  seed: wholeNumber(0, most, 1),
  combinations: wholeNumber(0, most, 5),
  only: anyText,
};

await runCommand(help, options, async ({ seed, combinations, only = '' }) => {
  const combined = Array.from({ length: combinations }, (_, index) => combinationOf(seed + index));
  const chosen = [...readings, ...combined].filter(({ name }) => name.includes(only));
  if (chosen.length === 0) {
    console.log(`No reading has ${JSON.stringify(only)} in its name.`);
    return 2;
  }
  console.log(`${journeyNames.join(' · ')}\n${legend}\n`);
  let failures = 0;
  for (const reading of chosen) {
    const row = await playReading(reading);
    const kinds = journeyNames.map((name) => row.cells.get(name)?.kind);
    const cells = kinds.map((kind) => (kind === undefined ? ' ' : signs[kind]));
    console.log(`${cells.join(' ')}  ${reading.name}`);
    for (const [journey, { reason }] of brokenIn(row)) {
      failures += 1;
      console.log(`  ✗ ${journey}: ${reason}`);
    }
  }
  console.log(`\n${failures} journeys failed.`);
  return failures === 0 ? 0 : 1;
});
