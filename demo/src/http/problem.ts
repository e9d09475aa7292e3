import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/** Reports a failure to the shop's operator, without any shopper's data. */
export type Warn = (what: string, error: unknown) => void;

/** An error answer for a program (RFC 9457). */
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

/** Answers a request for a missing resource or another visitor's: both look the same. */
export const notFound: RequestHandler = (_request, response) => {
  sendProblem(response, {
    status: 404,
    code: 'not_found',
    title: 'Not found',
    detail: 'There is no such address, or it belongs to another visitor’s shop_session.',
  });
};

/** Answers a changing request that another site's page sent. */
export const crossSite: RequestHandler = (_request, response) => {
  sendProblem(response, {
    status: 403,
    code: 'cross_site',
    title: 'Sent from another site',
    detail: 'Changing requests must come from the shop’s own pages.',
  });
};

/** Lets JSON and empty requests through: a form of another site cannot send JSON. */
export const jsonOnly: RequestHandler = (request, response, next) => {
  const { headers } = request;
  const isEmpty =
    headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0';
  if (isEmpty || request.is('application/json') === 'application/json') return next();
  sendProblem(response, {
    status: 415,
    code: 'unsupported_media_type',
    title: 'Send JSON',
    detail: 'Set content-type to application/json.',
  });
};

/**
 * Answers an unreadable body, and any other error without its details.
 *
 * @param known - The answer for errors that a part of the shop knows.
 */
export function apiErrors(
  warn: Warn,
  known: (error: unknown) => Problem | undefined = () => undefined,
): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error);
    sendProblem(response, known(error) ?? problemOf(error));
    if (response.statusCode === 500) warn(`${request.method} ${request.baseUrl} failed`, error);
  };
}

function problemOf(error: unknown): Problem {
  const status = statusOf(error);
  if (status === 413) return { status, code: 'too_large', title: 'The body is larger than 16 KiB' };
  if (status < 500) return { status, code: 'unreadable', title: 'The body is not readable JSON' };
  return { status, code: 'failed', title: 'The shop failed; try again' };
}

/** The HTTP status that an error of Express or a body parser asks for, else 500. */
export function statusOf(error: unknown): number {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : 500;
}
