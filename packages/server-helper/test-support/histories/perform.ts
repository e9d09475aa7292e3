import { archivePage } from '../../src/flows/store-opening.ts';
import type { HintSource } from '../../src/payments/transaction-hint.ts';
import { PaymentsError } from '../../src/errors.ts';
import { transactionId } from '../../src/ids.ts';
import { decimalOf } from '../../src/money.ts';
import type { MoneyVerbs } from '../../src/flows/money/money-verbs.ts';
import { aCard } from '../operation-inputs.ts';
import { GatewayError } from '../../src/gateway/gateway-error.ts';
import type { WaitOptions } from '../../src/flows/confirm/confirm-order.ts';
import {
  type ReviewEntry,
  reviewVerbs,
  type ReviewVerbs,
} from '../../src/flows/money/review-verbs.ts';
import { hasMoney, type PaymentState } from '../../src/payments/record.ts';
import { hold } from './hold.ts';
import type { GatewayMood } from '../simulated-answers.ts';
import {
  ACCEPTED,
  type Action,
  type Deed,
  type ElsewhereDeed,
  type MoneyStep,
  type OrderId,
  PROPOSER,
  WITHDRAWN,
} from './history.ts';
import type { Shop, ShopProcess } from './shop.ts';
import type { SimulatedSession } from '../simulated-gateway.ts';
import type { SimulatedTransaction } from '../simulated-transactions.ts';

const atReturn: WaitOptions = { deadlineMs: 2_500, onThrottled: 'check-soon' };
const atPoll: WaitOptions = { deadlineMs: 2_500, onThrottled: 'wait-for-hints' };

/** Lets somebody do something; what comes of it comes later. */
export function perform(shop: Shop, { process: number, deed }: Action): void {
  const process = shop.process(number);
  shop.tell(
    () =>
      `${process === undefined ? 'nobody' : `process ${process.number}`}: ${JSON.stringify(deed)}`,
  );
  if (process === undefined) return;
  process.sees(deed);
  if (deed.kind === 'pay') pay(shop, deed);
  else if (deed.kind === 'reprice') shop.prices.set(deed.orderId, deed.amount, shop.timeline.now);
  else if (deed.kind === 'elsewhere') happenElsewhere(shop, deed);
  else if (deed.kind === 'mood') turn(shop, deed.mood);
  else if (deed.kind === 'leap') shop.leap(deed.aheadMs, deed.forMs);
  else if (deed.kind === 'crash') shop.crash(process, deed.downMs);
  else begin(shop, process, deed);
}

function turn(shop: Shop, mood: GatewayMood): void {
  shop.gateway.mood = mood;
  shop.awaySince =
    mood === 'status-unreachable' ? (shop.awaySince ?? shop.timeline.now) : undefined;
}

/** Nobody waits for it here: it goes on while other things happen. */
function begin(shop: Shop, process: ShopProcess, deed: Asking): void {
  const { number } = process;
  void ask(shop, process, deed).then(
    () => shop.tell(() => `process ${number} did ${deed.kind}`),
    (error: unknown) => {
      shop.tell(() => `process ${number} failed to ${deed.kind}: ${String(error)}`);
      if (!isExpected(error)) shop.broken.push(error);
    },
  );
}

/** What somebody asks of a process. */
export type Asking = Exclude<
  Deed,
  { readonly kind: 'pay' | 'reprice' | 'elsewhere' | 'mood' | 'leap' | 'crash' }
>;

/** Asks a process for something; rejects as the process does. */
export async function ask(shop: Shop, { flows, money }: ShopProcess, deed: Asking) {
  switch (deed.kind) {
    case 'want-to-pay': {
      const { redirectUrl } = await flows.ensureLink(deed.orderId, undefined);
      return handOut(shop, deed.orderId, redirectUrl);
    }
    case 'confirm':
      return shown(shop, deed.orderId, (await flows.confirm(deed.orderId))?.state);
    case 'return':
      await nameTransaction(shop, flows, deed.orderId, 'return');
      return see(shop, deed.orderId, await flows.confirmOrder(deed.orderId, atReturn));
    case 'poll':
      return see(shop, deed.orderId, await flows.confirmOrder(deed.orderId, atPoll));
    case 'cancel':
      return flows.cancel(deed.orderId);
    case 'reopen':
      return decide(flows, deed.orderId, (review, { id }) =>
        review.resolve(id, 'seen on the dashboard', { reopen: true }),
      );
    case 'accept':
      return decide(flows, deed.orderId, async (review, matter) => {
        if (await isOnDashboard(shop, matter)) {
          await review.accept(matter.id, ACCEPTED, { by: 'Noura' });
        }
      });
    case 'webhook':
      return hint(shop, flows, deed);
    case 'tick':
      return flows.tick();
    case 'archive':
      return flows.run(({ store, clock }) =>
        archivePage(store, { after: null, before: clock.now(), limit: 100 }),
      );
    case 'refund':
    case 'propose':
    case 'approve':
    case 'withdraw':
    case 'capture':
    case 'void':
    case 'charge':
    case 'sale':
    case 'person-checks':
    case 'money-mood':
    case 'sale-end':
    case 'charge-end':
    case 'refunds-settle':
      return moveMoney(shop, money, deed);
  }
}

