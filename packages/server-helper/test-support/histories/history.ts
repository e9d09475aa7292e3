import type { SaleEnd } from '../simulated-gateway.ts';
import type { GatewayMood } from '../simulated-answers.ts';
import type { ChargeEnd, MoneyMood } from '../simulated-transactions.ts';
import { Chance } from './chance.ts';
import { HOUR_MS, MINUTE_MS } from '../durations.ts';

/** The orders of the simulated shop. */
export const ORDER_IDS = ['a', 'b'] as const;
export type OrderId = (typeof ORDER_IDS)[number];

/** A thing of some kind that is done about an order. */
export type OfOrder<Kind extends string, More = object> = {
  readonly kind: Kind;
  readonly orderId: OrderId;
} & Readonly<More>;

/** The only person who proposes refunds, and the only other one. */
export const [PROPOSER, APPROVER] = ['Noura', 'Salem'];

/** Why a proposal is taken back. */
export const WITHDRAWN = 'a mistake';

/** Why a person accepts money. */
export const ACCEPTED = 'accepted by a person';

/** What happens at the gateway to an order's money, and no call of ours causes. */
export interface ElsewhereDeed {
  readonly kind: 'elsewhere';
  readonly orderId: OrderId;
  readonly what: 'refund-part' | 'refund-rest' | 'reversal' | 'second-charge';
  /** Which of the order's transactions. */
  readonly pick: number;
}

/** One thing that happens to money that was, or will be, paid. */
export type MoneyStep =
  /** With its own key and, so that the gateway can tell them apart, its own amount. */
  | OfOrder<'refund' | 'capture' | 'void' | 'charge' | 'propose', { key: number }>
  /** By another person, or the proposer by another spelling, who picks among the order's proposals, approved or not. */
  | OfOrder<'approve', { pick: number; by: string }>
  | OfOrder<'sale', { key: number; isAuthorization: boolean }>
  | OfOrder<'person-checks' | 'withdraw'>
  | { readonly kind: 'money-mood'; readonly mood: MoneyMood }
  | { readonly kind: 'sale-end'; readonly end: SaleEnd }
  | { readonly kind: 'charge-end'; readonly end: ChargeEnd }
  | { readonly kind: 'refunds-settle'; readonly atOnce: boolean };

/**
 * One thing that a person, a process or the gateway does. A person who reopens an order resolves what is
 * open of it; one who accepts money has seen it on the gateway's dashboard.
 */
export type Deed =
  | OfOrder<'want-to-pay' | 'confirm' | 'cancel' | 'reopen' | 'accept' | 'poll'>
  /** What the address says that the shopper comes back to. */
  | OfOrder<'return', { claims: 'success' | 'failure' }>
  /** With what an attacker writes instead of an attempt's name. */
  | OfOrder<'webhook', { attemptNumber: number; garbage: string | null }>
  /** With what the gateway takes instead of the amount, by a fault of its own. */
  | OfOrder<'pay', { pick: number; isApproved: boolean; oddMinorUnits: number | null }>
  /** `null`: the order vanishes. */
  | OfOrder<'reprice', { amount: string | null }>
  | { readonly kind: 'mood'; readonly mood: GatewayMood }
  /** The clock of the shop's machine runs ahead for a while. */
  | { readonly kind: 'leap'; readonly aheadMs: number; readonly forMs: number }
  | { readonly kind: 'tick' }
  /** An operator moves the logs of all that is settled to the archive. */
  | { readonly kind: 'archive' }
  | { readonly kind: 'crash'; readonly downMs: number }
  | ElsewhereDeed
  | MoneyStep;

/** A deed, how long after the one before it, and which process has to do with it. */
export interface Action {
  readonly gapMs: number;
  readonly process: number;
  readonly deed: Deed;
}

/** How much goes wrong by chance, beside what the deeds do. */
export interface FaultProfile {
  /** Of the store's calls, how many fail before, fail after, or hang. */
  readonly storeFaults: number;
  /** Of all calls, how many are slow. */
  readonly slowness: number;
  /** Of the merchant's handlers, how many fail. */
  readonly handlerFaults: number;
  /** Whether the second process has handlers too; without them it must leave events to the first. */
  readonly hasHandlersEverywhere: boolean;
}

/** One history: all of it follows from this. */
export interface History {
  readonly seed: number;
  readonly faultProfile: FaultProfile;
  readonly actions: readonly Action[];
}

/** Draws the history of a seed: shoppers, a merchant, a moody gateway and a moody store. */
export function drawHistory(seed: number): History {
  const chance = new Chance(seed);
  const faultProfile = {
    storeFaults: chance.pick([0, 0, 0.02, 0.08]),
    slowness: chance.pick([0, 0, 0.03, 0.15]),
    handlerFaults: chance.pick([0, 0, 0.3]),
    hasHandlersEverywhere: chance.is(0.7),
  };
  const isAboutMoney = chance.is(0.5);
  const length = chance.whole(5, 36);
  const actions: Action[] = [...opening(chance)];
  while (actions.length < length) {
    const deed = chance.is(isAboutMoney ? 0.45 : 0) ? moneyDeed(chance) : paymentDeed(chance);
    // Twice at the same moment, as with two tabs, two hints or a double click.
    const times = chance.is(0.15) && deed.kind !== 'crash' ? 2 : 1;
    for (let time = 0; time < times; time += 1) {
      const gapMs = time > 0 ? chance.whole(0, 4) : gap(chance);
      actions.push({ gapMs, process: chance.whole(0, 3), deed });
    }
  }
  return { seed, faultProfile, actions: withLeap(actions, seed) };
}

