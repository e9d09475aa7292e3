import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** How JSON is announced. */
export const jsonType = 'application/json; charset=utf-8';

/**
 * Sends a whole answer, head and body in one piece. Answers that are ready in one turn of the event
 * loop go out together at its end: each write wakes its caller, and of several at once only the
 * first costs much.
 */
export function sendText(
  response: ServerResponse,
  status: number,
  type: string,
  text: string,
  headers: OutgoingHttpHeaders = {},
): void {
  response.writeHead(status, {
    ...headers,
    'content-type': type,
    'content-length': Buffer.byteLength(text),
  });
  setImmediate(() => response.end(text));
}

/** An error of the control API: RFC 9457, with a stable `code`. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  /** The mistake and its remedy; never a value that the caller sent. */
  readonly detail: string;
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  403: 'Forbidden',
  404: 'Not found',
  409: 'Conflict',
  413: 'Too large',
  415: 'Unsupported media type',
  421: 'Misdirected request',
  422: 'Unprocessable content',
  500: 'Internal error',
};

/** Answers a problem document. */
export function sendProblem(response: ServerResponse, { status, code, detail }: Problem): void {
  const title = titles[status] ?? 'Error';
  const text = JSON.stringify({ type: 'about:blank', title, status, code, detail });
  const type = 'application/problem+json; charset=utf-8';
  sendText(response, status, type, text, { 'cache-control': 'no-store' });
}

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
