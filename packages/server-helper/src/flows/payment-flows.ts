import type { Request } from 'express';
import { ConfigurationError, PaymentsError } from '../errors.ts';
import { checkOrderId, merchantOrderId } from '../ids.ts';
import type { PaymentRecord } from '../payments/payment-record.ts';
import type { OfferedAttempt } from '../payments/link-decision.ts';
import { LOOK_GAP_MS, type Backlog } from '../stores/store.ts';
import { cancel } from './cancel.ts';
import { loadRecord, nameOf } from './commit-change.ts';
import { confirm, type Confirmation } from './confirm.ts';
import { confirmWithin } from './confirm-within.ts';
import { ensureLink } from './ensure-link.ts';
import type { FlowContext } from './flow-context.ts';
import { payableOrder, type PayableOrder } from './payable-order.ts';
import { viewOf, type PaymentView } from './payment-view.ts';
import { SingleFlight, type Flight } from './single-flight.ts';
import { tick, type TickReport } from './tick.ts';

/** Before an order is given up the gateway is asked, however recently it was asked before. */
const CANCEL_DEADLINE_MS = 2 * LOOK_GAP_MS;

/** A payment link as a browser gets it. */
export interface PaymentLinkView {
  /** The gateway's hosted page. */
  readonly redirectUrl: string;
  /** Where `<pay-status>` asks. */
  readonly statusUrl: string;
}

/**
 * The use cases, each once per order at a time in this process, with the store opened before the
 * first of them.
 */
export class PaymentFlows<Tx> {
  readonly #context: FlowContext<Tx>;
  readonly #links: SingleFlight<OfferedAttempt>;
  readonly #confirmations: SingleFlight<Confirmation>;
  #opened: Promise<void> | undefined;
  #isClosed = false;

  constructor(context: FlowContext<Tx>) {
    this.#context = context;
    const now = (): number => context.clock.now();
    this.#links = new SingleFlight(now);
    this.#confirmations = new SingleFlight(now);
  }

  async ensureLink(orderId: string, request: Request | undefined): Promise<PaymentLinkView> {
    await this.#ready();
    const order = await this.#loadOrder(orderId, request);
    const { minorUnits, currency } = order.amount;
    const key = `${order.orderId}/${minorUnits}/${currency}`;
    const { result } = this.#links.run(key, () => ensureLink(this.#context, order));
    const { redirectUrl } = await result;
    return { redirectUrl, statusUrl: this.statusUrl(order.orderId) };
  }

  async confirm(orderId: string): Promise<PaymentView | null> {
    await this.#ready();
    const request = { orderId: checkOrderId(orderId), includeSettled: true };
    const { record } = await confirm(this.#context, request);
    return record === null ? null : viewOf(record);
  }

  /** Follows a hint for someone who waits at a browser. */
  async confirmWithin(orderId: string, deadlineMs: number): Promise<PaymentView | null> {
    await this.#ready();
    const share = (): Flight<Confirmation> => this.#confirmShared(orderId);
    const record = await confirmWithin(this.#context, share, orderId, deadlineMs);
    return record === null ? null : viewOf(record);
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
    const order = await this.#loadOrder(orderId, undefined);
    await this.confirmWithin(order.orderId, CANCEL_DEADLINE_MS);
    return viewOf(await cancel(this.#context, order));
  }

  /**
   * Stores a hint, then follows it without anyone waiting.
   *
   * @throws when the hint could not be stored.
   */
  async hint(text: string): Promise<void> {
    await this.#ready();
    const { store, clock, logger } = this.#context;
    const orderId = await store.hint(merchantOrderId(text), clock.now());
    if (orderId === null) return;
    this.#confirmShared(orderId).result.catch((error: unknown) => {
      logger.error({ orderId, error: nameOf(error) }, 'a hint could not be followed yet');
    });
  }

  async tick(): Promise<TickReport> {
    await this.#ready();
    return tick(this.#context);
  }

  async backlog(): Promise<Backlog> {
    await this.#ready();
    return this.#context.store.backlog(this.#context.clock.now());
  }

  statusUrl(orderId: string): string {
    return this.#context.addresses.statusUrl(checkOrderId(orderId));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([this.#links.drain(), this.#confirmations.drain()]);
    await this.#opened?.catch(() => undefined);
    await this.#context.store.close();
  }

  #confirmShared(orderId: string): Flight<Confirmation> {
    const request = { orderId, includeSettled: false };
    return this.#confirmations.run(orderId, () => confirm(this.#context, request));
  }

  async #loadOrder(orderId: string, request: Request | undefined): Promise<PayableOrder> {
    const asked = checkOrderId(orderId);
    const order = await this.#context.loadOrder(asked, request);
    if (order !== null) return payableOrder(order, asked);
    throw new PaymentsError('order_not_found', 'There is no such order for this shopper.');
  }

  /** Opens the store once; a failure is tried again by the next caller. */
  async #ready(): Promise<void> {
    if (this.#isClosed) throw new ConfigurationError('closed', 'These payments were closed.');
    this.#opened ??= this.#context.store.open();
    try {
      await this.#opened;
    } catch (error) {
      this.#opened = undefined;
      throw new PaymentsError('store_unavailable', 'The payments store cannot be opened.', {
        cause: error,
      });
    }
  }
}
