import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describeMachine, packageVersion } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { readNumber } from '../parameters.ts';
import { judge } from './budgets.ts';
import { growthOf, measureClaims } from './claims.ts';
import { gatewayBenches } from './gateways.ts';
import { measureMedusa } from './medusa.ts';
import { readStores, type StoreName } from './names.ts';
import { findPlaces, type Places } from './places.ts';
import { plotClaims } from './plot.ts';
import { budgetTable, claimTables, figuresTable } from './report.ts';
import { measureRounds } from './rounds.ts';

type Measure = (
  places: Places,
  onProgress: (text: string) => void,
  parameters: readonly string[],
) => Promise<Omit<Measured, 'marks'>>;

const picture = fileURLToPath(new URL('../../engine-claims.svg', import.meta.url));

/** The parts by the name that `--only` takes, in their order. */
const parts: Readonly<Record<string, Measure>> = {
  ...Object.fromEntries(Object.keys(gatewayBenches).map((name) => [name, atGateway(name)])),
  medusa: measureMedusa,
  claims: async (places, onProgress) => {
    const costs = await measureClaims(places, onProgress);
    writeFileSync(picture, plotClaims(costs));
    const growth = growthOf(costs);
    return {
      markdown: [...claimTables(costs, growth), describeMachine()].join('\n'),
      isWithinBudget: !growth.some((one) => one.isClearlyMissed),
    };
  },
};

/**
 * What a payment costs beside other shops, at a gateway that answers at once and at one that takes
 * its time, and how the cost grows with the tables.
 *
 * @param parameters - `--only PART`; `--rounds N` and `--store NAME` for the two gateways.
 */
export async function measureEngine(
  onProgress: (text: string) => void,
  parameters: readonly string[],
): Promise<readonly Measured[]> {
  const only = parameters.indexOf('--only');
  const wanted = only === -1 ? Object.keys(parts) : [parameters[only + 1] ?? ''];
  const places = await findPlaces();
  const measured: Measured[] = [];
  try {
    for (const name of wanted) {
      const measure = parts[name];
      if (!measure) throw new Error(`--only takes one of ${Object.keys(parts).join(', ')}.`);
      const found = await measure(places, (text) => onProgress(`${name}, ${text}`), parameters);
      measured.push({ ...found, marks: `engine-${name}` });
    }
    return measured;
  } finally {
    await places.end();
  }
}

function atGateway(name: string): Measure {
  return async (places, onProgress, parameters) => {
    const bench = gatewayBenches[name];
    if (bench === undefined) throw new Error(`There is no gateway named ${name}.`);
    const stores = readStores(parameters);
    const rounds = readNumber(parameters, '--rounds', bench.rounds);
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
