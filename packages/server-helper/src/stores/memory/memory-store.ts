import { attemptOfName, type MerchantOrderId } from '../../ids.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { apply, changeEntry, closedEntry, type AuditEntry } from '../../payments/audit.ts';
import type { Operation } from '../../payments/operation.ts';
import type {
  Change,
  Movement,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
} from '../../payments/payment-record.ts';
import { MemoryArchive } from './archive.ts';
import { countBacklog } from './count-backlog.ts';
import { figures, heldMoney } from './figures.ts';
import { listOrders, listPayments } from './lists.ts';
import { dueAttempts, openReviews, proposedOperations } from './matters.ts';
import { MemoryOutbox } from './outbox.ts';
import { MemoryShortLived } from './short-lived.ts';
import { factsOf, refuseDoubled } from './unique-keys.ts';
import {
  changedHints,
  type HintChange,
  type TransactionHint,
} from '../../payments/transaction-hint.ts';
import {
  chooseCheck,
  clamped,
  endedCheck,
  isWanted,
  takenForCheck,
  takesHints,
  withAttempt,
  withHint,
} from '../check-rules.ts';
import { attemptsOf, checkChange, refusalOf } from '../commit-rules.ts';
import type { ArchivedPage, ArchivePage } from '../archive.ts';
import { MAX_COUNTED, type Backlog } from '../backlog.ts';
import type { FigureSpan, HeldMoney, SpanFigures } from '../figures.ts';
import type { Delivery, DeliveryReport, QueuedEvent } from '../delivery.ts';
import type { PaymentPage, PaymentPosition } from '../payment-page.ts';
import { everyAttempt, type StartedStatusCheck, type CheckRequest } from '../check-request.ts';
import type {
  CommitHook,
  CommitResult,
  History,
  HitCount,
  OrderPage,
  ShortLived,
  Store,
} from '../store.ts';
import { SynchronousHook } from '../synchronous-hook.ts';

/**
 * Stores payments in memory, for tests; they end with the process. `inTransaction` gets
 * `undefined`, since there is no database to write in.
 */
export function memoryStore(): Store<undefined> {
  return new MemoryStore();
}

