import type { MerchantOrderId } from '../../ids.ts';
import { type Answer, isKnown } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { REFUSED_MS, YOUNG_MS } from '../../payments/watch.ts';

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

/** What this process knows of links that the gateway does not know, or refuses to speak of. */
export class UnknownLinks {
  /** Marks of the API keys that this shop has, each in place of the key. */
  readonly keys: readonly string[];
  /** Marks of keys that open the links of one of these accounts. */
  readonly #ours: Set<string>;
  /** The end of life of each link that the gateway did not know; `null` where it refused the question. */
  readonly #unknown = new Map<MerchantOrderId, number | null>();
  #lostAt = -Infinity;
  #refusedEndAt = -Infinity;

  constructor(keys: readonly string[] = []) {
    this.keys = keys;
    this.#ours = new Set(keys);
  }

  /** Notes an answer about a session. */
  note({ merchantOrderId, createdAt, expiresAt, keys = [] }: Attempt, answer: Answer, now: number) {
    if (answer.kind === 'refused' && now >= expiresAt + REFUSED_MS) this.#refusedEndAt = now;
    if (isKnown(answer)) {
      // Of several keys at once, one alone may have made the link.
      if (keys.length === 1) this.#ours.add(keys[0] ?? '');
      for (const [name, endsAt] of this.#unknown) {
        if (name === merchantOrderId || endsAt === null) this.#unknown.delete(name);
      }
    }
    if (this.#unknown.size >= MOST) return;
    // A status may lag behind at first, and some gateways forget sessions after their life.
    const isDue = now - createdAt >= YOUNG_MS && now < expiresAt;
    const isRefused = answer.kind === 'refused' || refusals.has(answer.code ?? '');
    if (isRefused) this.#unknown.set(merchantOrderId, null);
    else if (answer.kind === 'unknown' && isDue) this.#unknown.set(merchantOrderId, expiresAt);
  }

  /**
   * Whether a link was made with API keys of which the shop has none any more: another account may have it. One
   * link of these keys that the gateway knows proves that the account is the same.
   */
  isForeign({ keys = [] }: Attempt): boolean {
    return keys.length > 0 && this.#ours.size > 0 && !keys.some((key) => this.#ours.has(key));
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
