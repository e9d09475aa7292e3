import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import { judge } from './budgets.ts';
import { growthOf, measureClaims } from './claims.ts';
import { gatewayBenches, type GatewayBench } from './gateways.ts';
import { measureMedusa } from './medusa.ts';
import { partNames, storeNames, type PartName, type StoreName } from './names.ts';
import { findPlaces, type Places } from './places.ts';
import { plotClaims } from './plot.ts';
import { budgetTable, claimTables, figuresTable } from './report.ts';
import { measureRounds } from './rounds.ts';

type Measure = (
  places: Places,
  onProgress: (text: string) => void,
  parameters: Parameters,
) => Promise<Omit<Measured, 'marks'>>;

const picture = fileURLToPath(new URL('../../engine-claims.svg', import.meta.url));

const parts: Readonly<Record<PartName, Measure>> = {
  'fast-gateway': atGateway(gatewayBenches['fast-gateway']),
  'slow-gateway': atGateway(gatewayBenches['slow-gateway']),
  medusa: measureMedusa,
  claims: async (places, onProgress) => {
    const costs = await measureClaims(places, onProgress);
    writeFileSync(picture, plotClaims(costs.claim));
    const measured = [
      { words: ['a claim', 'a claim of five'], costs: costs.claim },
      { words: ['a page of a list', 'a page of fifty'], costs: costs.page },
      { words: ['a page of an amount', 'fifty of one price'], costs: costs.amount },
      { words: ['a search', 'a search that finds one'], costs: costs.search },
      { words: ['a day of figures', 'a day of a hundred payments'], costs: costs.day },
    ] as const;
    const tables = measured.flatMap((part) =>
      claimTables(part.words, part.costs, growthOf(part.costs)),
    );
    return {
      markdown: [...tables, describeMachine()].join('\n'),
      isWithinBudget: !measured.some((part) =>
        growthOf(part.costs).some((one) => one.isClearlyMissed),
      ),
    };
  },
};

/**
 * What a payment costs beside other shops, at a gateway that answers at once and at one that takes
 * its time, and how the cost grows with the tables.
 *
 * @param parameters - `rounds` and `store` are of the two gateways.
 */
export async function measureEngine(
  onProgress: (text: string) => void,
  parameters: Parameters,
): Promise<readonly Measured[]> {
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const name of parameters.only === undefined ? partNames : [parameters.only as PartName]) {
      const tell = (text: string): void => onProgress(`${name}, ${text}`);
      const found = await parts[name](places, tell, parameters);
      measured.push({ ...found, marks: `engine-${name}` });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function atGateway(bench: GatewayBench): Measure {
  return async (places, onProgress, { store, rounds = bench.rounds }) => {
    const stores = store === undefined ? storeNames : [store];
    const place = (_shopName: unknown, storeName: StoreName) => places.make(storeName);
    const series = await measureRounds({ ...bench, stores, rounds }, place, onProgress);
    const verdicts = judge(
      series,
      stores.flatMap((storeName) => bench.budgetsOf(storeName)),
    );
    const payments = bench.loads.map((load) => load.payments).join(' and ');
    const versions = ['pg', 'express', 'stripe'].map((one) => `${one} ${packageVersion(one)}`);
    const lines = [
      `At ${bench.about}:`,
      '',
      ...budgetTable(verdicts),
      ...figuresTable(series),
      `${rounds} rounds of ${payments} payments. ${describeMachine(`, ${versions.join(', ')}`)}`,
    ];
    return {
      markdown: lines.join('\n'),
      isWithinBudget: !verdicts.some((one) => one.isClearlyMissed),
    };
  };
}
