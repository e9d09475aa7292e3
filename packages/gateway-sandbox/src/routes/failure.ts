import type { ServerResponse } from 'node:http';
import type { RequestLog } from '../request-log.ts';
import { errorB, sendReply } from './wire-reply.ts';

/** Answers a call that went wrong; whatever it was, the answer says nothing of the request. */
export function sendFailure(
  response: ServerResponse,
  error: unknown,
  requestLog: RequestLog,
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const status = statusOf(error);
  const message = status === 500 ? 'Internal server error' : 'The request cannot be read';
  const reply = errorB(status, message, { decidedBy: 'failure', tier: 'assumed N22' });
  sendReply(response, reply, requestLog.nextId());
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'status' in error && error.status;
  return status === 400 || status === 413 || status === 415 ? status : 500;
}
