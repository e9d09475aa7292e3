import type { HitCount, ShortLived } from '../store.ts';

interface BoundKey {
  readonly subject: string;
  readonly endsAt: number;
}

/** Counters and request keys, which the memory store forgets after a time. */
export class MemoryShortLived {
  readonly #hits = new Map<string, HitCount>();
  readonly #requestKeys = new Map<string, BoundKey>();

  async countHits(key: string, hits: number, { now, endsAt }: ShortLived): Promise<HitCount> {
    const kept = this.#hits.get(key);
    const count = lives(kept, { now, endsAt })
      ? { ...kept, hits: kept.hits + hits }
      : { hits, endsAt };
    this.#hits.set(key, count);
    return count;
  }

  async bindRequestKey(key: string, subject: string, { now, endsAt }: ShortLived): Promise<string> {
    const kept = this.#requestKeys.get(key);
    if (lives(kept, { now, endsAt })) return kept.subject;
    this.#requestKeys.set(key, { subject, endsAt });
    return subject;
  }
}

/** Whether a stored value is used again; see `Store.countHits`. */
const lives = <T extends Pick<HitCount, 'endsAt'>>(
  kept: T | undefined,
  { now, endsAt }: ShortLived,
): kept is T => kept !== undefined && kept.endsAt > now && kept.endsAt - endsAt <= endsAt - now;
