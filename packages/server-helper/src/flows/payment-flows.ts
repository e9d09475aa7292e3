import { ConfigurationError, nameOf } from '../errors.ts';
import { attemptOfName, checkOrderId, merchantOrderId } from '../ids.ts';
import { observe, withActivity } from '../telemetry.ts';
import type { HintChange } from '../payments/transaction-hint.ts';
import type { OfferedAttempt } from '../payments/link-decision.ts';
import { checkSoon, noteNameless, noteTransactions } from '../payments/checks.ts';
import type { Backlog, StoreHealth } from '../stores/store.ts';
import {
  handledTypes,
  missingBackground,
  tick,
  type TickReport,
  type Work,
} from './background/tick.ts';
import { checkAwaited } from './background/check-due.ts';
import {
  cancelOrder,
  checkout,
  type LinkRequest,
  type PaymentLinkView,
  seekLink,
} from './checkout/checkout.ts';
import { loadOrder } from './checkout/load-order.ts';
import { checkStatus, signOf, type StatusCheck } from './confirm/check-status.ts';
import { changePayment, type Decide, type Decision } from './change-payment.ts';
import {
  confirmEverySession,
  confirmOrder,
  leaveHints,
  type WaitOptions,
} from './confirm/confirm-order.ts';
import { countSigned } from './confirm/ask.ts';
import { type Flight, loadRecord, rounds, SingleFlight, withDeadline } from './waiting.ts';
import type { FlowContext } from './flow-context.ts';
import { readBy } from './money/money-input.ts';
import { type Explanation, type PaymentView, viewOf, viewOrNull } from './views.ts';
import { ClockAlignment, StoreOpening, writability } from './store-opening.ts';
import { explain, listPayments, type PaymentList, type PaymentQuery } from './list-payments.ts';
import { type Figures, figuresOf, type FiguresQuery } from './figures.ts';
import type { Run } from './money/money-verbs.ts';

/** The longest wait of a health check. */
const HEALTH_DEADLINE_MS = 3_000;

/** How long closing waits for work under way, which is then left to its lease. */
const CLOSE_DEADLINE_MS = 8_000;

/** The payment after a return or a poll. */
export interface PaymentFinding {
  readonly payment: PaymentView | null;
  /** Whether the gateway was asked after the hint. */
  readonly isFresh: boolean;
}

/**
 * The one way into the flows, for the routes and the verbs alike: {@link PaymentFlows.run} opens the
 * store before the first work, refuses work after {@link PaymentFlows.close}, and lets closing wait
 * for what is under way. In this process an order has one checkout and one status check at a time.
 */
export class PaymentFlows<Tx> {
  readonly #context: FlowContext<Tx>;
  readonly #links: SingleFlight<OfferedAttempt>;
  readonly #checks: SingleFlight<StatusCheck>;
  readonly #notes: SingleFlight<unknown>;
  readonly #isWritable: (deadlineMs: number) => Promise<boolean>;
  readonly #alignment: ClockAlignment<Tx>;
  readonly #opening: StoreOpening<Tx>;
  readonly #underWay = new Set<Promise<unknown>>();
  /** Checks of what a shopper may wait for. */
  readonly #awaited: ReturnType<typeof rounds<number>>;
  readonly #missing: ReturnType<typeof missingBackground>;
  readonly #stop = new AbortController();
  #isClosed = false;

