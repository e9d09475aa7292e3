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
 * @returns Milliseconds, or `null` when the gateway asks for more patience than a call has.
 */
export function waitBefore(
  sends: number,
  random: number,
  retryAfter: string | undefined,
): number | null {
  if (retryAfter !== undefined && /^\d{1,6}$/.test(retryAfter)) {
    const asked = Number(retryAfter) * 1_000;
    return asked > MAX_RETRY_AFTER_MS ? null : asked;
  }
  return Math.round(random * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (sends - 1)));
}
