import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits, but not longer than the sandbox runs and the caller stays. */
export async function pauseFor(
  response: ServerResponse,
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
