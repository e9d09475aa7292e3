import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { PaymentEventType } from '../../payments/record.ts';
import type { Backlog, Store, Taking } from '../store.ts';

/** One promise that every store keeps. */
export interface ConformanceCase {
  /** A sentence about behaviour. */
  readonly name: string;
  /**
   * Rejects when the store does not keep it. Uses orders of its own, so that parallel cases, also of
   * other processes, may share a store.
   */
  readonly check: (store: Store<unknown>) => Promise<void>;
}

export const cases = (checks: Readonly<Record<string, ConformanceCase['check']>>) =>
  Object.entries(checks).map(([name, check]): ConformanceCase => ({ name, check }));

/** Tries again what others may disturb where a store is shared; it asserts after it has cleaned up. */
export async function undisturbed(check: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await check();
    } catch (error) {
      if (tries === 5) throw error;
      await setTimeout(tries * 40 * Math.random());
    }
  }
}

/** How many a store's backlog counts of a kind, and since when the oldest waits. */
export async function told(
  { health }: Store<unknown>,
  now: number,
  [count, oldest]: readonly [keyof Backlog, keyof Backlog],
  types: readonly PaymentEventType[] = [],
): Promise<string> {
  const backlog = await health.backlog(now, types);
  return `${backlog[count]} since ${backlog[oldest]}`;
}

export const atOnce = <T>(count: number, one: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => one(index)));

/** When the suite's orders were made. */
export const NOW = 1_780_000_000_000;
/** How long the suite's callers take work for. */
export const LEASE_MS = 60_000;
/** How long no other caller may take an order for. */
export const GAP_MS = 5_000;
export const lease = { gapMs: GAP_MS, leaseMs: LEASE_MS };
export const taking: Taking = { ...lease, now: NOW, which: 'any' };
export const HOUR_MS = 3_600_000;

/** An hour of its own for each case, in which a shared store has nothing of the others. */
export const ownHour = (): number =>
  Date.UTC(2077, 0, 1) + HOUR_MS * Math.floor(Math.random() * 5_000_000);

/** A moment before all that a store's backlog may tell the oldest of. */
export const early = (): number => 2 * HOUR_MS + Math.floor(Math.random() * 1_000_000_000);

/** The beginning of the ids of a case's own orders. */
export const ownWord = (): string => `W${randomUUID().replaceAll('-', '')}`;

/** A type of its own for each case, whose events no other one claims: a later release may have it. */
export const ownType = () => `own-${randomUUID().slice(0, 11)}` as PaymentEventType;