/** In some histories the machine's clock runs ahead for a while; the others stay as they were. */
function withLeap(actions: readonly Action[], seed: number): readonly Action[] {
  const chance = new Chance(seed ^ 0x27d4_eb2f);
  if (!chance.is(0.15)) return actions;
  const aheadMs = chance.pick([2 * HOUR_MS, 50 * HOUR_MS, 12 * 24 * HOUR_MS]);
  const deed = { kind: 'leap', aheadMs, forMs: chance.whole(500, 2 * MINUTE_MS) } as const;
  return actions.toSpliced(chance.whole(0, actions.length), 0, { gapMs: 0, process: 0, deed });
}

/** What chance alone does too seldom. */
const opening = (chance: Chance): readonly Action[] =>
  chance.weighted<() => readonly Action[]>([
    [3, () => endsTwice(chance)],
    [7, () => isProposed(chance)],
    [90, () => []],
  ])();

/** A paid order with a proposal, which two people approve at one moment, sooner or later. */
function isProposed(chance: Chance): readonly Action[] {
  const orderId = order(chance);
  const pay = { kind: 'pay', orderId, pick: 0, isApproved: true, oddMinorUnits: null } as const;
  const approval = { kind: 'approve', orderId, pick: 0, by: APPROVER } as const;
  const steps: readonly (readonly [gapMs: number, deed: Deed])[] = [
    [0, { kind: 'want-to-pay', orderId }],
    [MINUTE_MS, pay],
    [MINUTE_MS, { kind: 'confirm', orderId }],
    [MINUTE_MS, { kind: 'propose', orderId, key: chance.whole(1, 10) }],
    [gap(chance), moneyDeed(chance)],
    [gap(chance), approval],
    [chance.whole(0, 20), approval],
  ];
  return steps.map(([gapMs, deed]) => ({ gapMs, process: chance.whole(0, 3), deed }));
}

/**
 * An order whose link expires, that is opened again after a sale which never arrived, and expires
 * again: chance alone takes these steps in this order too seldom.
 */
function endsTwice(chance: Chance): readonly Action[] {
  const orderId = order(chance);
  const sale = { kind: 'sale', orderId, key: 1, isAuthorization: false } as const;
  const steps: readonly (readonly [gapMs: number, deed: Deed])[] = [
    [0, { kind: 'want-to-pay', orderId }],
    [49 * HOUR_MS, { kind: 'tick' }],
    [MINUTE_MS, { kind: 'money-mood', mood: 'request-lost' }],
    [MINUTE_MS, sale],
    [MINUTE_MS, { kind: 'person-checks', orderId }],
    [MINUTE_MS, { kind: 'money-mood', mood: 'well' }],
    [30 * HOUR_MS, { kind: 'tick' }],
  ];
  return steps.map(([gapMs, deed]) => ({ gapMs, process: chance.whole(0, 3), deed }));
}

/** Much happens at once; some of it while the shopper types, and some of it days later. */
function gap(chance: Chance): number {
  return chance.weighted([
    [5, () => chance.whole(0, 20)],
    [4, () => chance.whole(20, 500)],
    [5, () => chance.whole(500, 7_000)],
    [2, () => chance.whole(7_000, 2 * MINUTE_MS)],
    [0.5, () => chance.whole(MINUTE_MS, 3 * HOUR_MS)],
    [0.15, () => 49 * HOUR_MS],
  ])();
}

const order = (chance: Chance): OrderId => chance.pick(ORDER_IDS);

