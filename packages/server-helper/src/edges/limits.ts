import { createHash, createHmac } from 'node:crypto';
import { isIP } from 'node:net';
import { performance } from 'node:perf_hooks';
import { nameOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Routes } from '../options/payments-options.ts';
import type { LimitNumbers } from '../options/settings.ts';
import type { HitCount, ShortLived } from '../stores/store.ts';
import type { Answer } from './http.ts';
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
    const check = counter(limit, now, async (subject, hits, window) => {
      try {
        return await countHits(keyOf(subject), hits, window);
      } catch (error) {
        // A failure to count must not keep shoppers from paying.
        logger.warn({ limit: name, error: nameOf(error) }, 'a limit could not be counted');
        return null;
      }
    });
    return (given) => {
      let subject = name.endsWith('PerAddress') ? (clientOf(given) ?? undefined) : given;
      // The merchant's name for a shopper may be a whole token, and a hundred thousand are kept in memory.
      if (subject !== undefined && name === 'checkoutsPerShopper')
        subject = createHash('sha256').update(subject).digest('base64url');
      return subject === undefined ? undefined : check(subject);
    };
  };
  const names = Object.keys(limits) as (keyof LimitNumbers)[];
  return Object.fromEntries(names.map((name) => [name, checkOf(name)])) as Checks;
}

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
function counter(
  limit: number,
  clock: () => number,
  countInStore: (subject: string, hits: number, window: ShortLived) => Promise<HitCount | null>,
): (subject: string) => Promise<void> {
  const ownPart = Math.floor(limit / OWN_PART);
  const subjects = new Map<string, Counted>();
  let nextSweepAt = 0;

  /** The subject's current minute; `null` while too many others are counted. */
  const countedOf = (subject: string, now: number): Counted | null => {
    // A clock that was put back must not prolong a minute.
    const isCurrent = ({ endsAt }: Counted): boolean => now < endsAt && endsAt <= now + WINDOW_MS;
    if (now >= nextSweepAt || nextSweepAt > now + WINDOW_MS) {
      nextSweepAt = now + WINDOW_MS;
      for (const [one, counted] of subjects) if (!isCurrent(counted)) subjects.delete(one);
    }
    const known = subjects.get(subject);
    if (known !== undefined && isCurrent(known)) return known;
    if (known === undefined && subjects.size >= MAX_SUBJECTS) return null;
    const fresh = { hits: 0, endsAt: now + WINDOW_MS, refusedUntil: 0 };
    subjects.set(subject, fresh);
    return fresh;
  };

  return async (subject) => {
    const now = clock();
    const counted = countedOf(subject, now);
    if (counted === null) return;
    counted.hits += 1;
    if (counted.hits <= ownPart) return;
    if (now < counted.refusedUntil) throw tooMany(counted.refusedUntil - now);
    const hits = counted.hits === ownPart + 1 ? counted.hits : 1;
    const shared = await countInStore(subject, hits, { now, endsAt: now + WINDOW_MS });
    if (shared === null || shared.hits <= limit) return;
    counted.refusedUntil = shared.endsAt;
    throw tooMany(shared.endsAt - now);
  };
}

function tooMany(milliseconds: number): Refusal {
  const retryAfterS = Math.max(1, Math.ceil(milliseconds / 1_000));
  const detail = `There were too many requests. Try again in ${retryAfterS} s.`;
  return new Refusal(problem('too_many_requests', detail, { retryAfterS }));
}

/** A longer text is no address; it came from a header. */
const MAX_LENGTH = 64;

/** The machines of one home or office share these groups of an IPv6 address and choose the rest. */
const NETWORK_GROUPS = 4;

/**
 * The key by which limits count a client: an IPv4 address, also behind a translator (NAT64), or the
 * /64 network of an IPv6 address, in any spelling, without the port. All clients without an address are
 * one; a text that is no address is a client of its own, since a shop may hand hashed addresses over.
 * `null` for this machine, which is a proxy or a test and never a shopper.
 */