type Matter = Extract<ReviewEntry, { readonly kind: 'payment' }>;

/** A person decides about each open review of an order. */
async function decide(
  flows: ShopProcess['flows'],
  orderId: OrderId,
  about: (review: ReviewVerbs, matter: Matter) => Promise<void>,
): Promise<void> {
  const review = reviewVerbs<unknown>((work) => flows.run(work));
  for (const matter of await review.list()) {
    if (matter.kind !== 'payment' || matter.reason === 'unknown_outcome') continue;
    if (matter.orderId === orderId) await about(review, matter);
  }
}

/** Whether the gateway's dashboard shows the money of a review, of the amount that was recorded. */
async function isOnDashboard(shop: Shop, { orderId, about }: Matter): Promise<boolean> {
  const { ledger = [] } = (await shop.record(orderId as OrderId)) ?? {};
  const row = ledger.find((one) => one.transactionId === about);
  const real = shop.gateway.transactions.get(about);
  return real?.state === 'captured' && row?.amount.minorUnits === real.authorizedMinorUnits;
}

type Finding = Awaited<ReturnType<ShopProcess['flows']['confirmOrder']>>;

const see = (shop: Shop, orderId: OrderId, { payment }: Finding): Promise<void> =>
  shown(shop, orderId, payment?.state);

/** What was shown as paid is paid in the store, whatever happens next. */
async function shown(shop: Shop, orderId: OrderId, state: PaymentState | undefined): Promise<void> {
  if (state === undefined || !hasMoney(state)) return;
  const stored = (await shop.record(orderId))?.payment.state;
  hold(stored !== undefined && hasMoney(stored), 'I13: what is shown as paid is stored', [
    state,
    stored,
  ]);
}

/** Anyone with the address of a link may pay through that link, so we must know the link. */
async function handOut(shop: Shop, orderId: OrderId, redirectUrl: string): Promise<void> {
  const session = new URL(redirectUrl).searchParams.get('sessionId') ?? '';
  const attempts = (await shop.record(orderId))?.attempts ?? [];
  const own = attempts.find(({ sessionId }) => sessionId === session);
  hold(own !== undefined, 'I13: a link that was handed out is stored', [redirectUrl, attempts]);
  shop.handedOut.add(session);
}

async function hint(
  shop: Shop,
  flows: ShopProcess['flows'],
  { orderId, attemptNumber, garbage }: Extract<Deed, { readonly kind: 'webhook' }>,
): Promise<void> {
  const begun = shop.timeline.now;
  const name = `${orderId}~${attemptNumber}`;
  // One that is opened after the hint came had nothing to note it on.
  const open = await openAttempt(shop, orderId, name);
  await nameTransaction(shop, flows, orderId, 'unsigned');
  await flows.hint(garbage ?? name);
  const own = await openAttempt(shop, orderId, name);
  if (garbage !== null || open === undefined || own === undefined) return;
  const isNoted = Math.max(own.hintedAt ?? 0, own.lastCheckAt ?? 0) >= begun;
  // A check that was decided on before the hint, and read it when it took the order, has asked after it.
  const isFollowed = own.hintedAt === own.lastCheckAt && own.lastCheckAt !== open.lastCheckAt;
  hold(isNoted || isFollowed, 'I13: a hint that was taken is stored', own);
}

/** A hint names a transaction, of whatever order, where the gateway is asked about transactions. */
async function nameTransaction(
  { gateway, chance }: Shop,
  flows: ShopProcess['flows'],
  orderId: OrderId,
  source: HintSource,
): Promise<void> {
  if (!gateway.answersTransactions) return;
  const [first, ...others] = [...gateway.sessions.values()].flatMap(
    ({ transactions }) => transactions,
  );
  if (first === undefined) return;
  const id = transactionId(chance.pick([first, ...others]).id);
  await flows.noteTransactions(orderId, [{ transactionId: id, source }]);
}

async function openAttempt(shop: Shop, orderId: OrderId, name: string) {
  const attempts = (await shop.record(orderId))?.attempts ?? [];
  return attempts.find((one) => one.merchantOrderId === name && one.state === 'open');
}

function pay(
  { gateway, handedOut }: Shop,
  { orderId, pick, isApproved, oddMinorUnits }: Extract<Deed, { readonly kind: 'pay' }>,
): void {
  const payable = [...gateway.sessions.values()].filter(
    (one) =>
      one.orderId === orderId &&
      (handedOut.has(one.id) || one.transactions[0]?.state === 'challenge'),
  );
  const session = payable[pick % Math.max(1, payable.length)];
  if (session !== undefined) gateway.pay(session.id, isApproved, oddMinorUnits);
}

