/** The longest delay that `setTimeout` takes. */
const longestDelayMs = 2 ** 31 - 1;

/**
 * One `setTimeout` for the timers of all tenants: it goes off at the earliest instant that any
 * tenant waits for. It never keeps the process alive.
 */
export class Alarm {
  readonly #clock: () => number;
  readonly #ring: (tenant: string) => void;
  readonly #due = new Map<string, number>();
  #timeout: NodeJS.Timeout | null = null;
  #setFor = Number.POSITIVE_INFINITY;

  /** @param ring is called for each tenant whose instant has come; it then sets the next one */
  constructor(clock: () => number, ring: (tenant: string) => void) {
    this.#clock = clock;
    this.#ring = ring;
  }

  /** Sets a tenant's next instant on the machine's clock; infinity is never. */
  set(tenant: string, realAt: number): void {
    const before = this.#due.get(tenant);
    if (realAt === Number.POSITIVE_INFINITY) this.#due.delete(tenant);
    else this.#due.set(tenant, realAt);
    // Only a tenant that held the earliest instant can make another one the earliest.
    if (realAt < this.#setFor) this.#arm(realAt);
    else if (before === this.#setFor && realAt > before) this.#arm(this.#earliest());
  }

  stop(): void {
    this.#due.clear();
    this.#arm(Number.POSITIVE_INFINITY);
  }

  #arm(earliest: number): void {
    if (this.#timeout !== null) clearTimeout(this.#timeout);
    this.#timeout = null;
    this.#setFor = earliest;
    if (earliest === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(earliest - this.#clock(), 1), longestDelayMs);
    this.#timeout = setTimeout(() => this.#goOff(), delay).unref();
  }

  #goOff(): void {
    const now = this.#clock();
    for (const [tenant, realAt] of this.#due) if (realAt <= now) this.#ring(tenant);
    this.#arm(this.#earliest());
  }

  #earliest(): number {
    let earliest = Number.POSITIVE_INFINITY;
    for (const realAt of this.#due.values()) earliest = Math.min(earliest, realAt);
    return earliest;
  }
}
