import express from 'express';
import type { Request, Response } from 'express';

/** Reads a page's form. No page has a form that is larger than this limit. */
export const readForm = express.urlencoded({ extended: false, limit: 8 * 1024 });

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
