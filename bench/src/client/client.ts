import { Child } from '../child.ts';
import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  inTurn,
  judgeRatios,
  type Measured,
  median,
  packageVersion,
  quarters,
  ratiosOf,
  table,
  verdictOf,
} from '../measured.ts';
import type { Parameters } from '../parameters.ts';
import type { ContenderName, Operation, Taken, Work } from './contenders.ts';

/** Who makes the calls, the floor first; the tables have this order. */
const names: readonly ContenderName[] = [
  'raw undici (floor)',
  'our client',
  'global fetch',
  'stripe-node',
];
const operations: readonly Operation[] = ['create', 'retrieve'];
/** One call at a time is shown, but mostly measures how a process wakes up. */
const JUDGED = 64;
const concurrencies = [JUDGED, 1];
const USUAL_ROUNDS = 15;
const CALLS = 2_000;
const WARM_UP_CALLS = 20_000;

/** What our client's CPU may be, as a multiple of a peer's. */
const budgets: readonly { readonly peer: ContenderName; readonly most: number }[] = [
  { peer: 'raw undici (floor)', most: 1.3 },
  { peer: 'stripe-node', most: 0.5 },
];

/** What each round of one contender's calls took, in microseconds a call. */
interface Series {
  readonly contender: ContenderName;
  readonly operation: Operation;
  readonly concurrency: number;
  readonly cpu: number[];
  readonly wall: number[];
}

/** CPU and time a call of our gateway client beside its peers, as Markdown, and its budgets. */
export async function measureClient(
  tell: (text: string) => void,
  { rounds = USUAL_ROUNDS }: Parameters,
): Promise<Measured> {
  const series = await measureRounds(rounds, tell);
  const cpuOf = (
    contender: ContenderName,
    { operation, concurrency }: Omit<Series, 'contender' | 'cpu' | 'wall'>,
  ) =>
    series.find(
      (row) =>
        row.contender === contender &&
        row.operation === operation &&
        row.concurrency === concurrency,
    )?.cpu ?? [];
  const verdicts = budgets.flatMap(({ peer, most }) =>
    operations.map((operation) => {
      const calls = { operation, concurrency: JUDGED };
      const ratios = ratiosOf(cpuOf('our client', calls), cpuOf(peer, calls));
      return { peer, most, operation, ratios, ...judgeRatios(ratios, most) };
    }),
  );
  const versions = `, undici ${packageVersion('undici')}, global fetch’s undici ${process.versions['undici'] ?? 'unknown'}, stripe ${packageVersion('stripe')}`;
  const lines = [
    ...table(
      [`budget at ${JUDGED} at a time`, 'call', 'at most:', 'measured:', 'quarters:', ''],
      verdicts.map(({ peer, operation, most, ratios, isMet, isClearlyMissed }) => [
        `our CPU ÷ ${peer}`,
        operation,
        most.toFixed(2),
        median(ratios).toFixed(2),
        quarters(ratios, 2),
        verdictOf(isMet, isClearlyMissed),
      ]),
    ),
    ...table(
      'at a time:|contender|call|CPU a call, µs:|quarters:|× floor:|time a call, µs:'.split('|'),
      series.map((row) => [
        row.concurrency,
        row.contender,
        row.operation,
        median(row.cpu).toFixed(1),
        quarters(row.cpu, 1),
        median(ratiosOf(row.cpu, cpuOf('raw undici (floor)', row))).toFixed(2),
        median(row.wall).toFixed(1),
      ]),
    ),
    `${rounds} rounds of ${CALLS} calls. ${describeMachine(versions)}`,
  ];
  const isWithinBudget = !verdicts.some((one) => one.isClearlyMissed);
  return { markdown: lines.join('\n'), isWithinBudget };
}

/**
 * Measures every contender against one gateway, round by round in turn, each round beginning with
 * another one, so that what the machine does besides falls on all of them alike.
 */
async function measureRounds(
  rounds: number,
  tell: (text: string) => void,
): Promise<readonly Series[]> {
  const gateway = await startGateway();
  const children = new Map<ContenderName, Child<Taken>>();
  const take = (contender: ContenderName, work: Work): Promise<Taken> =>
    children.get(contender)?.ask(work) ?? Promise.reject(new Error(`There is no ${contender}.`));
  try {
    for (const name of names) {
      const child = new Child<Taken>(new URL('contenders.ts', import.meta.url), [
        name,
        gateway.origin,
      ]);
      children.set(name, child);
      await child.started();
    }
    for (const name of names) {
      tell(`warming up: ${name}`);
      // The same code runs at any concurrency; the highest warms it up soonest.
      for (const operation of operations) {
        await take(name, { operation, concurrency: JUDGED, calls: WARM_UP_CALLS });
      }
    }
    const kinds = concurrencies.flatMap((concurrency) =>
      operations.map((operation) => ({ concurrency, operation })),
    );
    const series: Series[] = kinds.flatMap((kind) =>
      names.map((contender) => ({ contender, ...kind, cpu: [], wall: [] })),
    );
    for (let round = 0; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const { contender, operation, concurrency, cpu, wall } of inTurn(series, round)) {
        const taken = await take(contender, { operation, concurrency, calls: CALLS });
        cpu.push(taken.cpuMicroseconds / CALLS);
        wall.push(taken.wallMicroseconds / CALLS);
      }
    }
    return series;
  } finally {
    for (const child of children.values()) child.end();
    gateway.end();
  }
}
