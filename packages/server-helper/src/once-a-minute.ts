const MINUTE_MS = 60_000;

/**
 * Lets each kind of thing through at most once a minute, so that what happens again and again fills
 * no log. Kinds are to be few.
 */
export class OnceAMinute {
  readonly #now: () => number;
  readonly #lastAt = new Map<string, number>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether this kind may pass now; it then has. */
  lets(kind: string): boolean {
    const now = this.#now();
    const lastAt = this.#lastAt.get(kind);
    // A clock that was put back holds nothing back.
    if (lastAt !== undefined && now >= lastAt && now - lastAt < MINUTE_MS) return false;
    this.#lastAt.set(kind, now);
    return true;
  }
}
