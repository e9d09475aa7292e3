/** How often one GET is sent in all, the first time included. */
export const MAX_SENDS = 3;

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 2_000;
/** A longer Retry-After than this is not waited for inside a call; the caller comes back later. */
const MAX_RETRY_AFTER_MS = 5_000;

/** Statuses after which a GET may succeed when sent again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Whether an answer of this status may be followed by a better one. */
export const isPassing = (status: number): boolean => passing.has(status);

/**
 * How long to wait before the next send: full jitter, or what the gateway asked for.
 *
 * @param sends - How often it was sent already, 1 or more.
 * @param askedMs - What Retry-After asks for, if anything.
 * @returns Milliseconds, or `null` when the gateway asks for more patience than a call has.
 */
export function waitBefore(
  sends: number,
  random: number,
  askedMs: number | undefined,
): number | null {
  if (askedMs !== undefined) return askedMs > MAX_RETRY_AFTER_MS ? null : askedMs;
  return Math.round(random * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (sends - 1)));
}

/** Dates as HTTP writes them today, and as it once did; other texts could be read as dates too. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}, \d{2}(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads Retry-After, in seconds or as a date. A date is held against the answer's own, where it has
 * one: then it does not matter how wrong our clock is.
 *
 * @returns Milliseconds, 0 for a date that has passed; `undefined` for whatever is neither.
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  const text = headers['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = readDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readDate(headers['date']) ?? now));
}

function readDate(text: string | string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}
