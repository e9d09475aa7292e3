import { createHmac } from 'node:crypto';
import { nameOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Limits } from '../options/payments-options.ts';
import { clientOf } from './client-address.ts';
import { problem, Refusal } from './problem.ts';
import { RateLimiterMemory, RateLimiterResult } from './rate-limiter.ts';
import { SharedLimiter, type CountHits } from './shared-limiter.ts';

const WINDOW_MS = 60_000;

/** This part of a limit is counted by the process alone; what goes beyond is counted in the store. */
const OWN_PART = 10;

/** Subjects that are counted at once for each limit; who comes beyond them is not counted. */
const MAX_SUBJECTS = 100_000;

/** What limits need. */
export interface LimitDependencies {
  readonly limits: Required<Limits>;
  readonly countHits: CountHits;
  readonly now: () => number;
  readonly logger: Logger;
  /** Makes the store's keys, so that no address of a person stands in it. */
  readonly secret: string;
}

/** Lets a request pass, or throws a {@link Refusal}. */
export type Check = (subject: string | undefined) => Promise<void> | undefined;

/** The checks of the routes. An address may be unknown, and is then not counted. */
export type Checks = Readonly<Record<keyof Limits, Check>>;

/** Makes the checks; one that is switched off costs nothing. */
export function createChecks(door: LimitDependencies): Checks {
  const byAddress = (name: keyof Limits): Check => {
    const check = checkOf(name, door);
    return (address) => {
      const client = clientOf(address);
      return client === null ? undefined : check(client);
    };
  };
  return {
    checkoutsPerAddress: byAddress('checkoutsPerAddress'),
    checkoutsPerOrder: checkOf('checkoutsPerOrder', door),
    pollsPerAddress: byAddress('pollsPerAddress'),
    pollsPerOrder: checkOf('pollsPerOrder', door),
    webhooksPerAddress: byAddress('webhooksPerAddress'),
  };
}

function checkOf(name: keyof Limits, door: LimitDependencies): Check {
  const limit = door.limits[name];
  if (limit === false) return () => undefined;
  const counter = new Counter(name, limit, door);
  return (subject) => (subject === undefined ? undefined : counter.check(subject));
}

/**
 * Counts a subject's requests in a minute. The first tenth of the limit is counted in this process
 * alone, so that an ordinary shopper costs the store nothing; whoever asks for more is counted in
 * the store, with what they had before, by all processes together.
 */
class Counter {
  readonly #name: string;
  readonly #ownPart: number;
  readonly #own: InstanceType<typeof RateLimiterMemory>;
  readonly #shared: SharedLimiter;
  readonly #door: LimitDependencies;
  #begun = 0;
  #begunUntil = 0;

  constructor(name: string, limit: number, door: LimitDependencies) {
    this.#name = name;
    this.#door = door;
    this.#ownPart = Math.floor(limit / OWN_PART);
    this.#own = new RateLimiterMemory({ points: this.#ownPart, duration: WINDOW_MS / 1_000 });
    this.#shared = new SharedLimiter(door.countHits, limit, WINDOW_MS, door.now);
  }

  async check(subject: string): Promise<void> {
    if (this.#isCrowded() && (await this.#own.get(subject)) === null) return;
    const { consumedPoints, isFirstInDuration } = await resultOf(this.#own.consume(subject));
    if (isFirstInDuration) this.#begun += 1;
    if (consumedPoints <= this.#ownPart) return;
    const hits = consumedPoints === this.#ownPart + 1 ? consumedPoints : 1;
    try {
      await this.#shared.consume(this.#keyOf(subject), hits);
    } catch (refused) {
      if (refused instanceof RateLimiterResult) throw tooMany(refused.msBeforeNext);
      // A limit that cannot be counted must not keep shoppers from paying.
      const { logger } = this.#door;
      logger.warn({ limit: this.#name, error: nameOf(refused) }, 'a limit could not be counted');
    }
  }

  /** Whether only those who are counted already are counted on. */
  #isCrowded(): boolean {
    const now = Date.now();
    if (now >= this.#begunUntil) {
      this.#begun = 0;
      this.#begunUntil = now + WINDOW_MS;
    }
    return this.#begun >= MAX_SUBJECTS;
  }

  #keyOf(subject: string): string {
    const name = `${this.#name}\0${subject}`;
    return createHmac('sha256', this.#door.secret).update(name).digest('base64url').slice(0, 22);
  }
}

/** The library rejects with its result where a counter is over; both ways it says how many there were. */
async function resultOf(consuming: Promise<RateLimiterResult>): Promise<RateLimiterResult> {
  try {
    return await consuming;
  } catch (refused) {
    if (refused instanceof RateLimiterResult) return refused;
    throw refused;
  }
}

function tooMany(msBeforeNext: number): Refusal {
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1_000));
  const detail = `There were too many requests. Try again in ${seconds} s.`;
  return new Refusal(
    problem('too_many_requests', detail, { headers: { 'retry-after': String(seconds) } }),
  );
}
