import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { judge } from './budgets.ts';
import { growthOf, measureClaims } from './claims.ts';
import { findPlaces } from './places.ts';
import { plotClaims } from './plot.ts';
import { budgetTable, claimTables, memoryTable, rateTables } from './report.ts';
import { measureRounds } from './rounds.ts';

const extent = { rounds: 9, payments: { 64: 1_536, 1: 384 }, warmUpPayments: 6_000 };

const picture = fileURLToPath(new URL('../../engine-claims.svg', import.meta.url));

/** What a payment costs beside shops that are written by hand, and how it grows with the tables. */
export async function measureEngine(onProgress: (text: string) => void): Promise<Measured> {
  const places = await findPlaces();
  try {
    const place = (_keeper: unknown, storeName: Parameters<typeof places.make>[0]) =>
      places.make(storeName);
    const { series, memory } = await measureRounds(extent, place, onProgress);
    const costs = await measureClaims(places, onProgress);
    writeFileSync(picture, plotClaims(costs));
    const [verdicts, growth] = [judge(series), growthOf(costs)];
    const versions = `, PostgreSQL by pg ${packageVersion('pg')}, express ${packageVersion('express')}`;
    const lines = [
      ...budgetTable(verdicts),
      ...rateTables(series),
      ...claimTables(costs, growth),
      ...memoryTable(memory),
      `${extent.rounds} rounds of ${extent.payments[64]} and ${extent.payments[1]} payments. ${describeMachine(versions)}`,
    ];
    return {
      markdown: lines.join('\n'),
      isWithinBudget: ![...verdicts, ...growth].some((one) => one.isClearlyMissed),
    };
  } finally {
    await places.end();
  }
}
