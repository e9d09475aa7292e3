import type { HitCount, ShortLived } from '../stores/store.ts';
import { RateLimiterResult, RateLimiterStore } from './rate-limiter.ts';

/** Adds hits to a counter that all processes share. */
export type CountHits = (key: string, hits: number, window: ShortLived) => Promise<HitCount>;

interface Counted extends HitCount {
  readonly now: number;
}

/**
 * Counts in the payments' own store. Of a subject that is over its limit the store hears no more
 * until the window ends: the library remembers those.
 */
export class SharedLimiter extends RateLimiterStore {
  readonly #count: CountHits;
  readonly #limit: number;
  readonly #now: () => number;

  constructor(count: CountHits, limit: number, windowMs: number, now: () => number) {
    super({
      storeClient: null,
      points: limit,
      duration: windowMs / 1_000,
      inMemoryBlockOnConsumed: limit + 1,
    });
    this.#count = count;
    this.#limit = limit;
    this.#now = now;
  }

  /** What the library asks of a store. */
  async _upsert(key: string, hits: number, windowMs: number): Promise<Counted> {
    const now = this.#now();
    return { ...(await this.#count(key, hits, { now, endsAt: now + windowMs })), now };
  }

  /** How the library reads the store's answer. */
  _getRateLimiterRes(_key: string, added: number, { hits, endsAt, now }: Counted) {
    const left = Math.max(0, this.#limit - hits);
    return new RateLimiterResult(left, Math.max(1, endsAt - now), hits, hits === added);
  }
}
