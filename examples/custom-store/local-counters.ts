import type {
  ArchivedPage,
  ArchivePage,
  Attempt,
  Backlog,
  Change,
  CheckRequest,
  CommitHook,
  CommitResult,
  Delivery,
  DeliveryReport,
  DueAttempt,
  FigureSpan,
  HeldMoney,
  HintChange,
  History,
  HitCount,
  MerchantOrderId,
  Operation,
  OrderPage,
  PaymentEventType,
  PaymentPage,
  PaymentPosition,
  PaymentRecord,
  QueuedEvent,
  ReviewItem,
  Schema,
  ShortLived,
  SpanFigures,
  StartedStatusCheck,
  Store,
  TransactionHint,
  WantedAttempts,
} from '@pay-button/server-helper';

interface Kept<T> {
  readonly value: T;
  readonly endsAt: number;
}

/**
 * A store for a shop of one process: counters and request keys, which may be lost, are in its memory
 * and cost no write. Everything else is another store's.
 */
export class LocalCounters<Tx> implements Store<Tx> {
  readonly hookStyle: 'sync' | 'async';
  readonly schema?: Schema;
  readonly #payments: Store<Tx>;
  readonly #hits = new Map<string, Kept<number>>();
  readonly #keys = new Map<string, Kept<string>>();

  constructor(payments: Store<Tx>) {
    this.#payments = payments;
    this.hookStyle = payments.hookStyle;
    if (payments.schema) this.schema = payments.schema;
  }

  async countHits(key: string, hits: number, life: ShortLived): Promise<HitCount> {
    const { value, endsAt } = keep(this.#hits, key, life, (former = 0) => former + hits);
    return { hits: value, endsAt };
  }

  async bindRequestKey(key: string, subject: string, life: ShortLived): Promise<string> {
    return keep(this.#keys, key, life, (former = subject) => former).value;
  }

  open = (scope: string): Promise<void> => this.#payments.open(scope);
  close = (): Promise<void> => this.#payments.close();
  load = (orderId: string): Promise<PaymentRecord | null> => this.#payments.load(orderId);
  commit = (change: Change, hook?: CommitHook<Tx>, hookTimeoutMs?: number): Promise<CommitResult> =>
    this.#payments.commit(change, hook, hookTimeoutMs);
  orderOfOperation = (operationId: string): Promise<string | null> =>
    this.#payments.orderOfOperation(operationId);
  history = (orderId: string): Promise<History> => this.#payments.history(orderId);
  beginStatusCheck = (request: CheckRequest): Promise<StartedStatusCheck | null> =>
    this.#payments.beginStatusCheck(request);
  endStatusCheck = (attempt: Attempt, nextCheckAt: number | null, now: number): Promise<void> =>
    this.#payments.endStatusCheck(attempt, nextCheckAt, now);
  hint = (merchantOrderId: MerchantOrderId, now: number): Promise<string | null> =>
    this.#payments.hint(merchantOrderId, now);
  transactionHints = (orderId: string): Promise<readonly TransactionHint[]> =>
    this.#payments.transactionHints(orderId);
  changeTransactionHints = (orderId: string, change: HintChange, now: number): Promise<void> =>
    this.#payments.changeTransactionHints(orderId, change, now);
  clampChecks = (now: number, aheadMs?: number, leaptFrom?: number): Promise<void> =>
    this.#payments.clampChecks(now, aheadMs, leaptFrom);
  claimDue = (
    now: number,
    limit: number,
    leaseMs: number,
    wanted?: WantedAttempts,
  ): Promise<readonly DueAttempt[]> => this.#payments.claimDue(now, limit, leaseMs, wanted);
  claimEvents = (
    now: number,
    limit: number,
    leaseMs: number,
    types: readonly PaymentEventType[],
  ): Promise<readonly Delivery[]> => this.#payments.claimEvents(now, limit, leaseMs, types);
  reportDelivery = (delivery: Delivery, report: DeliveryReport): Promise<void> =>
    this.#payments.reportDelivery(delivery, report);
  openReviews = (limit: number): Promise<readonly ReviewItem[]> =>
    this.#payments.openReviews(limit);
  proposedOperations = (limit: number): Promise<readonly Operation[]> =>
    this.#payments.proposedOperations(limit);
  deadLetters = (limit: number): Promise<readonly QueuedEvent[]> =>
    this.#payments.deadLetters(limit);
  redeliver = (eventId: string, now: number, by?: string | null): Promise<boolean> =>
    this.#payments.redeliver(eventId, now, by);
  listPayments = (page: PaymentPage): Promise<readonly PaymentPosition[]> =>
    this.#payments.listPayments(page);
  orderIds = (page: OrderPage): Promise<readonly string[]> => this.#payments.orderIds(page);
  figures = (spans: readonly FigureSpan[]): Promise<readonly SpanFigures[]> =>
    this.#payments.figures(spans);
  heldMoney = (limit: number): Promise<readonly HeldMoney[]> => this.#payments.heldMoney(limit);
  archive = (page: ArchivePage): Promise<ArchivedPage> => this.#payments.archive(page);
  backlog = (now: number, types: readonly PaymentEventType[]): Promise<Backlog> =>
    this.#payments.backlog(now, types);
  clockOffsetMs = async (): Promise<number | null> => (await this.#payments.clockOffsetMs?.()) ?? 0;
  checkWritable = async (): Promise<void> => this.#payments.checkWritable?.();
  isStuck = async (): Promise<boolean> => (await this.#payments.isStuck?.()) ?? false;
}

/** A value whose window has ended, or would end too late since a clock was put back, begins anew. */
function keep<T>(
  all: Map<string, Kept<T>>,
  key: string,
  { now, endsAt }: ShortLived,
  change: (former?: T) => T,
): Kept<T> {
  // The oldest are first: what has ended is forgotten.
  for (const [name, one] of all) {
    if (one.endsAt > now) break;
    all.delete(name);
  }
  const former = all.get(key);
  const lives =
    former !== undefined && former.endsAt > now && former.endsAt - endsAt <= endsAt - now;
  if (!lives) all.delete(key);
  const kept = lives
    ? { value: change(former.value), endsAt: former.endsAt }
    : { value: change(), endsAt };
  all.set(key, kept);
  return kept;
}
