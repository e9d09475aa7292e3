import type { ServerResponse } from 'node:http';
import { sendText } from './send.ts';

/** An error of the control API: RFC 9457, with a stable `code`. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  /** What is wrong and how to put it right; never a value that the caller sent. */
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
