import type { Request } from 'express';

/** One field of a posted form; empty when it is absent or sent twice. */
export function formField(request: Request, name: string): string {
  const body: unknown = request.body;
  if (typeof body !== 'object' || body === null) return '';
  const value = new Map<string, unknown>(Object.entries(body)).get(name);
  return typeof value === 'string' ? value : '';
}
