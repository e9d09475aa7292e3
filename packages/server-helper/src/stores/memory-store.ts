import type { MerchantOrderId } from '../ids.ts';
import type { Attempt } from '../payments/attempt.ts';
import type { Change, PaymentEvent, PaymentRecord } from '../payments/payment-record.ts';
import { hintedLookAt, mayLookAt } from './look-rules.ts';
import {
  LOOK_GAP_MS,
  type Backlog,
  type CommitHook,
  type CommitResult,
  type Delivery,
  type DeliveryReport,
  type Look,
  type LookRequest,
  type Store,
} from './store.ts';
import { SynchronousHook } from './synchronous-hook.ts';

interface Queued {
  readonly event: PaymentEvent;
  tries: number;
  nextTryAt: number | null;
}

/**
 * Keeps payments in memory, for tests: what the process forgets is lost. `inTransaction` is handed
 * `undefined`, since there is no database to write in.
 */
export function memoryStore(): Store<undefined> {
  return new MemoryStore();
}

class MemoryStore implements Store<undefined> {
  readonly hookStyle = 'sync';
  readonly #hook = new SynchronousHook<undefined>();
  readonly #records = new Map<string, PaymentRecord>();
  readonly #outbox = new Map<string, Queued>();

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  async load(orderId: string): Promise<PaymentRecord | null> {
    return this.#records.get(orderId) ?? null;
  }

  async commit(change: Change, hook?: CommitHook<undefined>): Promise<CommitResult> {
    const { payment } = change;
    const before = this.#records.get(payment.orderId);
    if ((before?.payment.version ?? 0) !== payment.version - 1) return { outcome: 'conflict' };
    for (const { transactionId } of change.ledger) {
      const orderId = this.#ownerOf(transactionId);
      if (orderId !== undefined) return { outcome: 'transaction_taken', transactionId, orderId };
    }
    // Nothing is written yet when the hook throws, so nothing needs to be undone.
    for (const event of change.events) this.#hook.run(hook, undefined, event);
    const replaced = new Set(change.attempts.map(({ number }) => number));
    const kept = (before?.attempts ?? []).filter(({ number }) => !replaced.has(number));
    this.#records.set(payment.orderId, {
      payment,
      attempts: [...kept, ...change.attempts].toSorted((a, b) => a.number - b.number),
      ledger: [...(before?.ledger ?? []), ...change.ledger],
      reviews: [...(before?.reviews ?? []), ...change.reviews],
    });
    for (const event of change.events) {
      this.#outbox.set(event.id, { event, tries: 0, nextTryAt: payment.updatedAt });
    }
    return { outcome: 'committed' };
  }

  async beginLook(request: LookRequest): Promise<Look | null> {
    const record = this.#records.get(request.orderId);
    if (record === undefined) return null;
    const taken = record.attempts.filter((attempt) => mayLookAt(attempt, request));
    for (const attempt of taken) {
      const nextLookAt = attempt.state === 'open' ? request.now + request.leaseMs : null;
      this.#put({ ...attempt, lastLookAt: request.now, nextLookAt });
    }
    return { record, taken };
  }

  async endLook({ orderId, number }: Attempt, nextLookAt: number | null): Promise<void> {
    const attempt = this.#records.get(orderId)?.attempts.find((one) => one.number === number);
    if (attempt?.state !== 'open') return;
    const isHinted = (attempt.hintedAt ?? -Infinity) > (attempt.lastLookAt ?? Infinity);
    const next = isHinted ? (attempt.lastLookAt ?? 0) + LOOK_GAP_MS : nextLookAt;
    this.#put({ ...attempt, nextLookAt: next, state: next === null ? 'closed' : 'open' });
  }

  async hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    const attempt = this.#openAttempts().find((one) => one.merchantOrderId === merchantOrderId);
    if (attempt === undefined) return null;
    const lookAt = hintedLookAt(attempt.lastLookAt, now);
    this.#put({
      ...attempt,
      hintedAt: now,
      nextLookAt: Math.min(attempt.nextLookAt ?? lookAt, lookAt),
    });
    return attempt.orderId;
  }

  async claimDue(now: number, limit: number, leaseMs: number): Promise<readonly string[]> {
    const due = this.#dueAttempts(now).slice(0, limit);
    for (const attempt of due) this.#put({ ...attempt, nextLookAt: now + leaseMs });
    return [...new Set(due.map(({ orderId }) => orderId))];
  }

  async claimEvents(now: number, limit: number, leaseMs: number): Promise<readonly Delivery[]> {
    const isDue = ({ nextTryAt }: Queued): boolean => nextTryAt !== null && nextTryAt <= now;
    const due = [...this.#outbox.values()].filter(isDue).slice(0, limit);
    return due.map((queued) => {
      queued.tries += 1;
      queued.nextTryAt = now + leaseMs;
      return { event: queued.event, tryNumber: queued.tries };
    });
  }

  async reportDelivery({ event, tryNumber }: Delivery, report: DeliveryReport): Promise<void> {
    const queued = this.#outbox.get(event.id);
    if (queued?.tries !== tryNumber) return;
    queued.nextTryAt = report.outcome === 'again' ? report.at : null;
  }

  async backlog(now: number): Promise<Backlog> {
    const waiting = [...this.#outbox.values()].filter(({ nextTryAt }) => nextTryAt !== null);
    return { dueAttempts: this.#dueAttempts(now).length, undelivered: waiting.length };
  }

  #openAttempts(): readonly Attempt[] {
    const records = [...this.#records.values()];
    return records.flatMap(({ attempts }) => attempts.filter(({ state }) => state === 'open'));
  }

  #dueAttempts(now: number): readonly Attempt[] {
    return this.#openAttempts()
      .filter(({ nextLookAt }) => nextLookAt !== null && nextLookAt <= now)
      .toSorted((a, b) => (a.nextLookAt ?? 0) - (b.nextLookAt ?? 0));
  }

  #ownerOf(transactionId: string): string | undefined {
    for (const { ledger } of this.#records.values()) {
      const row = ledger.find((one) => one.transactionId === transactionId);
      if (row !== undefined) return row.orderId;
    }
    return undefined;
  }

  #put(attempt: Attempt): void {
    const record = this.#records.get(attempt.orderId);
    if (record === undefined) return;
    const attempts = record.attempts.map((one) => (one.number === attempt.number ? attempt : one));
    this.#records.set(attempt.orderId, { ...record, attempts });
  }
}
