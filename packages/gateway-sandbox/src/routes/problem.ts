import type { Response } from 'express';

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
export function sendProblem(response: Response, { status, code, detail }: Problem): void {
  const title = titles[status] ?? 'Error';
  response
    .status(status)
    .set('cache-control', 'no-store')
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', title, status, code, detail }));
}
