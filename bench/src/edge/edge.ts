import { setTimeout } from 'node:timers/promises';
import { cpuMicroseconds } from '../child.ts';
import { startGateway } from '../gateway.ts';
import {
  describeMachine,
  judged,
  type Measured,
  quantile,
  table,
  type Verdict,
} from '../measured.ts';
import type { PaymentRecord } from '../../../packages/server-helper/src/payments/record.ts';
import { asking, findPlaces, type StoreName } from '../our-payments.ts';
import type { Parameters, Tell } from '../parameters.ts';
import { Shop } from '../shop.ts';
import { newTally, offer, saturate, type Tallies } from './load.ts';
import { kinds, PAID_AFTER_MS, rates, REFUSED, Shoppers, type Kind } from './shoppers.ts';

const USUAL_SECONDS = 20;
/** Until code is compiled and limits, which count for a minute, forget as many orders as they meet. */
const REST_SECONDS = 70;
/** The part of the usual load that is far from too much. */
const CALM = 0.15;
const WEIGHING_SECONDS = 8;
/** Checkouts and webhooks under way at a process that is always busy and never overloaded. */
const FULL = 64;
const FULL_SECONDS = 10;
/** Of what one process can answer. */
const OVERLOAD = 2;
/** Load shedding has found its measure by then. */
const SETTLE_SECONDS = 10;
/** The shop is told to stop in the middle of this. */
const STOP_SECONDS = 2;

/** One process at twice the load that it can answer, then stopped under it. */
export async function measureEdge(
  tell: Tell,
  { seconds = USUAL_SECONDS, store: storeName = 'SQLite' }: Parameters,
): Promise<Measured> {
  const places = await findPlaces();
  const address = await places.make(storeName);
  const gateway = await startGateway({ paidAfterMs: PAID_AFTER_MS });
  const setup = { shopName: 'ours', storeName, address, background: true } as const;
  const shop = await Shop.start({ ...setup, gatewayOrigin: gateway.origin });
  const shoppers = new Shoppers(shop.port);
  const load = (part: number, length: number, wanted?: readonly Kind[]): Promise<Tallies> =>
    offer(shoppers.offers(part, wanted), AbortSignal.timeout(length * 1_000));
  /** A calm load, until memory holds what this load needs and nothing of an earlier one. */
  const heapAtRest = async (): Promise<number> => {
    tell(`${REST_SECONDS} s of a calm load`);
    await load(CALM, REST_SECONDS);
    return (await shop.ask('memory')).heapBytes;
  };
  try {
    const calm = await heapAtRest();
    tell('measuring what an answer of each kind costs');
    const costs = await weigh(shop, (wanted) => load(CALM, WEIGHING_SECONDS, wanted));

    tell(`${FULL_SECONDS} s with ${FULL} checkouts and webhooks under way`);
    await shoppers.connect();
    const signal = AbortSignal.timeout(FULL_SECONDS * 1_000);
    const full = await saturate(shoppers.offers(1), FULL, signal);
    // What a process that is always busy answers in a second, as a part of the usual load.
    const capacity = answersOf(full, 'checkout') / FULL_SECONDS / rates.checkout;

    tell(`${SETTLE_SECONDS} and ${seconds} s of twice as much`);
    await shoppers.connect();
    await load(OVERLOAD * capacity, SETTLE_SECONDS);
    const overload = await overloaded(shop, seconds, () => load(OVERLOAD * capacity, seconds));

    const growth = (await heapAtRest()) / calm;
    tell('stopping under load');
    await shoppers.connect();
    const last = load(OVERLOAD * capacity, STOP_SECONDS);
    await setTimeout((STOP_SECONDS / 2) * 1_000);
    const stopped = shop.ask('stop');
    const stopping = await last;
    // Else the shop waits for the connections that shoppers keep.
    shoppers.end();
    await stopped;
    const lost = await lostOrders(storeName, address, shoppers);
    return report({ seconds, capacity, costs, full, growth, ...overload, ...lost, stopping });
  } finally {
    await shop.end();
    shoppers.end();
    gateway.end();
    await places.end();
  }
}

