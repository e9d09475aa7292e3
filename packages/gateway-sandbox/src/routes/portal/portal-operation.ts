import { isWebAddress, readBody, requiredText } from '../../domain/body-fields.ts';
import type { BodyFields, Read, Reader } from '../../domain/body-fields.ts';
import { withoutCardNumbers } from '../../redaction/stray-cards.ts';
import type { CallAddress } from '../operation.ts';
import { errorB } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

/**
 * The common part of the portal's operations: their credential (§5), and they read only the body.
 */
export const portalOperation = {
  credential: 'portal',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** An operation on one record. The id in the address counts, not an id in the body. */
export const portalRecordOperation = {
  credential: 'portal',
  input: ({ recordId: id }: CallAddress, body: unknown) =>
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, id } : { id },
} as const;

/** An operation without input. */
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

/** The fields of a portal call's body, or the 400 with every fault (N21). */
export function decodeFields<Value>(
  input: unknown,
  read: (fields: BodyFields) => Value,
): { value: Value } | { refusal: WireReply } {
  const body = readBody(input, read);
  if ('request' in body) return { value: body.request };
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  const missing = isObject ? null : readBody({}, read);
  const more = missing !== null && 'messages' in missing ? missing.messages : [];
  return { refusal: invalidInput([...body.messages, ...more]) };
}

/** The 400 of a portal call; nothing changed. */
export function invalidInput(messages: readonly string[]): WireReply {
  return errorB(400, messages, { decidedBy: 'validation', tier: 'assumed N21' });
}

/** A text that is stored and shown, without the card numbers in it. */
export function shownText(value: unknown): Read<string> {
  const read = requiredText(value);
  return 'fault' in read ? read : { value: withoutCardNumbers(read.value) };
}

export function urlText(value: unknown): Read<string> {
  return isWebAddress(value) ? { value } : { fault: 'must be a URL address' };
}

export function boolean(value: unknown): Read<boolean> {
  return typeof value === 'boolean' ? { value } : { fault: 'must be a boolean value' };
}

/** One of some words, in any case. */
export function word<Word extends string>(words: readonly Word[]): Reader<Word> {
  return (value) => {
    const known = findWord(words, value);
    return known === undefined
      ? { fault: `must be one of the following values: ${words.join(', ')}` }
      : { value: known };
  };
}

export function findWord<Word extends string>(
  words: readonly Word[],
  value: unknown,
): Word | undefined {
  return words.find(
    (known) => typeof value === 'string' && known.toLowerCase() === value.toLowerCase(),
  );
}

/** A record as the portal answers it. */
export function portalReply(status: 200 | 201, body: object, tier: string): WireReply {
  return { status, body, decidedBy: 'portal', tier };
}

/** 204: done, without a body. */
export function emptyReply(tier: string): WireReply {
  return { status: 204, body: null, decidedBy: 'portal', tier };
}

/** The 404 of an unknown id (N21). */
export const unknownRecord = errorB(404, 'Not found', {
  decidedBy: 'unknown-id',
  tier: 'assumed N21',
});
