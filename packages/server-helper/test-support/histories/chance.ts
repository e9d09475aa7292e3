/** Chance from one seed: the same seed, the same draws. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = Math.imul(seed ^ 0x9e37_79b9, 0x85eb_ca6b) ^ 0xc2b2_ae35;
    // The first draws of neighbouring seeds resemble each other.
    for (let warm = 0; warm < 4; warm += 1) this.next();
  }

  /** A number in [0, 1), by mulberry32. */
  next(): number {
    this.#state = (this.#state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number from `low` to below `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low));
  }

  is(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly [T, ...T[]]): T {
    return items[this.whole(0, items.length)] ?? items[0];
  }

  /** Picks by weight: a thing with weight 3 comes three times as often as one with 1. */
  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let left = this.next() * items.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, item] of items) {
      left -= weight;
      if (left < 0) return item;
    }
    throw new Error('nothing to pick from');
  }
}
