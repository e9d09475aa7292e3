import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'express';

/** Waits, but not longer than the sandbox runs and the caller stays. */
export async function pauseFor(
  response: Response,
  closing: AbortSignal,
  ms: number,
): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  response.once('close', leave);
  const signal = AbortSignal.any([left.signal, closing]);
  await delay(ms, null, { signal }).catch(() => {});
  response.off('close', leave);
}
