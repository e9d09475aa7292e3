import type { PaymentEvent, PaymentEventType } from '../../payments/payment-record.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import { LONGEST_DELIVERY_WAIT_MS } from '../store.ts';

interface Queued {
  readonly event: PaymentEvent;
  outcome: QueuedEvent['outcome'];
  tries: number;
  nextTryAt: number | null;
}

/** A memory store's events, in the order of what happened. */
export class MemoryOutbox {
  readonly #queued = new Map<string, Queued>();

  /** Adds events. One whose id is stored was recorded before, and stays as it is. */
  add(events: readonly PaymentEvent[], nextTryAt: number): void {
    for (const event of events) {
      if (!this.#queued.has(event.id))
        this.#queued.set(event.id, { event, outcome: 'waiting', tries: 0, nextTryAt });
    }
  }

  of(orderId: string): readonly QueuedEvent[] {
    return this.#all()
      .filter(({ event }) => event.orderId === orderId)
      .map(queuedOf);
  }

  remove(orderId: string): void {
    for (const { event } of this.#all()) {
      if (event.orderId === orderId) this.#queued.delete(event.id);
    }
  }

  dead(limit: number): readonly QueuedEvent[] {
    const dead = this.#all().filter(({ outcome }) => outcome === 'dead');
    return dead.slice(0, limit).map(queuedOf);
  }

  undelivered(types: readonly PaymentEventType[]): number {
    return this.#waiting(types).length;
  }

  /** When the oldest event that is due was due. */
  oldestDue(now: number, types: readonly PaymentEventType[]): number | null {
    const times = this.#waiting(types).map(({ nextTryAt }) => nextTryAt ?? Infinity);
    const oldest = Math.min(...times);
    return oldest <= now ? oldest : null;
  }

  claim(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): readonly Delivery[] {
    const first = new Map<string, Queued>();
    for (const queued of this.#waiting(types)) {
      const { orderId } = queued.event;
      if (!first.has(orderId)) first.set(orderId, queued);
    }
    const due = [...first.values()].filter(({ nextTryAt }) => (nextTryAt ?? Infinity) <= now);
    return due.slice(0, limit).map((queued) => {
      queued.tries += 1;
      queued.nextTryAt = now + leaseMs;
      return { event: queued.event, tryNumber: queued.tries };
    });
  }

  clamp(now: number): void {
    for (const queued of this.#queued.values()) {
      const isPutOff = (queued.nextTryAt ?? 0) > now + LONGEST_DELIVERY_WAIT_MS;
      if (isPutOff) queued.nextTryAt = now;
    }
  }

  report({ event, tryNumber }: Delivery, report: DeliveryReport): void {
    const queued = this.#queued.get(event.id);
    if (queued?.tries !== tryNumber) return;
    queued.nextTryAt = report.outcome === 'again' ? report.at : null;
    queued.outcome = report.outcome === 'again' ? 'waiting' : report.outcome;
  }

  /** @returns the order of the dead letter; `null` where there was none. */
  redeliver(eventId: string, now: number): string | null {
    const queued = this.#queued.get(eventId);
    if (queued?.outcome !== 'dead') return null;
    this.#queued.set(eventId, { ...queued, outcome: 'waiting', tries: 0, nextTryAt: now });
    return queued.event.orderId;
  }

  #all(): readonly Queued[] {
    return [...this.#queued.values()];
  }

  #waiting(types: readonly PaymentEventType[]): readonly Queued[] {
    return this.#all().filter(
      ({ event, nextTryAt }) => nextTryAt !== null && types.includes(event.type),
    );
  }
}

const queuedOf = ({ event, outcome, tries }: Queued): QueuedEvent => ({ event, outcome, tries });
