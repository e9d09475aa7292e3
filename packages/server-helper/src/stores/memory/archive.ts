import { redeliveredEntry, type AuditEntry } from '../../payments/audit.ts';
import type { PaymentRecord } from '../../payments/payment-record.ts';
import { hasOpenMatter, nextAfter, type ArchivedPage, type ArchivePage } from '../archive.ts';
import type { History } from '../store.ts';
import type { MemoryOutbox } from './outbox.ts';

/** The logs and events of a memory store's orders, archived or not. */
export class MemoryArchive {
  readonly #records: ReadonlyMap<string, PaymentRecord>;
  readonly #logs: Map<string, AuditEntry[]>;
  readonly #outbox: MemoryOutbox;
  readonly #forget: (orderId: string) => void;
  readonly #archived = new Map<string, History>();

  constructor(
    records: ReadonlyMap<string, PaymentRecord>,
    logs: Map<string, AuditEntry[]>,
    outbox: MemoryOutbox,
    forget: (orderId: string) => void,
  ) {
    this.#records = records;
    this.#logs = logs;
    this.#outbox = outbox;
    this.#forget = forget;
  }

  history(orderId: string): History {
    const { log = [], events = [] } = this.#archived.get(orderId) ?? {};
    return {
      log: [...log, ...(this.#logs.get(orderId) ?? [])],
      events: [...events, ...this.#outbox.of(orderId)],
    };
  }

  /** @returns whether there was a dead letter of this id. */
  redeliver(eventId: string, now: number, by: string | null): boolean {
    const orderId = this.#outbox.redeliver(eventId, now);
    if (orderId === null) return false;
    // An order with a dead letter is not archived, so that its log is here.
    this.#logs.get(orderId)?.push(redeliveredEntry(eventId, now, by));
    return true;
  }

  /** Moves what may be moved of a page's orders. */
  move(orderIds: readonly string[], { before, limit }: ArchivePage): ArchivedPage {
    const finished = orderIds.filter((orderId) => this.#mayBeArchived(orderId, before));
    for (const orderId of finished) {
      this.#archived.set(orderId, this.history(orderId));
      this.#logs.delete(orderId);
      this.#outbox.remove(orderId);
      this.#forget(orderId);
    }
    return { archived: finished.length, next: nextAfter(orderIds, limit) };
  }

  #mayBeArchived(orderId: string, before: number): boolean {
    const record = this.#records.get(orderId);
    if (record === undefined || !this.#logs.has(orderId)) return false;
    const isDelivered = this.#outbox.of(orderId).every(({ outcome }) => outcome === 'done');
    return record.payment.updatedAt < before && isDelivered && !hasOpenMatter(record);
  }
}
