import type { MerchantOrderId } from '../../ids.ts';
import { type Answer, isKnown, showsNothing } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { askStore } from '../waiting.ts';
import { REFUSED_MS, YOUNG_MS } from '../../payments/watch.ts';
import type { Store } from '../../stores/store.ts';

/** So many links are no chance any more. */
const MANY = 5;

/** So many links are remembered. */
const MOST = 10_000;

/** How long health speaks of a link that was lost with its order. */
const LOST_MS = 24 * 3_600_000;

/** Each refused link is asked about daily. */
const REFUSED_END_MS = 25 * 3_600_000;

/** Codes of answers that refuse the question, whatever the link. */
const refusals: ReadonlySet<string> = new Set([
  'redirected',
  'unauthorized',
  'wrong_credential_type',
  'wrong_environment',
]);

/** What is known of links that the gateway does not know, or refuses to speak of. */
export class UnknownLinks {
  /** Pairs of API keys that open one account, by their marks. */
  readonly #same = new Set<string>();
  /** The end of life of each link that the gateway did not know; `null` where it refused the question. */
  readonly #unknown = new Map<MerchantOrderId, number | null>();
  #lostAt = -Infinity;
  #refusedEndAt = -Infinity;

  /** Notes an answer about a session. A link that another key than its own finds proves that both open one account. */
  async note(store: Counters, attempt: Attempt, answer: Answer, now: number): Promise<void> {
    const { merchantOrderId, createdAt, expiresAt } = attempt;
    if (answer.kind === 'refused' && now >= expiresAt + REFUSED_MS) this.#refusedEndAt = now;
    if (isKnown(answer)) {
      for (const [name, endsAt] of this.#unknown) {
        if (name === merchantOrderId || endsAt === null) this.#unknown.delete(name);
      }
      // An account may show any session without rows.
      for (const pair of showsNothing(answer) ? [] : pairsOf(attempt, answer)) {
        if (!this.#same.has(pair)) await remembered(store, pair, 1, now);
        this.#same.add(pair);
      }
    }
    if (this.#unknown.size >= MOST) return;
    // A status may lag behind at first, and some gateways forget sessions after their life.
    const isDue = now - createdAt >= YOUNG_MS && now < expiresAt;
    const isRefused = answer.kind === 'refused' || refusals.has(answer.code ?? '');
    if (isRefused) this.#unknown.set(merchantOrderId, null);
    else if (answer.kind === 'unknown' && isDue) this.#unknown.set(merchantOrderId, expiresAt);
  }

  /** Whether a link was made with an API key whose account did not give an answer: it may know the link. */
  async isForeign(
    store: Counters,
    attempt: Attempt,
    answer: Answer,
    now: number,
  ): Promise<boolean> {
    if (!showsNothing(answer) && answer.kind !== 'refused') return false;
    const pairs = pairsOf(attempt, answer);
    for (const pair of pairs)
      if (this.#same.has(pair) || (await remembered(store, pair, 0, now)) > 0) return false;
    return pairs.length > 0;
  }

  /** Whether the gateway did not know many links that live, or refused to speak of them. */
  areMany(now: number): boolean {
    for (const [name, endsAt] of this.#unknown) {
      if (endsAt !== null && endsAt <= now) this.#unknown.delete(name);
    }
    return this.#unknown.size >= MANY;
  }

  /** Notes a link that the gateway has, of an order that neither the store nor the shop knows. */
  lose(now: number): void {
    this.#lostAt = now;
  }

  /** Whether there was such a link within a day. */
  isAnyLost(now: number): boolean {
    return Math.abs(now - this.#lostAt) < LOST_MS;
  }

  /** Whether the gateway refused lately to speak of a link after its end. */
  refusesEnded(now: number): boolean {
    return now - this.#refusedEndAt < REFUSED_END_MS;
  }
}

/** The key that made a link beside each that answered about it; none where one key did both. */
function pairsOf({ keys = [] }: Attempt, answer: Answer): readonly string[] {
  const asked = answer.keys ?? [];
  if (keys.some((key) => asked.includes(key))) return [];
  return keys.flatMap((key) =>
    asked.map((other) => `account/${[key, other].toSorted().join('/')}`),
  );
}

export type Counters = Pick<Store<unknown>, 'count'>;

/** Longer than any link is watched. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

/** Adds to what all processes remember of the gateway's word. @returns how often it was said. */
export const remembered = async (store: Counters, key: string, hits: number, now: number) =>
  (await askStore(() => store.count(key, hits, { now, endsAt: now + REMEMBERED_MS }))).hits;
