import { usualWatch } from '../../../packages/server-helper/src/payments/watch.ts';
import type { Measured } from '../measured.ts';
import { watchLinks, type Scenario, type Watched } from './open-links.ts';

const LINKS = 100_000;
const DAY_HOURS = 24;
const MINUTE_HOURS = 1 / 60;
const SEED = 1;

const { checksPerSecond, oldChecksPerSecond } = usualWatch;
const paces: readonly Pick<Scenario, 'checksPerSecond' | 'oldChecksPerSecond'>[] = [
  { checksPerSecond, oldChecksPerSecond },
  { checksPerSecond: 60, oldChecksPerSecond: 45 },
  { checksPerSecond: Infinity, oldChecksPerSecond: Infinity },
];

/**
 * How many status checks a second 100,000 unpaid links take, and how late they become at a limit:
 * computed in virtual time, so that it takes seconds and no machine matters.
 */
export async function measureWatch(onProgress: (text: string) => void): Promise<Measured> {
  const rows: string[] = [];
  for (const openedWithinHours of [DAY_HOURS, MINUTE_HOURS]) {
    for (const pace of paces) {
      const scenario = { links: LINKS, openedWithinHours, ...pace };
      onProgress(`${openedWithinHours === DAY_HOURS ? 'a day' : 'a minute'}, ${paceOf(scenario)}`);
      rows.push(rowOf(scenario, watchLinks(scenario, drawing(SEED))));
    }
  }
  const head = [
    '| opened in | checks a second at most | open at one time | checks of a link | checks a second, busiest day | first 15 minutes: late by | later: late by | the last link ends after |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
  ];
  return { markdown: [...head, ...rows].join('\n'), isWithinBudget: true };
}

const paceOf = (scenario: Scenario): string =>
  scenario.checksPerSecond === Infinity
    ? 'no limit'
    : `${scenario.checksPerSecond}, of old links ${scenario.oldChecksPerSecond}`;

function rowOf(scenario: Scenario, watched: Watched): string {
  const { openedWithinHours } = scenario;
  const cells = [
    openedWithinHours === DAY_HOURS ? 'a day' : 'a minute',
    paceOf(scenario),
    watched.open.toLocaleString('en'),
    watched.checksPerLink.toFixed(0),
    watched.checksPerSecond.toFixed(1),
    ...[watched.youngLate, watched.oldLate].map((late) => late.map(timeOf).join(', at most ')),
    `${watched.lastEndsAfterHours.toFixed(1)} h`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function timeOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  return seconds < 7_200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}

/** Chance that comes out the same each time (mulberry32). */
function drawing(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
