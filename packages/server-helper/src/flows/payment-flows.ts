import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { checkOrderId, merchantOrderId } from '../ids.ts';
import { observe, withActivity } from '../observability/steps.ts';
import { hasMoney } from '../payments/payment.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { OfferedAttempt } from '../payments/link-decision.ts';
import type { Backlog } from '../stores/backlog.ts';
import { CHECK_GAP_MS } from '../stores/store.ts';
import { cancel } from './checkout/cancel.ts';
import { loadRecord } from './commit-change.ts';
import { confirm } from './confirm/confirm.ts';
import type { Confirmation } from './confirm/confirmation.ts';
import { confirmEvery } from './confirm/confirm-every.ts';
import { confirmWithin, type Finding, type WaitOptions } from './confirm/confirm-within.ts';
import { ensureLink } from './checkout/ensure-link.ts';
import { withDeadline } from './deadline.ts';
import { handledTypes } from './background/deliver-events.ts';
import { linkInTime } from './checkout/late-link.ts';
import { Opening } from './open-store.ts';
import type { FlowContext } from './flow-context.ts';
import { loadOrder } from './checkout/load-order.ts';
import { viewOf, type PaymentView } from './payment-view.ts';
import { SingleFlight, type Flight } from './single-flight.ts';
import { tick, type TickReport } from './background/tick.ts';
import { Writability } from './writability.ts';

/** Before an order is given up or gets a second link the gateway is asked, however recently it was. */
const thorough: WaitOptions = { deadlineMs: 2 * CHECK_GAP_MS, onThrottled: 'wait-for-hints' };

/** A shopper has an answer after this long, whatever the gateway does; the button waits longer. */
const CHECKOUT_DEADLINE_MS = 11_000;

/** Whoever watches over the shop does not wait longer. */
const HEALTH_DEADLINE_MS = 3_000;

/** After this long, work that has not ended is left to its lease. */
const CLOSE_DEADLINE_MS = 8_000;

/** What a return or a poll finds. */
export interface PaymentFinding {
  readonly payment: PaymentView | null;
  /** Whether the gateway was asked after the hint. */
  readonly isFresh: boolean;
}

/** Who asks for a payment link, where someone does. */
export interface LinkRequest {
  /** The framework's own request, for `loadOrder`. */
  readonly request?: unknown;
  /** Called once the order is known to be theirs; rejects to refuse it. */
  readonly admit?: (orderId: string) => Promise<void>;
  /** Gives the same status address to the same request. */
  readonly seed?: string | undefined;
}

/** A payment link as a browser gets it. */
export interface PaymentLinkView {
  /** The gateway's hosted page. */
  readonly redirectUrl: string;
  /** Where `<pay-status>` asks; absent when the status route is left out. */
  readonly statusUrl?: string;
}

/**
 * The use cases, each once per order at a time in this process, with the store opened before the
 * first of them.
 */
export class PaymentFlows<Tx> {
  readonly #context: FlowContext<Tx>;
  readonly #links: SingleFlight<OfferedAttempt>;
  readonly #confirmations: SingleFlight<Confirmation>;
  readonly #writability: Writability;
  readonly #opening: Opening<Tx>;
  #isClosed = false;
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(context: FlowContext<Tx>) {
    this.#context = context;
    const now = (): number => context.clock.now();
    this.#links = new SingleFlight(now);
    this.#confirmations = new SingleFlight(now);
    this.#opening = new Opening(context);
    this.#writability = new Writability(context.store, context.clock);
  }

