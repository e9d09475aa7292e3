import { storeNames, type StoreName } from '../engine/names.ts';
import { findPlaces } from '../engine/places.ts';
import { describeMachine, type Measured, quantile, table, verdictOf } from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { measureFlood } from './flood.ts';
import { measureHungDatabase } from './hung-database.ts';
import { isMet, type Found, type Surroundings } from './scenario.ts';
import { measureSlowClients } from './slow-clients.ts';
import { measureTwoLinks } from './two-links.ts';

const USUAL_SECONDS = 30;
const USUAL_RATE = 300;

export const scenarioNames = ['flood', 'two-links', 'hung-database', 'slow-clients'] as const;
type ScenarioName = (typeof scenarioNames)[number];

interface Scenario {
  readonly stores: readonly StoreName[];
  readonly measure: (given: Surroundings) => Promise<Found>;
}

const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  flood: { stores: storeNames, measure: measureFlood },
  'two-links': { stores: storeNames, measure: measureTwoLinks },
  // A file does not hang as a network does.
  'hung-database': { stores: ['PostgreSQL'], measure: measureHungDatabase },
  // They wait before any store.
  'slow-clients': { stores: ['SQLite'], measure: measureSlowClients },
};

/** What honest shoppers notice of hostile ones, and of a database that hangs. */
export async function measureHostile(
  onProgress: (text: string) => void,
  { seconds = USUAL_SECONDS, rate = USUAL_RATE, store, only }: Parameters,
): Promise<readonly Measured[]> {
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const name of scenarioNames) {
      const { stores, measure } = scenarios[name];
      if (only !== undefined && only !== name) continue;
      const found = new Map<StoreName, Found>();
      for (const storeName of stores.filter((one) => store === undefined || one === store)) {
        const tell = (text: string): void => onProgress(`${name}, ${storeName}: ${text}`);
        found.set(storeName, await measure({ places, storeName, seconds, rate, tell }));
      }
      if (found.size === 0) continue;
      const isWithinBudget = [...found.values()].every(({ bounds }) => bounds.every(isMet));
      measured.push({ marks: `hostile-${name}`, markdown: report(found), isWithinBudget });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function report(found: ReadonlyMap<StoreName, Found>): string {
  const all = [...found];
  const bounds = all.flatMap(([storeName, one]) =>
    one.bounds.map((bound) => {
      const { about, atMost, measured } = bound;
      const rounded = Number.isInteger(measured) ? measured : measured.toFixed(2);
      return [about, storeName, atMost, rounded, verdictOf(isMet(bound))];
    }),
  );
  const series = all.flatMap(([storeName, one]) =>
    one.series.map(({ about, tookMs, failed }) => {
      const times = [0.5, 0.95, 1].map((share) => quantile(tookMs, share).toFixed(0));
      return [about, storeName, ...times, tookMs.length, failed];
    }),
  );
  return [
    ...table(['bound', 'store', 'at most:', 'measured:', ''], bounds),
    ...table(['', 'store', 'median, ms:', 'p95, ms:', 'max, ms:', 'requests:', 'failed:'], series),
    describeMachine(),
  ].join('\n');
}
