import { createHash, createHmac } from 'node:crypto';
import { nameOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { LimitNumbers } from '../options/settings.ts';
import type { HitCount, ShortLived } from '../stores/store.ts';
import { clientOf } from './http.ts';
import { problem, Refusal } from './problem.ts';

const WINDOW_MS = 60_000;

/** This part of a limit is counted by the process alone; requests beyond are counted in the store. */
const OWN_PART = 10;

/** Subjects that are counted at once for each limit; a further subject is not counted. */
const MAX_SUBJECTS = 100_000;

/** Adds hits to a counter that all processes share. */
export type CountHits = (key: string, hits: number, window: ShortLived) => Promise<HitCount>;

/** Lets a request pass, or rejects with a {@link Refusal}. */
export type Check = (subject: string | undefined) => Promise<void> | undefined;

/** The checks of the routes. An address may be unknown, and is then not counted. */
export type Checks = Readonly<Record<keyof LimitNumbers, Check>>;

/**
 * Makes the checks; a limit that is off costs nothing.
 *
 * @param secret - Makes the store's keys, so that the store holds no person's address.
 */
export function createChecks(
  limits: LimitNumbers,
  countHits: CountHits,
  now: () => number,
  logger: Logger,
  secret: string,
): Checks {
  const checkOf = (name: keyof LimitNumbers): Check => {
    const limit = limits[name];
    if (limit === false) return () => undefined;
    const keyOf = (subject: string): string =>
      createHmac('sha256', secret).update(`${name}\0${subject}`).digest('base64url').slice(0, 22);
    const counter = new Counter(limit, now, async (subject, hits, window) => {
      try {
        return await countHits(keyOf(subject), hits, window);
      } catch (error) {
        // A failure to count must not keep shoppers from paying.
        logger.warn({ limit: name, error: nameOf(error) }, 'a limit could not be counted');
        return null;
      }
    });
    return (subject) => (subject === undefined ? undefined : counter.check(subject));
  };
  const byAddress = (name: keyof LimitNumbers): Check => {
    const check = checkOf(name);
    return (address) => check(clientOf(address) ?? undefined);
  };
  const shopper = checkOf('checkoutsPerShopper');
  // The merchant's key may be a whole token, and a hundred thousand of them are kept in memory.
  const digestOf = (key: string): string => createHash('sha256').update(key).digest('base64url');
  return {
    checkoutsPerAddress: byAddress('checkoutsPerAddress'),
    checkoutsPerOrder: checkOf('checkoutsPerOrder'),
    checkoutsPerShopper: (key) => shopper(key && digestOf(key)),
    pollsPerAddress: byAddress('pollsPerAddress'),
    pollsPerOrder: checkOf('pollsPerOrder'),
    returnsPerAddress: byAddress('returnsPerAddress'),
    webhooksPerAddress: byAddress('webhooksPerAddress'),
    healthPerAddress: byAddress('healthPerAddress'),
  };
}

/** A subject's requests in its current minute. */
interface Counted {
  hits: number;
  readonly endsAt: number;
  /** Until when the store's count is known to be above the limit. */
  refusedUntil: number;
}

/**
 * Counts a subject's requests in a minute. The first tenth of the limit is counted in this process
 * alone, so that an ordinary shopper costs the store nothing. Beyond, all processes count in the
 * store, earlier requests included, until the subject is above the limit.
 */
class Counter {
  readonly #limit: number;
  readonly #ownPart: number;
  readonly #now: () => number;
  readonly #countInStore: (
    subject: string,
    hits: number,
    window: ShortLived,
  ) => Promise<HitCount | null>;
  readonly #subjects = new Map<string, Counted>();
  #nextSweepAt = 0;

  constructor(
    limit: number,
    now: () => number,
    countInStore: (subject: string, hits: number, window: ShortLived) => Promise<HitCount | null>,
  ) {
    this.#limit = limit;
    this.#ownPart = Math.floor(limit / OWN_PART);
    this.#now = now;
    this.#countInStore = countInStore;
  }

  async check(subject: string): Promise<void> {
    const now = this.#now();
    const counted = this.#countedOf(subject, now);
    if (counted === null) return;
    counted.hits += 1;
    if (counted.hits <= this.#ownPart) return;
    if (now < counted.refusedUntil) throw tooMany(counted.refusedUntil - now);
    const hits = counted.hits === this.#ownPart + 1 ? counted.hits : 1;
    const shared = await this.#countInStore(subject, hits, { now, endsAt: now + WINDOW_MS });
    if (shared === null || shared.hits <= this.#limit) return;
    counted.refusedUntil = shared.endsAt;
    throw tooMany(shared.endsAt - now);
  }

  /** The subject's current minute; `null` while too many others are counted. */
  #countedOf(subject: string, now: number): Counted | null {
    // A clock that was put back must not prolong a minute.
    const isCurrent = ({ endsAt }: Counted): boolean => now < endsAt && endsAt <= now + WINDOW_MS;
    if (now >= this.#nextSweepAt || this.#nextSweepAt > now + WINDOW_MS) {
      this.#nextSweepAt = now + WINDOW_MS;
      for (const [one, counted] of this.#subjects) {
        if (!isCurrent(counted)) this.#subjects.delete(one);
      }
    }
    const known = this.#subjects.get(subject);
    if (known !== undefined && isCurrent(known)) return known;
    if (known === undefined && this.#subjects.size >= MAX_SUBJECTS) return null;
    const fresh = { hits: 0, endsAt: now + WINDOW_MS, refusedUntil: 0 };
    this.#subjects.set(subject, fresh);
    return fresh;
  }
}

function tooMany(milliseconds: number): Refusal {
  const seconds = Math.max(1, Math.ceil(milliseconds / 1_000));
  const detail = `There were too many requests. Try again in ${seconds} s.`;
  return new Refusal(
    problem('too_many_requests', detail, { headers: { 'retry-after': String(seconds) } }),
  );
}
