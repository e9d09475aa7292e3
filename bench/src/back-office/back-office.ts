import { describeMachine, judged, type Measured, median, quantile, ratiosOf } from '../measured.ts';
import { findPlaces, type Places, storeNames, type StoreName } from '../our-payments.ts';
import type { Parameters, Tell } from '../parameters.ts';
import { FLOOR, startOffice, visit, visitsOf } from './visits.ts';

const USUAL_PAYMENTS = 100_000;
const USUAL_ROUNDS = 60;
const WARM_UP = 5;
/** What a page may take, of twenty visits nineteen. */
const MOST_MS = 300;

type Office = Awaited<ReturnType<typeof openOffice>>;

interface Taken {
  readonly ms: number;
  /** Of the office's own process, without the database's. */
  readonly cpuMs: number;
}

/** What the pages of the back office take over HTTP where a store holds a year of payments. */
export async function measureBackOffice(
  tell: Tell,
  { payments = USUAL_PAYMENTS, rounds = USUAL_ROUNDS, store }: Parameters,
): Promise<Measured> {
  const places = await findPlaces();
  const offices: Office[] = [];
  try {
    for (const storeName of store === undefined ? storeNames : [store]) {
      tell(`filling ${storeName} with ${payments.toLocaleString('en')} payments`);
      offices.push(await openOffice(places, storeName, payments));
    }
    tell('visiting every page');
    for (let round = -WARM_UP; round < rounds; round += 1) {
      for (const office of offices) await visitAll(office, round);
    }
    return report(offices, payments, rounds);
  } finally {
    for (const office of offices) office.process.end();
    await places.end();
  }
}

async function openOffice(places: Places, storeName: StoreName, payments: number) {
  const address = await places.make(storeName);
  const { process, mount } = await startOffice(storeName, address, payments);
  const visits = await visitsOf(storeName, address, mount);
  /** What each round took, by page. */
  const took = new Map(visits.map(({ page }): [string, Taken[]] => [page, []]));
  return { storeName, mount, visits, took, process };
}

/** Visits each page once, in English and Arabic by turns. */
async function visitAll({ mount, visits, took, process }: Office, round: number): Promise<void> {
  const language = round % 2 === 0 ? 'en' : 'ar';
  for (const { page, addresses } of visits) {
    const address = new URL(addresses[(round + WARM_UP) % addresses.length] ?? '', mount);
    const before = await process.ask({});
    const ms = await visit(address, language);
    const cpuMs = ((await process.ask({})) - before) / 1_000;
    if (round >= 0) took.get(page)?.push({ ms, cpuMs });
  }
}

function report(offices: readonly Office[], payments: number, rounds: number): Measured {
  const verdicts = offices.flatMap(({ storeName, took }) =>
    [...took].map(([page, visits]) => {
      const times = visits.map(({ ms }) => ms);
      const ratios = ratiosOf(times, took.get(FLOOR)?.map(({ ms }) => ms) ?? []);
      const cells = [
        page,
        storeName,
        median(times).toFixed(1),
        quantile(times, 0.95).toFixed(1),
        median(ratios).toFixed(1),
        median(visits.map(({ cpuMs }) => cpuMs)).toFixed(1),
      ];
      const isMet = quantile(times, 0.95) <= MOST_MS;
      return { cells, isMet, isClearlyMissed: median(times) > MOST_MS };
    }),
  );
  const about = `a page of ${payments.toLocaleString('en')} payments, p95 ≤ ${MOST_MS} ms`;
  return judged(
    [about, 'store', 'median, ms:', 'p95, ms:', '× floor:', 'CPU, ms:'],
    verdicts,
    `${rounds} rounds. ${describeMachine()}`,
  );
}
