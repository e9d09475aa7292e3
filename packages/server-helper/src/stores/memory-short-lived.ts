import type { HitCount, ShortLived } from './store.ts';

interface Bound {
  readonly subject: string;
  readonly endsAt: number;
}

/** What the memory store keeps for a short time. */
export class MemoryShortLived {
  readonly #hits = new Map<string, HitCount>();
  readonly #requestKeys = new Map<string, Bound>();

  countHits(key: string, hits: number, window: ShortLived): HitCount {
    const kept = this.#hits.get(key);
    const count = lives(kept, window)
      ? { ...kept, hits: kept.hits + hits }
      : { hits, endsAt: window.endsAt };
    this.#hits.set(key, count);
    return count;
  }

  bindRequestKey(key: string, subject: string, life: ShortLived): string {
    const kept = this.#requestKeys.get(key);
    if (lives(kept, life)) return kept.subject;
    this.#requestKeys.set(key, { subject, endsAt: life.endsAt });
    return subject;
  }
}

/** What would end later than if it began now was written by a clock that has gone back. */
function lives<T extends { readonly endsAt: number }>(
  kept: T | undefined,
  { now, endsAt }: ShortLived,
): kept is T {
  return kept !== undefined && kept.endsAt > now && kept.endsAt <= endsAt;
}
