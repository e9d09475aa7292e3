import type { Response } from 'express';

/** What a JSON caller did wrong, or what went wrong for it (RFC 9457). */
export interface Problem {
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly title: string;
  /** What to do about it, for people. */
  readonly detail?: string;
  /** The input at fault, as a JSON path. */
  readonly field?: string;
}

/** Answers with `application/problem+json`. */
export function sendProblem(response: Response, problem: Problem): void {
  response.status(problem.status).set('Cache-Control', 'no-store');
  response
    .type('application/problem+json')
    .send(JSON.stringify({ type: 'about:blank', ...problem }));
}