/** CPU of one answer of each kind, in microseconds: what each kind adds to the kinds before it. */
async function weigh(
  shop: Shop,
  load: (wanted: readonly Kind[]) => Promise<Tallies>,
): Promise<Run['costs']> {
  const costs = { checkout: 0, webhook: 0, poll: 0 };
  for (const [index, kind] of kinds.entries()) {
    const earlier = await shop.ask('figures');
    const tallies = await load(kinds.slice(0, index + 1));
    const later = await shop.ask('figures');
    const others = kinds.reduce((sum, one) => sum + costs[one] * answersOf(tallies, one), 0);
    const own = later.cpuMicroseconds - earlier.cpuMicroseconds - others;
    costs[kind] = Math.max(0, own) / answersOf(tallies, kind);
  }
  return costs;
}

/** What the shop and the load took in an overload. */
async function overloaded(shop: Shop, seconds: number, load: () => Promise<Tallies>) {
  const before = await shop.ask('figures');
  const cpu = process.cpuUsage();
  const tallies = await load();
  const loadCpuShare = cpuMicroseconds(cpu) / 1e6 / seconds;
  const { fulfilled, loopDelayMs } = await shop.ask('figures');
  return { tallies, loadCpuShare, fulfilled: fulfilled - before.fulfilled, loopDelayMs };
}

/** Looks into the store that a stopped shop left: links, hints, and the events of paid orders. */
function lostOrders(
  storeName: StoreName,
  address: string,
  { checkedOut, hinted }: Shoppers,
): Promise<Pick<Run, 'acknowledged' | 'lost'>> {
  return asking(storeName, address, async (ask) => {
    // PostgreSQL's driver reads JSON itself.
    const records = (await ask('SELECT record FROM pay_orders')).map(
      ({ record }) => (typeof record === 'string' ? JSON.parse(record) : record) as PaymentRecord,
    );
    const idsOf = (is: (record: PaymentRecord) => boolean): ReadonlySet<string> =>
      new Set(records.filter(is).map(({ payment }) => payment.orderId));
    const open = idsOf(({ attempts }) => attempts.some(({ sessionId }) => sessionId !== null));
    const paid = idsOf(({ payment }) => payment.state === 'paid');
    const noted = idsOf(({ attempts }) => attempts.some(({ hintedAt }) => hintedAt !== null));
    const told = new Set(
      (await ask('SELECT order_id FROM pay_events')).map((one) => one['order_id']),
    );
    const lost = [
      ...checkedOut.filter((orderId) => !open.has(orderId)),
      ...[...hinted].filter((orderId) => !noted.has(orderId) && !paid.has(orderId)),
      ...[...paid].filter((orderId) => !told.has(orderId)),
    ];
    return { acknowledged: checkedOut.length + hinted.size + paid.size, lost: lost.length };
  });
}

const MAX_CHECKOUT_MS = 2_000;
const LEAST_USEFUL = 0.9;
const MAX_GROWTH = 0.1;

/** What a run found. */
interface Run {
  /** How long the process was offered twice the load that it can answer, and what came back. */
  readonly seconds: number;
  readonly tallies: Tallies;
  readonly fulfilled: number;
  /** How late the shop's event loop was, at p99, in milliseconds. */
  readonly loopDelayMs: number;
  /** The part of one core that the load's own process took. */
  readonly loadCpuShare: number;
  /** Of the usual load, what one process can answer. */
  readonly capacity: number;
  /** What came back of the process that was full. */
  readonly full: Tallies;
  /** CPU of one answer of each kind, in microseconds, at a calm load. */
  readonly costs: Readonly<Record<Kind, number>>;
  /** Memory under a calm load after the overload ÷ before it. */
  readonly growth: number;
  /** What came back while the shop stopped. */
  readonly stopping: Tallies;
  /** What was acknowledged, and how much of that is not in the store. */
  readonly acknowledged: number;
  readonly lost: number;
}