  ensureLink(orderId: string, request: LinkRequest = {}): Promise<PaymentLinkView> {
    // Told when it is known to be an order's id: what a shopper sends could be anything.
    const telling = { result: () => ({ orderId }) };
    return observe('checkout', telling, () => this.#ensureLink(orderId, request));
  }

  async #ensureLink(
    orderId: string,
    { request, admit, seed }: LinkRequest,
  ): Promise<PaymentLinkView> {
    const giveUpAt = this.#context.clock.now() + CHECKOUT_DEADLINE_MS;
    await this.#ready();
    const order = await loadOrder(this.#context, orderId, request);
    await admit?.(order.orderId);
    const { minorUnits, currency } = order.amount;
    const key = `${order.orderId}/${minorUnits}/${currency}`;
    const ask = (): Promise<Finding> => this.#confirmWithin(order.orderId, thorough);
    const { result } = this.#links.run(key, () => ensureLink(this.#context, order, ask));
    const { redirectUrl } = await linkInTime(this.#context, order.orderId, giveUpAt, result);
    const statusUrl = this.#context.addresses.statusUrl(order.orderId, seed);
    return statusUrl === null ? { redirectUrl } : { redirectUrl, statusUrl };
  }

  async confirm(orderId: string): Promise<PaymentView | null> {
    await this.#ready();
    const record = await this.#track(confirmEvery(this.#context, checkOrderId(orderId)));
    return record === null ? null : viewOf(record);
  }

  /** Follows a hint for someone who waits at a browser. */
  async confirmWithin(orderId: string, wait: WaitOptions): Promise<PaymentFinding> {
    await this.#ready();
    const { record, isFresh } = await this.#confirmWithin(orderId, wait);
    return { payment: record === null ? null : viewOf(record), isFresh };
  }

  async retrieve(orderId: string): Promise<PaymentView | null> {
    await this.#ready();
    const record: PaymentRecord | null = await loadRecord(
      this.#context.store,
      checkOrderId(orderId),
    );
    return record === null ? null : viewOf(record);
  }

  async cancel(orderId: string): Promise<PaymentView> {
    await this.#ready();
    const order = await loadOrder(this.#context, orderId, undefined);
    const wait: WaitOptions = { ...thorough, onThrottled: 'ask-each-link' };
    const { record, hasEvidence } = await this.#confirmWithin(order.orderId, wait);
    const isWatched = record?.attempts.some(({ state }) => state === 'open') ?? false;
    if (record !== null && !hasMoney(record.payment.state) && isWatched && !hasEvidence) {
      throw new PaymentsError(
        'not_confirmed',
        'The gateway did not say whether the order was paid, so it was not given up. Try again.',
      );
    }
    return viewOf(await this.#track(cancel(this.#context, order)));
  }

  /**
   * Stores a hint, then follows it without anyone waiting.
   *
   * @throws when the hint could not be stored.
   */
  hint(text: string): Promise<void> {
    return observe('hint', {}, () => this.#hint(text));
  }

  async #hint(text: string): Promise<void> {
    await this.#ready();
    const { store, clock, logger } = this.#context;
    const orderId = await store.hint(merchantOrderId(text), clock.now());
    if (orderId === null) return;
    this.#confirmShared(orderId).result.catch((error: unknown) => {
      logger.error({ orderId, error: nameOf(error) }, 'a hint could not be followed yet');
    });
  }

  /** Runs other work of the kit with an open store; closing waits for it. */
  async run<T>(work: (context: FlowContext<Tx>) => Promise<T>): Promise<T> {
    await this.#ready();
    return this.#track(work(this.#context));
  }

  tick(): Promise<TickReport> {
    return this.background(tick);
  }

  /** Does background work, and tells of it as a tick. */
  background(work: (context: FlowContext<Tx>) => Promise<TickReport>): Promise<TickReport> {
    const telling = { result: (report: TickReport) => ({ ...report }) };
    return withActivity({ trigger: 'watch' }, () => observe('tick', telling, () => this.run(work)));
  }

  /** How much waits; a store that does not answer in time counts as one that cannot be reached. */
  async backlog(): Promise<Backlog> {
    const { clock, store, on } = this.#context;
    return withDeadline(clock, HEALTH_DEADLINE_MS, async () => {
      await this.#ready();
      return store.backlog(clock.now(), handledTypes(on));
    });
  }

  /** Whether payments can be recorded: found out by a write, at most one in two seconds. */
  async isWritable(): Promise<boolean> {
    try {
      await this.#ready();
    } catch {
      return false;
    }
    return this.#writability.ask(HEALTH_DEADLINE_MS);
  }

  statusUrl(orderId: string): string {
    const url = this.#context.addresses.statusUrl(checkOrderId(orderId));
    if (url !== null) return url;
    throw new ConfigurationError('status_route_off', 'routes.status is false, so nobody can ask.');
  }

  /** Ends what is under way, within a deadline, and closes the store. A second call does nothing. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { clock, store, logger } = this.#context;
    const drained = async (): Promise<void> => {
      await Promise.all([this.#links.drain(), this.#confirmations.drain()]);
      await Promise.allSettled(this.#underWay);
    };
    await withDeadline(clock, CLOSE_DEADLINE_MS, drained).catch((error: unknown) => {
      logger.warn({ error: nameOf(error) }, 'closed while work was under way; its lease ends');
    });
    await this.#opening.ended();
    await store.close();
  }

  async #track<T>(work: Promise<T>): Promise<T> {
    this.#underWay.add(work);
    try {
      return await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  #confirmWithin(orderId: string, wait: WaitOptions): Promise<Finding> {
    const share = (): Flight<Confirmation> => this.#confirmShared(orderId);
    return this.#track(confirmWithin(this.#context, share, orderId, wait));
  }

  #confirmShared(orderId: string): Flight<Confirmation> {
    return this.#confirmations.run(orderId, () => confirm(this.#context, { orderId }));
  }

  async #ready(): Promise<void> {
    if (this.#isClosed) throw new ConfigurationError('closed', 'These payments were closed.');
    await this.#opening.ready();
  }
}