/** Errors by which the kit says that it could not do something; anything else is a bug. */
const isExpected = (error: unknown): boolean =>
  error instanceof PaymentsError ||
  error instanceof GatewayError ||
  (error instanceof Error && error.name === 'StoreFault');

interface Taken {
  readonly shop: Shop;
  readonly session: SimulatedSession;
  readonly transaction: SimulatedTransaction;
}

/** Our refunds are of 1.10 and its multiples: refunds of this amount explain none of them. */
const PART_MINOR_UNITS = 3;

const deeds: Readonly<Record<ElsewhereDeed['what'], (taken: Taken) => void>> = {
  'refund-part': ({ shop, transaction }) =>
    shop.gateway.transactions.refundOnDashboard(transaction, PART_MINOR_UNITS),
  'refund-rest': ({ shop, transaction }) =>
    shop.gateway.transactions.refundOnDashboard(transaction, Infinity),
  reversal: ({ transaction }) => void (transaction.state = 'reversed'),
  'second-charge': ({ shop, session }) => {
    // A card is typed on a hosted page; a sale has none.
    if (shop.handedOut.has(session.id)) shop.gateway.payLate(session.id);
  },
};

/** Lets something happen at the gateway; nothing happens to an order that has no money there. */
export function happenElsewhere(shop: Shop, { orderId, what, pick }: ElsewhereDeed): void {
  const taken = [...shop.gateway.sessions.values()]
    .filter((session) => session.orderId === orderId)
    .flatMap((session) => session.transactions.map((transaction) => ({ session, transaction })))
    .filter(({ transaction }) => transaction.state === 'captured');
  const one = taken[pick % Math.max(1, taken.length)];
  if (one !== undefined) deeds[what]({ shop, ...one });
}

/** The amount of the refund, capture or charge with this key, which tells it apart: 1.10, 2.20, and so on. */
const amountOf = (key: number): string => decimalOf(key * 110);

/** Lets a person move money; rejects as the verb does. */
async function moveMoney(shop: Shop, money: MoneyVerbs, step: MoneyStep): Promise<unknown> {
  const { gateway } = shop;
  switch (step.kind) {
    case 'refund':
    case 'propose': {
      const amount = amountOf(step.key);
      const other = step.key % 2 === 0 ? await besidePayment(shop, step.orderId) : undefined;
      // A refund and a proposal of one key are one operation, whichever comes first.
      const request = { amount, requestId: `refund-${step.key}`, transactionId: other };
      const proposed = { ...request, by: PROPOSER, propose: true };
      return money.refund(step.orderId, step.kind === 'propose' ? proposed : request);
    }
    case 'approve':
      return approve(shop, money, step);
    case 'withdraw':
      return withdraw(shop, money, step.orderId);
    case 'capture': {
      const amount = amountOf(step.key);
      return money.capture(step.orderId, { amount, requestId: `capture-${step.key}` });
    }
    case 'void':
      return money.void(step.orderId, { requestId: `void-${step.key}` });
    case 'charge': {
      const amount = amountOf(step.key);
      return money.chargeRecurring(step.orderId, { amount, periodKey: `period-${step.key}` });
    }
    case 'sale': {
      const auth = step.isAuthorization ? 'authorize' : 'capture';
      const request = { auth, card: aCard, requestId: `sale-${step.key}` } as const;
      return money.sale(step.orderId, request);
    }
    case 'person-checks':
      return check(shop, money, step.orderId);
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
async function besidePayment(shop: Shop, orderId: OrderId) {
  const { ledger = [], payment } = (await shop.record(orderId)) ?? {};
  return ledger.find((row) => row.transactionId !== payment?.transactionId)?.transactionId;
}

/** A person approves a proposal, perhaps once more; there may be none. */
async function approve(
  shop: Shop,
  money: MoneyVerbs,
  { orderId, pick, by }: Extract<MoneyStep, { readonly kind: 'approve' }>,
): Promise<unknown> {
  const operations = (await shop.record(orderId))?.operations ?? [];
  const proposals = operations.filter(({ requestedBy }) => requestedBy !== null);
  const one = proposals[pick % Math.max(1, proposals.length)];
  return one && money.approve(one.id, { by });
}

/** A person takes back what is proposed, and leaves alone what was sent. */
async function withdraw(shop: Shop, money: MoneyVerbs, orderId: OrderId): Promise<void> {
  for (const { id, state } of (await shop.record(orderId))?.operations ?? []) {
    if (state !== 'proposed') continue;
    await money.resolveOperation(id, 'withdrawn', WITHDRAWN, { by: PROPOSER });
  }
}

/** A person reads the gateway's dashboard and says the truth about what is unknown. */
async function check(shop: Shop, money: MoneyVerbs, orderId: OrderId): Promise<void> {
  const { gateway } = shop;
  const why = 'seen on the dashboard';
  for (const operation of (await shop.record(orderId))?.operations ?? []) {
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
