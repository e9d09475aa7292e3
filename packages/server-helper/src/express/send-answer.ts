import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { headersOf, textOf, type Answer } from '../edges/http.ts';

type Next = ((error?: unknown) => void) | undefined;

/** Sends an answer when it is decided; an error of the sending goes to the framework. */
export async function sendAnswer(
  response: ServerResponse,
  answering: Promise<Answer>,
  next: Next,
  passErrors = false,
): Promise<void> {
  try {
    const answer = await answering;
    if (passErrors && answer.error !== undefined) passOn(response, answer.error, next);
    send(response, answer);
  } catch (error) {
    // Express 4 does not see a rejection: an error that reaches this place must not hang.
    if (next === undefined) response.destroy();
    else next(error);
  }
}

/** Hands an error on when its answer is sent: a handler that met it before could answer in its place. */
function passOn(response: ServerResponse, error: unknown, next: Next): void {
  if (next === undefined || response.headersSent) return;
  response.setHeader('connection', 'close');
  response.once('close', () => next(error));
}

/** Sends a decided answer, unless something else has answered. */
export function send(response: ServerResponse, answer: Answer): void {
  if (response.headersSent) return;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(headersOf(answer))) {
    // The shop's own middleware may have set cookies on the answer.
    if (name === 'set-cookie') response.appendHeader(name, value);
    else response.setHeader(name, value);
  }
  if (answer.stream === undefined || response.req.method === 'HEAD') {
    response.end(textOf(answer));
    return;
  }
  // A stream that fails, or a reader who leaves, ends the connection: no part passes for the whole.
  pipeline(Readable.from(answer.stream), response).catch(() => undefined);
}
