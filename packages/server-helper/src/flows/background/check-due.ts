import { nameOf, PaymentsError } from '../../errors.ts';
import { isSilence } from '../../payments/answer.ts';
import { usualWatch, YOUNG_MS } from '../../payments/watch.ts';
import { AWAITED_MS, CHECK_GAP_MS } from '../../payments/checks.ts';
import { everyOrder, type Wanted } from '../../stores/store.ts';
import type { StatusCheck } from '../confirm/check-status.ts';
import { askStore, withDeadline } from '../waiting.ts';
import type { FlowContext } from '../flow-context.ts';

/** Concurrent status calls of a process for attempts that a shopper may wait for. */
const AWAITED_UNDER_WAY = 5;
/** Concurrent status calls for other attempts: a slow gateway may take seconds for each. */
const OTHERS_UNDER_WAY = 20;
/** Checks in one call: about as many as the pace allows in a minute. */
const SECONDS_A_CALL = 48;
/** The lease of a claimed order, after which another process claims it again. */
const CLAIM_LEASE_MS = 60_000;
const claimLease = { gapMs: CHECK_GAP_MS, leaseMs: CLAIM_LEASE_MS };
const CLAIM_DEADLINE_MS = 10_000;
/** A claim of favoured attempts reads past all others that are due, so a vain one is not repeated at once. */
const FAVOURED_PAUSE_MS = 1_000;

export interface DueChecks<Tx> {
  readonly context: FlowContext<Tx>;
  /** Asks about an order that is due; other callers of the process may join. */
  readonly check: (orderId: string) => Promise<StatusCheck>;
}

/** Which attempts are checked, and how many at once. */
interface Kind {
  readonly wanted: (now: number) => Wanted;
  /** Which of these have every other round to themselves, while one round does not take all. */
  readonly favoured?: (now: number) => Wanted;
  readonly underWay: number;
  /** Each must allow a check. */
  readonly allowances: readonly Allowance[];
  /** Whether one check at a time is enough while the gateway does not answer. */
  readonly probes: boolean;
}

/**
 * Checks the attempts that a shopper may wait for, as soon as they are due: young attempts, and
 * attempts with a hint that no status check has followed. Anyone can send hints, about thousands of
 * orders at once: every other round is for the young attempts that their schedule asks about.
 */
export function checkAwaited<Tx>(checks: DueChecks<Tx>, signal?: AbortSignal): Promise<number> {
  const { checksPerSecond } = checks.context.watch ?? usualWatch;
  const wanted = (now: number): Wanted => ({
    dueAfter: now - AWAITED_MS,
    madeAfter: now - YOUNG_MS,
    bySchedule: false,
  });
  const favoured = (now: number): Wanted => ({ ...wanted(now), bySchedule: true });
  const allowances = [{ key: 'checks', perSecond: checksPerSecond }];
  const underWay = AWAITED_UNDER_WAY;
  return checkDue(checks, { wanted, favoured, underWay, allowances, probes: false }, signal);
}

/**
 * Checks all other due attempts, the longest due first, at a pace of their own: after an outage of
 * the gateway thousands may be due at once. One at a time is enough to notice a silent gateway's return.
 */
export function checkOthers<Tx>(checks: DueChecks<Tx>, signal?: AbortSignal): Promise<number> {
  const { checksPerSecond, oldChecksPerSecond } = checks.context.watch ?? usualWatch;
  const wanted = (): Wanted => everyOrder;
  const underWay = Math.max(OTHERS_UNDER_WAY, oldChecksPerSecond);
  const allowances = [
    { key: 'checks/old', perSecond: oldChecksPerSecond },
    { key: 'checks', perSecond: checksPerSecond },
  ];
  return checkDue(checks, { wanted, underWay, allowances, probes: true }, signal);
}

/**
 * @param signal - Lets what is under way end, and begins no more.
 * @returns how many were due.
 */