  constructor(context: FlowContext<Tx>) {
    const now = (): number => context.clock.now();
    this.#context = { ...context, hints: new SingleFlight(now) };
    this.#links = new SingleFlight(now);
    this.#checks = new SingleFlight(now);
    this.#notes = new SingleFlight(now);
    this.#alignment = new ClockAlignment(this.#context);
    this.#opening = new StoreOpening(context, this.#alignment);
    this.#isWritable = writability(context.store, context.clock);
    this.#missing = missingBackground(context, () => this.backlog(), this.#stop.signal);
    this.#awaited = rounds(() =>
      this.run(() => checkAwaited({ context, check: this.#checkDue }, this.#stop.signal)),
    );
  }

  /** Runs work with an open store. */
  async run<T>(work: (context: FlowContext<Tx>) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new ConfigurationError('closed', 'These payments were closed.');
    await this.#opening.ready();
    await this.#alignment.clamp();
    this.#missing.watch();
    const result = work(this.#context);
    this.#underWay.add(result);
    try {
      return await result;
    } finally {
      this.#underWay.delete(result);
    }
  }

  readonly #shareCheck = (orderId: string): Flight<StatusCheck> =>
    this.#checks.run(orderId, () => checkStatus(this.#context, { orderId }));

  ensureLink(orderId: string, request: LinkRequest = {}): Promise<PaymentLinkView> {
    // Reported at the end: what a shopper sends may be no order's id.
    return observe('checkout', { result: () => ({ orderId }) }, () =>
      this.run((context) => checkout(context, this.#links, this.#shareCheck, orderId, request)),
    );
  }

  confirm(orderId: string): Promise<PaymentView | null> {
    return this.run(async (context) =>
      viewOrNull(await confirmEverySession(context, checkOrderId(orderId))),
    );
  }

  /** Confirms an order for a caller who waits at a browser. */
  confirmOrder(orderId: string, wait: WaitOptions): Promise<PaymentFinding> {
    return this.run(async (context) => {
      const { record, isFresh } = await confirmOrder(context, this.#shareCheck, orderId, wait);
      if (wait.link === undefined) return { payment: viewOrNull(record), isFresh };
      return { payment: viewOrNull(await seekLink(context, wait.link, true, record)), isFresh };
    });
  }

  cancel(orderId: string, { by }: { readonly by?: string | undefined } = {}): Promise<PaymentView> {
    return this.run(async (context) => {
      const name = readBy(by);
      return viewOf(await cancelOrder(context, await loadOrder(context, orderId), name));
    });
  }

  /**
   * Stores a hint, and has it followed without a caller who waits. The store is the queue: however
   * many hints arrive, the checks that follow them keep to their number and their pace.
   *
   * @param isProven - Whether the gateway signed it; what it names is then its link, known or lost.
   * @param says - What it says of money; `no money` only makes the link due soon.
   * @returns whether it named a link of ours.
   * @throws when the hint could not be stored.
   */
  hint(
    text: string,
    isProven = false,
    says: 'money' | 'unknown' | 'no money' = 'unknown',
  ): Promise<boolean> {
    return observe('hint', {}, () =>
      this.run(async (context) => {
        const named = attemptOfName(merchantOrderId(text));
        if (named === null) return false;
        const { orderId, attemptNumber: number } = named;
        const unknown = signOf(context, noteNameless);
        const take = { money: signOf(context), unknown, 'no money': checkSoon }[says];
        const hint = await leaveHints(context, orderId, [{ number }], context.clock.now(), take);
        if (!hint.isTaken) {
          await seekLink(context, text, isProven, hint.record, says === 'money');
          return false;
        }
        this.#awaited.begin((error) => {
          const fields = { error: nameOf(error) };
          if (!this.#isClosed) context.logger.error(fields, 'hints could not be followed yet');
        });
        return true;
      }),
    );
  }

  /**
   * Stores transactions that a hint named for an order.
   *
   * @throws when they could not be stored.
   */
  async noteTransactions(orderId: string, noted: HintChange['noted'] = []): Promise<void> {
    if (noted.length === 0) return;
    await this.run(async (context) => {
      const { store, clock } = context;
      for (const { transactionId: id, source } of noted)
        if (source === 'signed') await countSigned(store, { id, orderId }, 1, clock.now());
      const note: Decide<Decision> = (record, now) =>
        record && noteTransactions(record, noted, now);
      await this.#notes.inTurn(orderId, () => changePayment(context, orderId, note));
    });
  }

  tick(): Promise<TickReport> {
    return this.background(tick);
  }

  /** Does background work, observed as a tick. */
  background(work: Work, signal?: AbortSignal): Promise<TickReport> {
    this.#missing.end();
    const step = { result: (report: TickReport) => ({ ...report }) };
    const tools = {
      check: this.#checkDue,
      checkAwaited: this.#awaited.run,
      alignClock: () => this.#alignment.align(),
    };
    return withActivity({ trigger: 'watch' }, () =>
      observe('tick', step, () => this.run((context) => work({ context, ...tools }, signal))),
    );
  }

  /** Shoppers who return meanwhile share the check, as long as it is under way. */
  readonly #checkDue = async (orderId: string): Promise<StatusCheck> => {
    const work = (): Promise<StatusCheck> => checkStatus(this.#context, { orderId, isDue: true });
    const { result, joined } = this.#checks.run(orderId, work);
    const check = await result;
    // A check that was under way may have been about another of the order's links.
    return joined ? work() : check;
  };

  /** How much waits; a store that does not answer in time counts as one that cannot be reached. */
  backlog(): Promise<Backlog> {
    return withDeadline(this.#context.clock, HEALTH_DEADLINE_MS, () =>
      this.run(({ store, clock, on }) => store.health.backlog(clock.now(), handledTypes(on))),
    );
  }

  /** Whether payments can be recorded: found out by a write, at most one in two seconds. */
  isWritable(): Promise<boolean> {
    return this.run(() => this.#isWritable(HEALTH_DEADLINE_MS)).catch(() => false);
  }

  /** How calls of this process wait for the store. */
  get waits(): Pick<StoreHealth, 'isStuck' | 'waitMs'> {
    return this.#context.store.health;
  }

  statusUrl(orderId: string): string {
    const url = this.#context.addresses.statusUrl(checkOrderId(orderId));
    if (url !== null) return url;
    throw new ConfigurationError(
      'status_route_off',
      'routes.status is false, so there is no status address.',
    );
  }

  /** Ends what is under way, within a deadline, and closes the store. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#stop.abort();
    const { clock, store, logger } = this.#context;
    const drained = async (): Promise<void> => {
      await Promise.all([this.#links.drain(), this.#checks.drain()]);
      await Promise.allSettled(this.#underWay);
    };
    await withDeadline(clock, CLOSE_DEADLINE_MS, drained).catch((error: unknown) => {
      logger.warn({ error: nameOf(error) }, 'closed while work was under way; its lease ends');
    });
    await this.#opening.ended();
    await store.close();
  }
}

/** The verbs that read what is stored, and ask nobody. */
export interface ReadVerbs {
  /** The payment as last verified, without asking the gateway; `null` when there is none. */
  retrieve(orderId: string): Promise<PaymentView | null>;
  /**
   * Payments as last verified, the latest created first, a page at a time. Pages hold each payment
   * once, however many are added or change meanwhile; a new one comes before the first page.
   *
   * @throws {@link PaymentsError} `invalid_query`, `invalid_order`, `store_unavailable`.
   * @example
   * const { payments: reviews, nextCursor } = await payments.list({ state: 'review', limit: 20 });
   */
  list(query?: PaymentQuery): Promise<PaymentList>;
  /**
   * Money taken and refunded, how payments ended and how long they took, by day. Reads every movement
   * and payment of the span, a day at a time; the sums are those of the ledger.
   *
   * @throws {@link PaymentsError} `invalid_query`, `store_unavailable`.
   * @example
   * const { days, total } = await payments.figures({ since: '2026-11-01', until: '2026-12-01' });
   */
  figures(query: FiguresQuery): Promise<Figures>;
  /**
   * Everything about an order's payment: attempts, timeline, money operations, review items and
   * effects; `null` when it never had one. Does not ask the gateway.
   *
   * @throws {@link PaymentsError} `invalid_order`, `store_unavailable`.
   */
  explain(orderId: string): Promise<Explanation | null>;
}

/** Makes the verbs that read. */
export const readVerbs = <Tx>(run: Run<Tx>): ReadVerbs => ({
  retrieve: (orderId) =>
    run(async ({ store }) => viewOrNull(await loadRecord(store, checkOrderId(orderId)))),
  list: (query = {}) => run((context) => listPayments(context, query)),
  figures: (query) => run((context) => figuresOf(context, Object(query))),
  explain: (orderId) => run((context) => explain(context, checkOrderId(orderId))),
});