function paymentDeed(chance: Chance): Deed {
  const orderId = order(chance);
  return chance.weighted<() => Deed>([
    [6, () => ({ kind: 'want-to-pay', orderId })],
    [
      7,
      () => ({
        kind: 'pay',
        orderId,
        pick: chance.whole(0, 4),
        isApproved: chance.is(0.7),
        oddMinorUnits: chance.is(0.03) ? chance.pick([100, 11_499, 115_000]) : null,
      }),
    ],
    [3, () => ({ kind: 'return', orderId, claims: chance.pick(['success', 'failure']) })],
    [2, () => ({ kind: 'poll', orderId })],
    [
      3,
      () => ({
        kind: 'webhook',
        orderId,
        attemptNumber: chance.whole(1, 4),
        garbage: chance.is(0.3) ? `${orderId}~${chance.whole(0, 99)}'${chance.next()}` : null,
      }),
    ],
    [2, () => ({ kind: 'confirm', orderId })],
    [1, () => ({ kind: 'cancel', orderId })],
    [1, () => ({ kind: 'reopen', orderId })],
    [1, () => ({ kind: 'accept', orderId })],
    // A price that goes and comes back leaves two payable links of one amount.
    [2.5, () => ({ kind: 'reprice', orderId, amount: chance.pick(prices) })],
    [2, () => elsewhere(chance)],
    [
      2,
      () => ({
        kind: 'mood',
        mood: chance.pick([
          'well',
          'well',
          'create-refused',
          'create-answer-lost',
          'status-unreachable',
          'status-pending',
          'status-wrong-amount',
          'status-unknown-words',
          'status-of-another',
          'status-other-case',
          'status-not-found',
          'status-partial',
          'status-contradictory',
        ]),
      }),
    ],
    [4, () => ({ kind: 'tick' })],
    [1, () => ({ kind: 'archive' })],
    [2, () => ({ kind: 'crash', downMs: chance.pick([0, 500, 30_000]) })],
  ])();
}

/** Now and then an order vanishes. */
const prices = ['115.00', '115.00', '99.50', '99.50', null] as const;

const elsewhere = (chance: Chance): Deed => ({
  kind: 'elsewhere',
  orderId: order(chance),
  what: chance.pick(['refund-part', 'refund-part', 'refund-rest', 'reversal', 'second-charge']),
  pick: chance.whole(0, 3),
});

/** Now and then the proposer tries it by another spelling. */
const approvers = [APPROVER, APPROVER, ` ${PROPOSER.toUpperCase()} `] as const;

function moneyDeed(chance: Chance): Deed {
  const orderId = order(chance);
  const key = chance.whole(1, 10);
  return chance.weighted<() => Deed>([
    [5, () => ({ kind: 'refund', orderId, key })],
    [2, () => ({ kind: 'propose', orderId, key })],
    [3, () => ({ kind: 'approve', orderId, pick: key, by: chance.pick(approvers) })],
    [1, () => ({ kind: 'withdraw', orderId })],
    [2, () => ({ kind: 'capture', orderId, key })],
    [2, () => ({ kind: 'void', orderId, key })],
    [2, () => ({ kind: 'charge', orderId, key })],
    [4, () => ({ kind: 'sale', orderId, key, isAuthorization: chance.is(0.5) })],
    [2, () => ({ kind: 'person-checks', orderId })],
    [1, () => ({ kind: 'accept', orderId })],
    [2, () => elsewhere(chance)],
    [
      3,
      () => ({
        kind: 'money-mood',
        mood: chance.pick(['well', 'well', 'refused', 'answer-lost', 'request-lost']),
      }),
    ],
    [1, () => ({ kind: 'sale-end', end: chance.pick(['success', 'redirect', 'declined']) })],
    [1, () => ({ kind: 'charge-end', end: chance.pick(['success', 'declined', 'unknown']) })],
    [1, () => ({ kind: 'refunds-settle', atOnce: chance.is(0.5) })],
    [1, () => ({ kind: 'crash', downMs: chance.pick([0, 70_000]) })],
  ])();
}

/** A history that is tried in so many smaller forms is small enough. */
const MOST_TRIES = 400;

/** Other bad luck may break the rule after fewer actions: so many seeds are tried for each form. */
const SEEDS = 8;

/**
 * Takes away from a history what its failure does not need: the bad luck, then actions by halves, quarters …
 *
 * @param fails - Whether a history still fails in the same way.
 */
export async function shrink(history: History, fails: (smaller: History) => Promise<boolean>) {
  let smallest = history;
  let tries = 0;
  const attempt = async (smaller: History): Promise<void> => {
    tries += 1;
    if (tries > MOST_TRIES) return;
    for (let other = 0; other < SEEDS; other += 1) {
      const form = { ...smaller, seed: smaller.seed + other };
      if (await fails(form)) {
        smallest = form;
        return;
      }
    }
  };
  for (const fault of ['storeFaults', 'slowness', 'handlerFaults'] as const) {
    const { faultProfile } = smallest;
    if (faultProfile[fault] > 0)
      await attempt({ ...smallest, faultProfile: { ...faultProfile, [fault]: 0 } });
  }
  for (let size = Math.ceil(history.actions.length / 2); size > 0;) {
    const before = smallest;
    for (let from = smallest.actions.length - size; from > -size; from -= size) {
      const start = Math.max(0, from);
      await attempt({ ...smallest, actions: without(smallest.actions, start, start + size) });
    }
    if (smallest === before) size = Math.floor(size / 2);
  }
  return smallest;
}

/** What comes after stays when it was; what comes first may come at once. */
function without(actions: readonly Action[], from: number, to: number): readonly Action[] {
  const lost = from === 0 ? 0 : actions.slice(from, to).reduce((sum, { gapMs }) => sum + gapMs, 0);
  const [next, ...rest] = actions.slice(to);
  const after = next === undefined ? [] : [{ ...next, gapMs: next.gapMs + lost }, ...rest];
  return [...actions.slice(0, from), ...after];
}