export function clientOf(address: string | undefined): string | null {
  const text = (address ?? '').slice(0, MAX_LENGTH).trim().replaceAll('"', '');
  // `[2001:db8::1]:443`, `203.0.113.9:443`, `unknown:_443`, an IPv6 address with its zone: the host.
  const [, inBrackets, beforePort] = /^\[([^\]]*)\]|^([^:]*):[^:]*$/.exec(text) ?? [];
  const [host = ''] = (inBrackets ?? beforePort ?? text).split('%', 1);
  // A text that is no address came from a header that any client may have written.
  if (host === '') return 'unknown';
  if (isIP(host) === 4) return host.startsWith('127.') ? null : host;
  if (isIP(host) !== 6) return host.toLowerCase();
  const groups = groupsOf(host);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === MAPPED) return clientOf(ipv4In(groups));
  if (prefix === TRANSLATED) return ipv4In(groups);
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return null;
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** The eight groups of an IPv6 address, in the one spelling that `URL` gives each. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsIn = (text = ''): readonly string[] => text.split(':').filter((one) => one !== '');
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** How IPv6 addresses begin that hold an IPv4 address: `::ffff:…`, and `64:ff9b::…` of NAT64. */
const MAPPED = '0:0:0:0:0:ffff';
const TRANSLATED = '64:ff9b:0:0:0:0';

function ipv4In(groups: readonly string[]): string {
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}

/** From then on a turn of the event loop, or the store, is late and takes no further poll. */
const POLLS_MS = 100;

/** From then on a turn or the store takes no further checkout. A checkout needs several turns, and several calls. */
const CHECKOUTS_MS = 150;

/** Turns are late for this long before anything is refused. */
const LATE_FOR_MS = 1_000;

/** Turns are late no more when none was for this long. */
const CALM_MS = 2_000;

/**
 * Refuses requests while the process cannot answer all that arrive, so that those it takes are
 * answered in time: status polls first, because a refused poll is only repeated later, and checkouts
 * when every poll is refused already. Webhooks and returns are always taken: each is one write.
 *
 * The signs of too much are calls that wait for a full database, and a late event loop. A turn of the
 * loop takes all the requests that arrived during the turn before it, and goes on with those of earlier
 * turns. A process that is merely busy has done so after some milliseconds; where requests arrive faster
 * than they are answered, each turn has more to do than the last one. So each turn takes requests for a
 * time only, and refuses the others that it has.
 */
export class LoadShedding {
  #isInTurn = false;
  #turnBeganAt = -Infinity;
  #idleMsAtEnd = -Infinity;
  #lateSince = 0;
  #lateAt = -Infinity;
  #checkoutRefusedAt = -Infinity;

  /** The refusal of a request, or `null` when it is to be answered. @param storeMs - How long calls wait for the store. */
  refusalOf(route: keyof Routes, storeMs = 0): Answer | null {
    const now = performance.now();
    const lateMs = Math.max(this.#turnMs(now), storeMs);
    if (lateMs > POLLS_MS) {
      if (now - this.#lateAt > CALM_MS) this.#lateSince = now;
      this.#lateAt = now;
    }
    const isLate = now - this.#lateAt <= CALM_MS;
    if (!isLate || this.#lateAt - this.#lateSince < LATE_FOR_MS) return null;
    if ((route === 'checkout' || route === 'link') && lateMs > CHECKOUTS_MS) {
      this.#checkoutRefusedAt = now;
      return overloaded;
    }
    const checkoutsAreRefused = now - this.#checkoutRefusedAt <= CALM_MS;
    if (route === 'status' && (lateMs > POLLS_MS || checkoutsAreRefused)) return overloaded;
    return null;
  }

  /**
   * How long this turn lasts: since the turn before had taken its last request, or, where the process
   * has rested since then, since its own first request.
   */
  #turnMs(now: number): number {
    if (!this.#isInTurn) {
      this.#isInTurn = true;
      // After a millisecond without work nothing is left of the turn before.
      if (idleMs() - this.#idleMsAtEnd > 1) this.#turnBeganAt = now;
      // It runs when this turn has taken its last request.
      setImmediate(() => {
        this.#isInTurn = false;
        this.#turnBeganAt = performance.now();
        this.#idleMsAtEnd = idleMs();
      });
    }
    return now - this.#turnBeganAt;
  }
}

/** How long the event loop has waited for something to do, ever. */
const idleMs = (): number => performance.eventLoopUtilization().idle;

const overloaded = problem('overloaded', 'No new payment was started. Try again in 5 s.', {
  retryAfterS: 5,
});