/** The figures of an overload and what became of its budgets, as Markdown. */
function report(run: Run): Measured {
  const { tallies, seconds, capacity, costs, fulfilled, loopDelayMs, loadCpuShare } = run;
  const perSecond = kinds.map((kind) => `${(rates[kind] * capacity).toFixed(0)} ${kind}s`);
  const each = kinds.map((kind) => `${kind} ${costs[kind].toFixed(0)}`);
  return judged(
    ['budget', ':', 'measured:'],
    judge(run),
    ...table(
      ['offered', 'a second:', 'accepted, median ms:', 'p99 ms:', 'answers'],
      kinds.map((kind) => row(kind, tallies, seconds)),
    ),
    `One process answered ${perSecond.join(', ')} a second when it was full, and was offered twice as much for ${seconds} s; it fulfilled ${fulfilled.toLocaleString('en')} orders, and its event loop was late by ${loopDelayMs.toFixed(0)} ms at p99. An answer under a calm load took, in µs of CPU: ${each.join(', ')}. The load took ${(loadCpuShare * 100).toFixed(0)} % of a core to send. ${describeMachine()}`,
  );
}

function judge(run: Run): readonly Verdict[] {
  const { tallies, stopping, seconds, growth, lost, acknowledged } = run;
  const p99 = quantile(tallies.get('checkout')?.acceptedMs ?? [], 0.99);
  const usefulShare =
    usefulWork(tallies, run.costs) / seconds / (usefulWork(run.full, run.costs) / FULL_SECONDS);
  const [checkouts, webhooks, polls] = kinds.map((kind) => {
    const { byStatus, latenciesMs } = tallies.get(kind) ?? {};
    return (byStatus?.get(REFUSED) ?? 0) / (latenciesMs?.length ?? 1);
  }) as [number, number, number];
  const shares = [polls, checkouts, webhooks].map((share) => `${(share * 100).toFixed(0)} %`);
  const isInOrder = webhooks === 0 && (checkouts === 0 || polls >= 0.9);
  const faults = faultsOf(tallies) + faultsOf(stopping);
  const failures = [...tallies].flatMap(([name, tally]) =>
    [...tally.failures].map(([code, count]) => `${count} × ${code} of a ${name}`),
  );
  const verdict = (isMet: boolean, ...cells: readonly string[]): Verdict => ({ cells, isMet });
  const [waited, useful] = [`${(p99 / 1e3).toFixed(2)} s`, usefulShare.toFixed(2)];
  const gone = `${lost} of ${acknowledged.toLocaleString('en')}`;
  return [
    verdict(p99 <= MAX_CHECKOUT_MS, 'p99 of an accepted checkout', '≤ 2 s', waited),
    verdict(usefulShare >= LEAST_USEFUL, 'useful work ÷ capacity', '≥ 0.90', useful),
    verdict(isInOrder, 'refused: polls, checkouts, webhooks', 'polls first', shares.join(', ')),
    verdict(faults === 0, 'faults, also while stopping', '0', String(faults)),
    verdict(failures.length === 0, 'requests without an answer', '0', failures.join(', ') || '0'),
    verdict(growth < 1 + MAX_GROWTH, 'memory after the load ÷ before', '≤ 1.10', growth.toFixed(2)),
    verdict(lost === 0, 'acknowledged and lost by stopping', '0', gone),
  ];
}

function row(kind: Kind, tallies: Tallies, seconds: number): readonly string[] {
  const { acceptedMs, byStatus, latenciesMs } = tallies.get(kind) ?? newTally();
  const times = [0.5, 0.99].map((share) => quantile(acceptedMs, share).toFixed(0));
  const answers = [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${count.toLocaleString('en')} × ${status}`);
  const perSecond = Math.round(latenciesMs.length / seconds).toLocaleString('en');
  return [kind, perSecond, ...times, answers.join(', ')];
}

const faultsOf = (tallies: Tallies): number =>
  [...tallies.values()]
    .flatMap(({ byStatus }) => [...byStatus])
    .reduce((sum, [status, count]) => sum + (status >= 500 && status !== REFUSED ? count : 0), 0);

/** What the accepted answers cost under a calm load, in microseconds. */
const usefulWork = (tallies: Tallies, costs: Run['costs']): number =>
  kinds.reduce((sum, kind) => sum + answersOf(tallies, kind) * costs[kind], 0);

/** Answers of one kind that were no refusals. */
function answersOf(tallies: Tallies, kind: Kind): number {
  const { latenciesMs = [], byStatus } = tallies.get(kind) ?? {};
  return latenciesMs.length - (byStatus?.get(REFUSED) ?? 0);
}
