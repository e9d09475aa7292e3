import { sendProblem } from '../http/problem.ts';
import type { NextFunction, Request, Response } from 'express';

/** A decoded body, read field by field; what is not there or no text is empty. */
export interface BodyFields {
  /** A text; empty when it is absent or no text. */
  text(name: string): string;
  /** The value as it came. */
  value(name: string): unknown;
}

/** Reads a decoded JSON body. */
export function bodyFields(body: unknown): BodyFields {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const value = (name: string): unknown => fields.get(name);
  return {
    value,
    text: (name) => {
      const given = value(name);
      return typeof given === 'string' ? given : '';
    },
  };
}

/** Lets JSON through, and requests that carry nothing. */
export function jsonOrNothing(request: Request, response: Response, next: NextFunction): void {
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
}
