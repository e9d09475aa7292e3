import { Child } from '../child.ts';
import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  inTurn,
  judged,
  judgeRatios,
  type Measured,
  median,
  packageVersion,
  quarters,
  ratiosOf,
  table,
} from '../measured.ts';
import type { Parameters, Tell } from '../parameters.ts';
import type { ContenderName, Operation, Taken, Work } from './contenders.ts';

/** Who makes the calls, the floor first; the tables have this order. */
const names: readonly ContenderName[] = ['raw undici (floor)', 'our client', 'stripe-node'];
const operations: readonly Operation[] = ['create', 'retrieve'];
/** One at a time would mostly measure how a process wakes up. */
const CONCURRENCY = 64;
const USUAL_ROUNDS = 15;
const CALLS = 2_000;
const WARM_UP_CALLS = 20_000;

/** What our client's CPU may be, as a multiple of a peer's. */
const budgets: readonly (readonly [peer: ContenderName, most: number])[] = [
  ['raw undici (floor)', 1.3],
  ['stripe-node', 0.5],
];

/** What each round of one contender's calls took, in microseconds a call. */
interface Series {
  readonly child: Child<Taken>;
  readonly contender: ContenderName;
  readonly operation: Operation;
  readonly cpu: number[];
  readonly wall: number[];
}

/** CPU and time a call of our gateway client beside its peers, as Markdown, and its budgets. */
export async function measureClient(
  tell: Tell,
  { rounds = USUAL_ROUNDS }: Parameters,
): Promise<Measured> {
  const series = await measureRounds(rounds, tell);
  const cpuOf = (contender: ContenderName, operation: Operation) =>
    series.find((row) => row.contender === contender && row.operation === operation)?.cpu ?? [];
  const verdicts = budgets.flatMap(([peer, most]) =>
    operations.map((operation) => {
      const ratios = ratiosOf(cpuOf('our client', operation), cpuOf(peer, operation));
      const measured = [median(ratios).toFixed(2), quarters(ratios, 2)];
      const cells = [`our CPU ÷ ${peer}`, operation, most.toFixed(2), ...measured];
      return { cells, ...judgeRatios(ratios, most) };
    }),
  );
  const figures = series.map((row) => [
    row.contender,
    row.operation,
    median(row.cpu).toFixed(1),
    quarters(row.cpu, 1),
    median(ratiosOf(row.cpu, cpuOf('raw undici (floor)', row.operation))).toFixed(2),
    median(row.wall).toFixed(1),
  ]);
  const titles = 'call|CPU a call, µs:|quarters:|× floor:|time a call, µs:'.split('|');
  const versions = `, undici ${packageVersion('undici')}, stripe ${packageVersion('stripe')}`;
  return judged(
    [`budget at ${CONCURRENCY} at a time`, 'call', 'at most:', 'measured:', 'quarters:'],
    verdicts,
    ...table([`${CONCURRENCY} at a time`, ...titles], figures),
    `${rounds} rounds of ${CALLS} calls. ${describeMachine(versions)}`,
  );
}

/**
 * Measures every contender against one gateway, round by round in turn, each round beginning with
 * another one, so that what the machine does besides falls on all of them alike.
 */
async function measureRounds(rounds: number, tell: Tell): Promise<readonly Series[]> {
  const gateway = await startGateway();
  const program = new URL('contenders.ts', import.meta.url);
  const children = names.map((contender) => {
    return { contender, child: new Child<Taken>(program, [contender, gateway.origin]) };
  });
  const series = operations.flatMap((operation) =>
    children.map((one): Series => ({ ...one, operation, cpu: [], wall: [] })),
  );
  const take = ({ child, operation }: Series, calls: number): Promise<Taken> =>
    child.ask({ operation, calls, concurrency: CONCURRENCY } satisfies Work);
  try {
    await Promise.all(children.map(({ child }) => child.answer()));
    for (const one of series) {
      tell(`warming up: ${one.contender}, ${one.operation}`);
      await take(one, WARM_UP_CALLS);
    }
    for (let round = 0; round < rounds; round += 1) {
      tell(`round ${round + 1} of ${rounds}`);
      for (const one of inTurn(series, round)) {
        const taken = await take(one, CALLS);
        const { cpu, wall } = one;
        cpu.push(taken.cpuMicroseconds / CALLS);
        wall.push(taken.wallMicroseconds / CALLS);
      }
    }
    return series;
  } finally {
    for (const { child } of children) child.end();
    gateway.end();
  }
}
