import type { BatchObservableResult, Observable } from '@opentelemetry/api';
import type { Backlog } from '../stores/backlog.ts';
import { currentMeter } from './otel.ts';

/** What gauges read from. */
export interface GaugeSource {
  readonly merchant: string;
  readonly now: () => number;
  readonly readBacklog: () => Promise<Backlog>;
  /** Credentials whose calls to the gateway are held back. */
  readonly openBreakers: () => number;
}

/**
 * Lets whoever collects metrics read how much waits, one bounded question to the store each time.
 *
 * @returns how to stop.
 */
export function watchGauges({ merchant, now, readBacklog, openBreakers }: GaugeSource): () => void {
  const measuring = currentMeter();
  if (measuring === null) return () => undefined;
  const { meter } = measuring;
  const gauge = (name: string, unit: string, description: string): Observable =>
    meter.createObservableGauge(`pay_button.${name}`, { unit, description });
  const backlog = gauge('backlog', '{item}', 'Looks that are due, and events to deliver.');
  const oldestCheck = gauge('oldest_look', 's', 'How late the latest look at a payment is.');
  const unknown = gauge('oldest_unknown', 's', 'Age of the oldest outcome that nobody knows.');
  const reviews = gauge('review_list', '{item}', 'Matters that a person must look at.');
  const breakers = gauge('gateway.breakers_open', '{credential}', 'Credentials held back.');
  const all = [backlog, oldestCheck, unknown, reviews, breakers];
  const age = (at: number | null): number => (at === null ? 0 : Math.max(0, now() - at) / 1_000);
  const read = async (result: BatchObservableResult): Promise<void> => {
    result.observe(breakers, openBreakers(), { merchant });
    const told = await readBacklog().catch(() => null);
    if (told === null) return;
    result.observe(backlog, told.dueAttempts, { merchant, kind: 'looks' });
    result.observe(backlog, told.undelivered, { merchant, kind: 'events' });
    result.observe(oldestCheck, age(told.oldestDueAt), { merchant });
    result.observe(unknown, age(told.oldestUnknownAt), { merchant });
    result.observe(reviews, told.openReviews, { merchant, kind: 'payments' });
    result.observe(reviews, told.deadLetters, { merchant, kind: 'dead_letters' });
  };
  meter.addBatchObservableCallback(read, all);
  return () => meter.removeBatchObservableCallback(read, all);
}
