import type { NextFunction, Request, Response } from 'express';
import { sendProblem } from '../http/problem.ts';

/** Takes JSON only: a form of another site can send everything else, but not that. */
export function jsonOnly(request: Request, response: Response, next: NextFunction): void {
  if (request.is('application/json') === 'application/json') return next();
  sendProblem(response, {
    status: 415,
    code: 'unsupported_media_type',
    title: 'Send JSON',
    detail: 'Set content-type to application/json.',
  });
}