class MemoryStore implements Store<undefined> {
  readonly hookStyle = 'sync';
  readonly #hook = new SynchronousHook<undefined>();
  readonly #records = new Map<string, PaymentRecord>();
  readonly #logs = new Map<string, AuditEntry[]>();
  readonly #movements: Movement[] = [];
  readonly #outbox = new MemoryOutbox();
  readonly #shortLived = new MemoryShortLived();
  readonly #transactionHints = new Map<string, readonly TransactionHint[]>();
  readonly #archive = new MemoryArchive(this.#records, this.#logs, this.#outbox, (orderId) =>
    this.#transactionHints.delete(orderId),
  );

  async open(): Promise<void> {}

  async close(): Promise<void> {}

  async load(orderId: string): Promise<PaymentRecord | null> {
    return this.#records.get(orderId) ?? null;
  }

  async commit(change: Change, hook?: CommitHook<undefined>): Promise<CommitResult> {
    const { payment, events } = change;
    const { orderId, updatedAt } = payment;
    const entry = changeEntry(change);
    checkChange(change, JSON.stringify(entry));
    const before = this.#records.get(orderId) ?? null;
    const refusal = refusalOf(change, factsOf([...this.#records.values()], before));
    if (refusal?.outcome === 'conflict') return { ...refusal, record: before };
    if (refusal !== null) return refusal;
    const written = attemptsOf(change, before?.attempts ?? []);
    const record = apply(before, { ...change, attempts: written.attempts });
    refuseDoubled([...this.#records.values()], record);
    // Nothing is written yet when the hook throws, so nothing needs to be undone.
    for (const event of events) this.#hook.run(hook, undefined, event);
    this.#records.set(orderId, record);
    this.#logOf(orderId).push(entry);
    this.#movements.push(...(change.movements ?? []));
    this.#outbox.add(events, updatedAt);
    if (written.closed) this.#logOf(orderId).push(closedEntry(written.closed.number, updatedAt));
    return { outcome: 'committed' };
  }

  async orderOfOperation(operationId: string): Promise<string | null> {
    const all = [...this.#records.values()].flatMap(({ operations }) => operations);
    return all.find(({ id }) => id === operationId)?.orderId ?? null;
  }

  async history(orderId: string): Promise<History> {
    return this.#archive.history(orderId);
  }

  async beginStatusCheck(request: CheckRequest): Promise<StartedStatusCheck | null> {
    const record = this.#records.get(request.orderId);
    if (record === undefined) return null;
    const chosen = chooseCheck(record, request);
    if (chosen === null) return { record, taken: null };
    const taken = takenForCheck(chosen, request);
    this.#put(taken);
    return { record: withAttempt(record, taken), taken };
  }

  async endStatusCheck(attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> {
    const attempts = this.#records.get(attempt.orderId)?.attempts ?? [];
    const stored = attempts.find(({ number }) => number === attempt.number);
    if (stored === undefined) return;
    const ended = endedCheck(stored, { attempt, nextCheckAt }, attempts, now);
    this.#put(ended);
    if (ended.state !== stored.state) {
      this.#logOf(attempt.orderId).push(closedEntry(attempt.number, now));
    }
  }

  async hint(merchantOrderId: MerchantOrderId, now: number): Promise<string | null> {
    const named = attemptOfName(merchantOrderId);
    const record = this.#records.get(named?.orderId ?? '');
    const attempt = record?.attempts.find(({ number }) => number === named?.attemptNumber);
    if (record === undefined || attempt === undefined) return null;
    if (!takesHints(record, attempt)) return null;
    this.#put(withHint(attempt, now));
    return attempt.orderId;
  }

  async transactionHints(orderId: string): Promise<readonly TransactionHint[]> {
    return this.#transactionHints.get(orderId) ?? [];
  }

  async changeTransactionHints(orderId: string, change: HintChange, now: number): Promise<void> {
    if (!this.#records.has(orderId)) return;
    const before = this.#transactionHints.get(orderId) ?? [];
    this.#transactionHints.set(orderId, changedHints(before, change, now));
  }

  async clampChecks(now: number, aheadMs?: number, leaptFrom?: number): Promise<void> {
    this.#outbox.clamp(now);
    for (const { attempts } of this.#records.values()) {
      for (const attempt of attempts) this.#put(clamped(attempt, now, aheadMs, leaptFrom));
    }
  }

  async claimDue(now: number, limit: number, leaseMs: number, wanted = everyAttempt) {
    const due = dueAttempts(this.#records.values(), now)
      .filter((one) => isWanted(one, wanted, now))
      .slice(0, limit);
    for (const attempt of due) this.#put({ ...attempt, nextCheckAt: now + leaseMs });
    return due.map(({ orderId, number }) => ({ orderId, attemptNumber: number }));
  }

  async claimEvents(
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> {
    return this.#outbox.claim(now, limit, leaseMs, types);
  }

  async reportDelivery(delivery: Delivery, report: DeliveryReport): Promise<void> {
    this.#outbox.report(delivery, report);
  }

  async openReviews(limit: number): Promise<readonly ReviewItem[]> {
    return openReviews(this.#records.values(), limit);
  }

  async proposedOperations(limit: number): Promise<readonly Operation[]> {
    return proposedOperations(this.#records.values(), limit);
  }

  async deadLetters(limit: number): Promise<readonly QueuedEvent[]> {
    return this.#outbox.dead(limit);
  }

  async redeliver(eventId: string, now: number, by: string | null = null): Promise<boolean> {
    return this.#archive.redeliver(eventId, now, by);
  }

  countHits(key: string, hits: number, life: ShortLived): Promise<HitCount> {
    return this.#shortLived.countHits(key, hits, life);
  }

  bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string> {
    return this.#shortLived.bindRequestKey(key, subject, life);
  }

  async listPayments(page: PaymentPage): Promise<readonly PaymentPosition[]> {
    return listPayments([...this.#records.values()], page);
  }

  async orderIds(page: OrderPage): Promise<readonly string[]> {
    return listOrders([...this.#records.values()], page);
  }

  async figures(spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> {
    return spans.map((span) => figures([...this.#records.values()], this.#movements, span));
  }

  async heldMoney(limit: number): Promise<readonly HeldMoney[]> {
    return heldMoney([...this.#records.values()], limit);
  }

  async archive(page: ArchivePage): Promise<ArchivedPage> {
    const orderIds = await this.orderIds({ ...page, since: 0 });
    return this.#archive.move(orderIds, page);
  }

  async backlog(now: number, types: readonly PaymentEventType[]): Promise<Backlog> {
    const waiting = {
      due: dueAttempts(this.#records.values(), now),
      undelivered: this.#outbox.undelivered(types),
      oldestUndeliveredAt: this.#outbox.oldestDue(now, types),
      reviews: await this.openReviews(MAX_COUNTED),
      dead: await this.deadLetters(MAX_COUNTED),
    };
    return countBacklog({ ...waiting, records: [...this.#records.values()] }, now);
  }

  #logOf(orderId: string): AuditEntry[] {
    const log = this.#logs.get(orderId) ?? [];
    this.#logs.set(orderId, log);
    return log;
  }

  #put(attempt: Attempt): void {
    const record = this.#records.get(attempt.orderId);
    if (record !== undefined) this.#records.set(attempt.orderId, withAttempt(record, attempt));
  }
}
