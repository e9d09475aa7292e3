import { describeMachine, judged, type Measured, quantile, table } from '../measured.ts';
import { findPlaces, storeNames, type StoreName } from '../our-payments.ts';
import type { Parameters, Tell } from '../parameters.ts';
import { measureFlood } from './forged-webhooks.ts';
import { measureHungDatabase } from './hung-database.ts';
import type { Found } from './scenario.ts';
import { measureSlowClients } from './slow-clients.ts';

const USUAL_SECONDS = 30;
const USUAL_RATE = 300;

const scenarios = {
  flood: { stores: storeNames, measure: measureFlood },
  // A file does not hang as a network does.
  'hung-database': { stores: ['PostgreSQL'], measure: measureHungDatabase },
  // They wait before any store.
  'slow-clients': { stores: ['SQLite'], measure: measureSlowClients },
} as const;
export const scenarioNames = Object.keys(scenarios);

/** What honest shoppers notice of hostile ones, and of a database that hangs. */
export async function measureHostile(
  tellAll: Tell,
  { seconds = USUAL_SECONDS, rate = USUAL_RATE, store, only }: Parameters,
): Promise<readonly Measured[]> {
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const [name, { stores, measure }] of Object.entries(scenarios)) {
      if (only !== undefined && only !== name) continue;
      const found = new Map<StoreName, Found>();
      for (const storeName of stores.filter((one) => store === undefined || one === store)) {
        const tell = (text: string): void => tellAll(`${name}, ${storeName}: ${text}`);
        found.set(storeName, await measure({ places, storeName, seconds, rate, tell }));
      }
      if (found.size > 0) measured.push({ ...report(found), marks: `hostile-${name}` });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function report(found: ReadonlyMap<StoreName, Found>): Measured {
  const verdicts = [...found].flatMap(([storeName, { bounds }]) =>
    bounds.map(({ cells, isMet }) => ({ cells: [storeName, ...cells], isMet })),
  );
  const figures = [...found].flatMap(([storeName, { series }]) =>
    series.map(({ about, tookMs, failed }) => {
      const times = [0.5, 0.95, 1].map((share) => quantile(tookMs, share).toFixed(0));
      return [about, storeName, ...times, tookMs.length, failed];
    }),
  );
  return judged(
    ['store', 'bound', 'at most:', 'measured:'],
    verdicts,
    ...table(['', 'store', 'median, ms:', 'p95, ms:', 'max, ms:', 'requests:', 'failed:'], figures),
    describeMachine(),
  );
}
