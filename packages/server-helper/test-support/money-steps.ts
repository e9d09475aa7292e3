import type { MoneyVerbs } from '../src/flows/money/money-verbs.ts';
import { decimalOf } from '../src/money.ts';
import type { PaymentRecord } from '../src/payments/record.ts';
import { aCard } from './operation-inputs.ts';
import type { OfOrder, OrderId } from './order-ids.ts';
import type { SaleEnd, SimulatedGateway } from './simulated-gateway.ts';
import type { ChargeEnd, MoneyMood } from './simulated-transactions.ts';

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

const moneyKinds: ReadonlySet<string> = new Set<MoneyStep['kind']>([
  'refund',
  'capture',
  'void',
  'charge',
  'propose',
  'approve',
  'withdraw',
  'sale',
  'person-checks',
  'money-mood',
  'sale-end',
  'charge-end',
  'refunds-settle',
]);

/** The only person who proposes refunds. */
export const PROPOSER = 'Noura';

/** Why a proposal is taken back. */
export const WITHDRAWN = 'a mistake';

/** The only other person. */
export const APPROVER = 'Salem';

/** Whether a step is one of these. */
export const isMoneyStep = <S extends { readonly kind: string }>(
  step: S,
): step is Extract<S, MoneyStep> => moneyKinds.has(step.kind);

/** The amount of the refund, capture or charge with this key: 1.10, 2.20, and so on. */
export const amountOf = (key: number): number => key * 110;

/** What a step works with. */
export interface MoneyStage {
  readonly money: MoneyVerbs;
  readonly gateway: SimulatedGateway;
  readonly record: (orderId: OrderId) => Promise<PaymentRecord | null>;
}

/** Plays one step; rejects as the verb does. */
export async function playMoney(step: MoneyStep, stage: MoneyStage): Promise<unknown> {
  const { money, gateway } = stage;
  switch (step.kind) {
    case 'refund':
    case 'propose': {
      const amount = decimalOf(amountOf(step.key));
      const other = step.key % 2 === 0 ? await besidePayment(step.orderId, stage) : undefined;
      // A refund and a proposal of one key are one operation, whichever comes first.
      const request = { amount, requestId: `refund-${step.key}`, transactionId: other };
      const proposed = { ...request, by: PROPOSER, propose: true };
      return money.refund(step.orderId, step.kind === 'propose' ? proposed : request);
    }
    case 'approve':
      return approve(step, stage);
    case 'withdraw':
      return withdraw(step.orderId, stage);
    case 'capture': {
      const amount = decimalOf(amountOf(step.key));
      return money.capture(step.orderId, { amount, requestId: `capture-${step.key}` });
    }
    case 'void':
      return money.void(step.orderId, { requestId: `void-${step.key}` });
    case 'charge': {
      const amount = decimalOf(amountOf(step.key));
      return money.chargeRecurring(step.orderId, { amount, periodKey: `period-${step.key}` });
    }
    case 'sale': {
      const auth = step.isAuthorization ? 'authorize' : 'capture';
      const request = { auth, card: aCard, requestId: `sale-${step.key}` } as const;
      return money.sale(step.orderId, request);
    }
    case 'person-checks':
      return check(step.orderId, stage);
    case 'money-mood':
      gateway.transactions.mood = step.mood;
      return undefined;
    case 'sale-end':
      gateway.saleEnd = step.end;
      return undefined;
    case 'charge-end':
      gateway.transactions.chargeEnd = step.end;
      return undefined;
    case 'refunds-settle':
      gateway.transactions.settlesRefundsAtOnce = step.atOnce;
      return step.atOnce ? gateway.transactions.settleRefunds() : undefined;
  }
}

/** A transaction of the order that did not pay it: a duplicate, or a discrepancy. */
async function besidePayment(orderId: OrderId, { record }: MoneyStage) {
  const { ledger = [], payment } = (await record(orderId)) ?? {};
  return ledger.find(({ transactionId }) => transactionId !== payment?.transactionId)
    ?.transactionId;
}

/** A person approves a proposal, perhaps once more; there may be none. */
async function approve(
  { orderId, pick, by }: Extract<MoneyStep, { readonly kind: 'approve' }>,
  { money, record }: MoneyStage,
): Promise<unknown> {
  const operations = (await record(orderId))?.operations ?? [];
  const proposals = operations.filter(({ requestedBy }) => requestedBy !== null);
  const one = proposals[pick % Math.max(1, proposals.length)];
  return one && money.approve(one.id, { by });
}

/** A person takes back what is proposed, and leaves alone what was sent. */
async function withdraw(orderId: OrderId, { money, record }: MoneyStage): Promise<void> {
  for (const { id, state } of (await record(orderId))?.operations ?? []) {
    if (state !== 'proposed') continue;
    await money.resolveOperation(id, 'withdrawn', WITHDRAWN, { by: PROPOSER });
  }
}

/** A person reads the gateway's dashboard and says the truth about what is unknown. */
async function check(orderId: OrderId, { money, gateway, record }: MoneyStage): Promise<void> {
  const why = 'seen on the dashboard';
  for (const operation of (await record(orderId))?.operations ?? []) {
    if (operation.state !== 'unknown') continue;
    const { id, kind, attemptNumber } = operation;
    const session = [...gateway.sessions.values()].find(
      ({ name }) => name === `${orderId}~${attemptNumber}`,
    );
    const sold = session?.transactions[0];
    if (kind === 'sale' && sold !== undefined && sold.state !== 'declined') {
      await money.resolveOperation(id, 'succeeded', why, { transactionId: sold.id });
    } else {
      const isDone = gateway.transactions.isDone(operation);
      await money.resolveOperation(id, isDone ? 'succeeded' : 'failed', why);
    }
  }
}
