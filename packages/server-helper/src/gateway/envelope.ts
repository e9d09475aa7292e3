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

/** The `message` of envelopes A and B: a text, or several for validation. */
const messageHolder = z.object({ message: z.union([z.string(), z.array(z.string())]) });

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

/** What the gateway says in words, in whichever envelope it says it. */
export function messagesOf(body: unknown): readonly string[] {
  const parsed = messageHolder.safeParse(body);
  if (!parsed.success) return [];
  const { message } = parsed.data;
  return typeof message === 'string' ? [message] : message;
}
