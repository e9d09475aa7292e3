import type { Budget } from './budgets.ts';
import { operations, type StoreName } from './names.ts';
import type { Extent } from './rounds.ts';

/** A measurement of the shops at one gateway, and what it is judged by. */
export interface GatewayBench extends Omit<Extent, 'stores'> {
  readonly about: string;
  budgetsOf(storeName: StoreName): readonly Budget[];
}

/** A gateway that answers at once shows what each shop costs; one at a time is reported only. */
const fast: GatewayBench = {
  about: 'a gateway that answers at once',
  gatewayMs: 0,
  rounds: 9,
  loads: [
    { concurrency: 64, payments: 1_536 },
    { concurrency: 1, payments: 384 },
  ],
  warmUp: { concurrency: 64, payments: 6_000 },
  budgetsOf: (storeName) =>
    operations.flatMap((operation): readonly Budget[] => {
      const rate = { operation, storeName, concurrency: 64, figure: 'requestsPerSecond' } as const;
      const floor = { ...rate, against: 'by hand (floor)' } as const;
      return storeName === 'SQLite'
        ? [{ ...floor, bound: 1 }]
        : [
            { ...floor, bound: 0.75 },
            { ...rate, against: 'stripe-node', bound: 1 },
          ];
    }),
};

/** A gateway that really works answers about as soon, and a busy shop has as many shoppers. */
const slow: GatewayBench = {
  about: 'a gateway that answers after 100 ms',
  gatewayMs: 100,
  rounds: 5,
  loads: [
    { concurrency: 64, payments: 640 },
    { concurrency: 256, payments: 2_048 },
  ],
  warmUp: { concurrency: 256, payments: 3_072 },
  budgetsOf: (storeName) =>
    [64, 256].flatMap((concurrency) =>
      operations.flatMap((operation): readonly Budget[] => {
        const floor = { operation, storeName, concurrency, against: 'by hand (floor)' } as const;
        return [
          { ...floor, figure: 'medianMs', bound: 1.05 },
          { ...floor, figure: 'p99Ms', bound: 1.05 },
          { ...floor, figure: 'requestsPerSecond', bound: 0.97 },
        ];
      }),
    ),
};

/** The measurements by the name of their part. */
export const gatewayBenches = { 'fast-gateway': fast, 'slow-gateway': slow } as const;
