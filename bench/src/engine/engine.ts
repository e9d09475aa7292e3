import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { judge } from './budgets.ts';
import { findPlaces } from './places.ts';
import { budgetTable, memoryTable, rateTables } from './report.ts';
import { measureRounds } from './rounds.ts';

const extent = { rounds: 15, payments: { 64: 640, 1: 120 }, warmUpPayments: 4_000 };

/** What a payment costs beside shops that are written by hand, and how it grows with the tables. */
export async function measureEngine(onProgress: (text: string) => void): Promise<Measured> {
  const places = await findPlaces();
  try {
    const place = (_keeper: unknown, storeName: Parameters<typeof places.make>[0]) =>
      places.make(storeName);
    const { series, memory } = await measureRounds(extent, place, onProgress);
    const verdicts = judge(series);
    const versions = `, PostgreSQL by pg ${packageVersion('pg')}, express ${packageVersion('express')}`;
    const lines = [
      ...budgetTable(verdicts),
      ...rateTables(series),
      ...memoryTable(memory),
      `${extent.rounds} rounds of ${extent.payments[64]} and ${extent.payments[1]} payments. ${describeMachine(versions)}`,
    ];
    return {
      markdown: lines.join('\n'),
      isWithinBudget: !verdicts.some((one) => one.isClearlyMissed),
    };
  } finally {
    await places.end();
  }
}
