import { parse } from 'node:querystring';
import type { NextFunction, Request, Response } from 'express';
import { readBytes } from '../http/messages.ts';

/** No page has a form that is larger, in bytes. */
const largestForm = 8 * 1024;

/** Reads a page's form into `request.body`. */
export async function readForm<Parameters>(
  request: Request<Parameters>,
  _response: Response,
  next: NextFunction,
): Promise<void> {
  if (!request.is('application/x-www-form-urlencoded')) return next();
  const read = await readBytes(request, largestForm);
  if ('fault' in read) {
    const status = read.fault === 'too-large' ? 413 : 400;
    return next(Object.assign(new Error(`The form is ${read.fault}.`), { status }));
  }
  request.body = parse(read.bytes.toString('utf8'));
  next();
}

/** One field of a page's form; a missing or repeated field counts as empty. */
export function formField(request: Request, name: string): string {
  const value = fieldOf(request, name);
  return typeof value === 'string' ? value : '';
}

/** All values of one field of a page's form. */
export function formFields(request: Request, name: string): string[] {
  return [fieldOf(request, name)].flat().filter((value) => typeof value === 'string');
}

function fieldOf({ body }: Request, name: string): unknown {
  const fields: unknown = body;
  if (typeof fields !== 'object' || fields === null || !Object.hasOwn(fields, name)) return null;
  return Reflect.get(fields, name);
}

/**
 * Sends the browser on after a form post. The address goes out as the merchant wrote it, query and
 * fragment included.
 */
export function leaveFor(response: Response, address: string): void {
  const isPrintable = /^[\u0021-\u007e]+$/.test(address);
  response
    .status(303)
    .set('cache-control', 'no-store')
    .setHeader('location', isPrintable ? address : new URL(address).href)
    .end();
}
