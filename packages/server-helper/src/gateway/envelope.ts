import { z } from 'zod';

/** The envelopes' kinds (§4): A, C, nothing around the answer, or no answer's body at all. */
export type EnvelopeKind = 'A' | 'C' | 'bare' | 'empty';

/** Envelope A (§4): status, capture, void, refund. A code of an error contradicts a success. */
const envelopeA = z.object({
  code: z
    .int()
    .refine((code) => code < 400 || code > 599)
    .optional(),
  data: z.unknown(),
});

/** Envelope C (§4): recurring charges. */
const envelopeC = z.object({ statusCode: z.int().min(200).max(299), responseBody: z.unknown() });

/** What stands in any envelope where it tells of an error: A's word, and B's number. */
const signsOfError = z.object({
  errorCode: z.unknown().optional(),
  statusCode: z.unknown().optional(),
});

/** Where the envelopes of errors say something in words: A and B in `message`, C further inside. */
const wordsOfError = z.object({
  message: z.unknown().optional(),
  responseBody: z.unknown().optional(),
});

/** Where envelope C does. */
const wordsInside = z.object({
  message: z.unknown().optional(),
  decline_reason: z.unknown().optional(),
  error: z.unknown().optional(),
});

/** What an answer holds: its data, or the gateway's error, which may come with HTTP 200. */
export type Opened =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorCode: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: Opened = { kind: 'unreadable' };

/**
 * Opens an answer's envelope. An `errorCode` is an error even when data comes with it; one that is
 * no text or an empty one, like an error's number inside a success, says neither yes nor no.
 */
export function openEnvelope(kind: EnvelopeKind, body: unknown): Opened {
  const signs = signsOfError.safeParse(body).data;
  if (signs === undefined) return UNREADABLE;
  const { errorCode, statusCode } = signs;
  if (typeof errorCode === 'string' && errorCode.trim() !== '') return { kind: 'error', errorCode };
  if (errorCode !== undefined && errorCode !== null) return UNREADABLE;
  if (typeof statusCode === 'number' && statusCode >= 400) return UNREADABLE;
  const data = insideOf(kind, body);
  return data === null || data === undefined ? UNREADABLE : { kind: 'data', data };
}

function insideOf(kind: EnvelopeKind, body: unknown): unknown {
  if (kind === 'A') return envelopeA.safeParse(body).data?.data;
  if (kind === 'C') return envelopeC.safeParse(body).data?.responseBody;
  return body;
}

/** What the gateway says in words, in whichever envelope it says it; each thing once. */
export function messagesOf(body: unknown): readonly string[] {
  const { message, responseBody } = wordsOfError.safeParse(body).data ?? {};
  const inside = wordsInside.safeParse(responseBody).data ?? {};
  const places = [message, responseBody, inside.message, inside.decline_reason, inside.error];
  return [...new Set(places.flatMap(textsOf))];
}

/** A text, or the several texts of a validation; what is none or blank says nothing. */
function textsOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
