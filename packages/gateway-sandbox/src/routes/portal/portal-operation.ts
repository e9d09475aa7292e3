import type { CallAddress } from '../operation.ts';
import { errorB } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

/** What the portal's operations share: their credential (§5), and the body is all they read. */
export const portalOperation = {
  credential: 'portal',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** An operation on one record: the id of the address counts, whatever the body says. */
export const portalRecordOperation = {
  credential: 'portal',
  input: ({ recordId: id }: CallAddress, body: unknown) =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, id } : { id },
} as const;

/** An operation that is given nothing. */
export const portalQuestion = {
  credential: 'portal',
  input: () => ({}),
  decode: () => ({ value: null }),
} as const;

/** The id that `portalRecordOperation` put there. */
export function recordId(input: unknown): string {
  const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : null;
  return typeof id === 'string' ? id : '';
}

/** A record as the portal tells it. */
export function told(status: 200 | 201, body: object, tier: string): WireReply {
  return { status, body, decidedBy: 'portal', tier };
}

/** 204: done, and nothing to tell. */
export function gone(tier: string): WireReply {
  return { status: 204, body: null, decidedBy: 'portal', tier };
}

/** The 404 of an id that nothing has (N21). */
export const unknownRecord = errorB(404, 'Not found', {
  decidedBy: 'unknown-id',
  tier: 'assumed N21',
});

export function iso(instant: number): string {
  return new Date(instant).toISOString();
}
