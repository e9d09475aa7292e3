import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';

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