async function checkDue<Tx>(
  checks: DueChecks<Tx>,
  { wanted, favoured, underWay, allowances, probes }: Kind,
  signal?: AbortSignal,
): Promise<number> {
  const { store, clock } = checks.context;
  const isOver = (): boolean => signal?.aborted === true;
  const perSecond = Math.min(...allowances.map((one) => one.perSecond));
  const queue = new KeyedQueue(underWay);
  let isAnswering = true;
  /** What this round claims. */
  let claims = wanted;
  let favouredFrom = 0;
  let checked = 0;
  const begin = (orderId: string): void => {
    queue.begin(orderId, async () => {
      isAnswering = (await checkOne(checks, orderId)) ?? isAnswering;
    });
  };
  try {
    while (checked < SECONDS_A_CALL * perSecond && !isOver()) {
      const isProbing = probes && !isAnswering;
      const room = isProbing ? Number(queue.isIdle) : Math.min(perSecond, queue.free);
      if (room === 0) {
        await queue.oneEnded();
        continue;
      }
      const now = clock.now();
      // A store that never answers must not hold up the rounds after this one.
      const due = await askStore(() =>
        withDeadline(clock, CLAIM_DEADLINE_MS, () =>
          store.claimDue(now, room, claimLease, claims(now)),
        ),
      );
      // One that got less than it asked for leaves nothing.
      const isLast = claims === wanted && due.length < room;
      if (claims === favoured && due.length < room) favouredFrom = now + FAVOURED_PAUSE_MS;
      const leavesSome = due.length === room && claims === wanted && now >= favouredFrom;
      claims = leavesSome && favoured !== undefined ? favoured : wanted;
      if (due.length > 0) {
        if (!(await takeChecks(checks.context, allowances, due.length, signal))) break;
        for (const orderId of due) begin(orderId);
        checked += due.length;
      }
      if (isLast) break;
    }
  } finally {
    await queue.allEnded();
  }
  return checked;
}

/**
 * Checks one order. An error about it must not delay the others; its lease brings it back.
 *
 * @returns whether the gateway answered; `undefined` when it was not asked.
 */
async function checkOne<Tx>(
  { context, check }: DueChecks<Tx>,
  orderId: string,
): Promise<boolean | undefined> {
  try {
    const { asked } = await withDeadline(context.clock, CLAIM_LEASE_MS, () => check(orderId));
    return asked === null ? undefined : !isSilence(asked.answer);
  } catch (error) {
    const fields = { orderId, error: nameOf(error) };
    context.logger.error(fields, 'a status check failed and will be repeated');
    // A hook or a store that failed is reported where it did.
    if (!(error instanceof PaymentsError))
      context.reportError?.(error, { where: 'background', orderId });
    return undefined;
  }
}

/** How many status checks all processes may begin in a second. */
interface Allowance {
  /** The counter in the store, beside those of the routes' limits. */
  readonly key: string;
  readonly perSecond: number;
}

/** A little over a second: calls that leave late must not meet the next window's in one second. */
const WINDOW_MS = 1_100;

/**
 * Waits until the allowances, which all processes share by the store, have room for so many.
 *
 * @param count - At most what each allows in a second.
 * @returns `false` when the work was stopped meanwhile.
 */
async function takeChecks<Tx>(
  { store, clock }: Pick<FlowContext<Tx>, 'store' | 'clock'>,
  allowances: readonly Allowance[],
  count: number,
  signal?: AbortSignal,
): Promise<boolean> {
  for (const { key, perSecond } of allowances) {
    for (;;) {
      if (signal?.aborted === true) return false;
      const now = clock.now();
      const { hits, endsAt } = await store.count(key, count, { now, endsAt: now + WINDOW_MS });
      if (hits <= perSecond) break;
      await clock.sleep(Math.max(1, endsAt - now), signal).catch(() => undefined);
    }
  }
  return true;
}

/** Runs so much work at once, and the work for one key in its order, piece after piece. */
export class KeyedQueue {
  readonly #width: number;
  readonly #underWay = new Set<Promise<void>>();
  readonly #lastOf = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(width: number) {
    this.#width = width;
  }

  /** How many more pieces may begin now. */
  get free(): number {
    return this.#width - this.#underWay.size;
  }

  get isIdle(): boolean {
    return this.#underWay.size === 0;
  }

  /** Begins the work after all earlier work for this key has ended, also after failures. */
  begin(key: string, work: () => Promise<void>): void {
    const underWay = (this.#lastOf.get(key) ?? Promise.resolve())
      .then(work)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay.delete(underWay);
        if (this.#lastOf.get(key) === underWay) this.#lastOf.delete(key);
      });
    this.#underWay.add(underWay);
    this.#lastOf.set(key, underWay);
  }

  /** Resolves when one piece has ended. @throws the first failure. */
  async oneEnded(): Promise<void> {
    await Promise.race(this.#underWay);
    this.#throwFailure();
  }

  /** Resolves when all pieces have ended. @throws the first failure. */
  async allEnded(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#throwFailure();
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
