import express from 'express';
import type { Request } from 'express';

/** Reads a page's form; a larger one is not one of ours. */
export const readForm = express.urlencoded({ extended: false, limit: 8 * 1024 });

/** One field of a page's form; what is absent or doubled counts as empty. */
export function formField(request: Request, name: string): string {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return '';
  const value: unknown = Reflect.get(body, name);
  return typeof value === 'string' ? value : '';
}

/** All values of one field of a page's form. */
export function formFields(request: Request, name: string): string[] {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null || !Object.hasOwn(body, name)) return [];
  const value: unknown = Reflect.get(body, name);
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((one) => typeof one === 'string');
}
