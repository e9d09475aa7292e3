import express from 'express';
import type { Request, Response } from 'express';

/** Largest request body, in bytes; the specification names no limit (N22). */
const largestBody = 64 * 1024;

export type BodyFault = 'malformed' | 'not-json' | 'too-large';

const parse = express.json({ limit: largestBody, strict: false, type: () => true });

/** Reads a JSON body. No body at all counts as an empty object, so that validation can speak. */
export async function readJson(
  request: Request,
  response: Response,
): Promise<{ body: unknown } | { fault: BodyFault }> {
  const type = request.get('content-type');
  const isEmpty = request.get('transfer-encoding') === undefined && contentLength(request) === 0;
  if (isEmpty) return { body: {} };
  if (type === undefined || request.is('application/json') === false) return { fault: 'not-json' };
  return new Promise((resolve) => {
    parse(request, response, (error?: unknown) => {
      const body: unknown = request.body;
      resolve(error === undefined ? { body } : { fault: faultOf(error) });
    });
  });
}

function contentLength(request: Request): number {
  return Number(request.get('content-length') ?? '0');
}

function faultOf(error: unknown): BodyFault {
  const status = typeof error === 'object' && error !== null && 'status' in error && error.status;
  if (status === 413) return 'too-large';
  return status === 415 ? 'not-json' : 'malformed';
}
