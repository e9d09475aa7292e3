import { Child } from '../child.ts';
import type { Taken, Work } from './contender-process.ts';
import { contenderNames, operations, type ContenderName, type Operation } from './names.ts';

/** How many calls are made at a time. */
export const concurrencies = [64, 1] as const;

/** What each round of one contender's calls took, in microseconds a call. */
export interface Series {
  readonly contender: ContenderName;
  readonly operation: Operation;
  readonly concurrency: number;
  readonly cpu: readonly number[];
  readonly wall: readonly number[];
}

/** How long a measurement is. */
export interface Extent {
  readonly rounds: number;
  readonly calls: number;
  /** Before the first round, for each kind of call: the compiler goes on improving for long. */
  readonly warmUpCalls: number;
}

/**
 * Measures every contender against one gateway, round by round in turn, each round beginning with
 * another one, so that what the machine does besides falls on all of them alike.
 */
export async function measureRounds(
  { rounds, calls, warmUpCalls }: Extent,
  onProgress: (text: string) => void,
): Promise<readonly Series[]> {
  const file = new URL('contender-process.ts', import.meta.url);
  const gateway = new Child<number>(new URL('gateway.ts', import.meta.url));
  const children = new Map<ContenderName, Child<Taken>>();
  try {
    const origin = `http://127.0.0.1:${await gateway.started()}`;
    for (const name of contenderNames) {
      const child = new Child<Taken>(file, [name, origin]);
      children.set(name, child);
      await child.started();
    }
    const series = [...children].flatMap(([contender, child]) =>
      operations.flatMap((operation) =>
        concurrencies.map((concurrency) => {
          const empty = { cpu: [] as number[], wall: [] as number[] };
          return { contender, operation, concurrency, child, ...empty };
        }),
      ),
    );
    // The same code runs at any concurrency; the highest warms it up soonest.
    const busiest = series.filter(({ concurrency }) => concurrency === Math.max(...concurrencies));
    for (const [index, { child, operation, concurrency }] of busiest.entries()) {
      onProgress(`warming up: ${index + 1} of ${busiest.length}`);
      await child.ask({ operation, concurrency, calls: warmUpCalls } satisfies Work);
    }
    for (let round = 0; round < rounds; round += 1) {
      onProgress(`round ${round + 1} of ${rounds}`);
      for (const { child, operation, concurrency, cpu, wall } of inTurn(series, round)) {
        const taken = await child.ask({ operation, concurrency, calls } satisfies Work);
        cpu.push(taken.cpuMicroseconds / calls);
        wall.push(taken.wallMicroseconds / calls);
      }
    }
    return series.map(({ child: _child, ...measured }) => measured);
  } finally {
    for (const child of [gateway, ...children.values()]) child.end();
  }
}

/** Contenders beside each other for each kind of call, and each round another one first. */
function inTurn<Row extends Pick<Series, 'operation' | 'concurrency'>>(
  series: readonly Row[],
  round: number,
): readonly Row[] {
  return operations.flatMap((operation) =>
    concurrencies.flatMap((concurrency) => {
      const rows = series.filter(
        (row) => row.operation === operation && row.concurrency === concurrency,
      );
      const first = round % rows.length;
      return [...rows.slice(first), ...rows.slice(0, first)];
    }),
  );
}
