import type { NextFunction, Request, Response } from 'express';
import { sendProblem } from './problem.ts';

/** A decoded body, read field by field. */
export interface BodyFields {
  /** A text; empty when the field is absent or no text. */
  text(name: string): string;
  /** The value as it came. */
  value(name: string): unknown;
}

/** Reads a decoded JSON body or form. */
export function bodyFields(body: unknown): BodyFields {
  const fields = new Map<string, unknown>(
    typeof body === 'object' && body !== null ? Object.entries(body) : [],
  );
  const value = (name: string): unknown => fields.get(name);
  const text = (name: string): string => {
    const given = value(name);
    return typeof given === 'string' ? given : '';
  };
  return { value, text };
}

/** One field of a posted form; empty when the field is absent or sent twice. */
export function formField(request: Request, name: string): string {
  return bodyFields(request.body).text(name);
}

/** Lets JSON and empty requests through: a form of another site cannot send JSON. */
export function jsonOnly(request: Request, response: Response, next: NextFunction): void {
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
