import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { judge } from './budgets.ts';
import { growthOf, measureClaims } from './claims.ts';
import { storeNames, type StoreName } from './names.ts';
import { findPlaces, type Places } from './places.ts';
import { plotClaims } from './plot.ts';
import { budgetTable, claimTables, memoryTable, rateTables } from './report.ts';
import { measureRounds, type Extent } from './rounds.ts';
import { marked, measureSlowGateway } from './slow-gateway.ts';

const extent: Extent = {
  stores: storeNames,
  gatewayMs: 0,
  rounds: 9,
  loads: [
    { concurrency: 64, payments: 1_536 },
    { concurrency: 1, payments: 384 },
  ],
  warmUp: { concurrency: 64, payments: 6_000 },
};

const picture = fileURLToPath(new URL('../../engine-claims.svg', import.meta.url));

/**
 * What a payment costs beside shops that are written by hand, at a gateway that answers at once and
 * at one that takes its time, and how it grows with the tables.
 *
 * @param parameters - `--only slow-gateway` for that part alone, which also takes `--rounds N` and
 * `--store NAME`.
 */
export async function measureEngine(
  onProgress: (text: string) => void,
  parameters: readonly string[],
): Promise<Measured> {
  const only = parameters.indexOf('--only');
  const part = only === -1 ? undefined : parameters[only + 1];
  if (only !== -1 && part !== 'slow-gateway') throw new Error('--only takes slow-gateway.');
  const places = await findPlaces();
  try {
    if (part !== undefined) return await measureSlowGateway(places, parameters, onProgress);
    return await measureAll(places, onProgress);
  } finally {
    await places.end();
  }
}

async function measureAll(places: Places, onProgress: (text: string) => void): Promise<Measured> {
  const place = (_keeper: unknown, storeName: StoreName) => places.make(storeName);
  const { series, memory } = await measureRounds(extent, place, onProgress);
  const slow = await measureSlowGateway(places, [], (text) => onProgress(`slow gateway, ${text}`));
  const costs = await measureClaims(places, onProgress);
  writeFileSync(picture, plotClaims(costs));
  const [verdicts, growth] = [judge(series), growthOf(costs)];
  const versions = `, PostgreSQL by pg ${packageVersion('pg')}, express ${packageVersion('express')}`;
  const payments = extent.loads.map((load) => load.payments).join(' and ');
  const lines = [
    ...budgetTable(verdicts),
    ...rateTables(series, extent.loads),
    ...marked(slow),
    ...claimTables(costs, growth),
    ...memoryTable(memory),
    `${extent.rounds} rounds of ${payments} payments. ${describeMachine(versions)}`,
  ];
  const isClearlyMissed = [...verdicts, ...growth].some((one) => one.isClearlyMissed);
  return { markdown: lines.join('\n'), isWithinBudget: slow.isWithinBudget && !isClearlyMissed };
}
