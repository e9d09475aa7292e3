import { z } from 'zod';

/** Envelope A (§4): status, capture, void, refund. */
const envelopeA = z.object({
  code: z.number().optional(),
  message: z.string().nullish(),
  errorCode: z.string().nullish(),
  data: z.unknown(),
});

/** Envelope C (§4): recurring charges. */
const envelopeC = z.object({ statusCode: z.int().min(200).max(299), responseBody: z.unknown() });

/** Any answer: whatever it is, a text as `errorCode` is the gateway's refusal. */
const refusal = z.object({ errorCode: z.string() });

/** The `message` of envelopes A and B: a text, or several for validation. */
const messageHolder = z.object({ message: z.union([z.string(), z.array(z.string())]) });

/** What an answer holds: its data, or the gateway's error, which may come with HTTP 200. */
export type Opened =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorCode: string }
  | { readonly kind: 'unreadable' };

/** Opens an answer's envelope. An `errorCode` is an error even when data comes with it. */
export function openEnvelope(envelope: 'A' | 'C' | 'bare' | 'empty', body: unknown): Opened {
  const refused = refusal.safeParse(body);
  if (refused.success) return { kind: 'error', errorCode: refused.data.errorCode };
  const data = insideOf(envelope, body);
  return data === null || data === undefined ? { kind: 'unreadable' } : { kind: 'data', data };
}

function insideOf(envelope: 'A' | 'C' | 'bare' | 'empty', body: unknown): unknown {
  if (envelope === 'A') return envelopeA.safeParse(body).data?.data;
  if (envelope === 'C') return envelopeC.safeParse(body).data?.responseBody;
  return body;
}

/** What the gateway says in words, in whichever envelope it says it. */
export function messagesOf(body: unknown): readonly string[] {
  const parsed = messageHolder.safeParse(body);
  if (!parsed.success) return [];
  const { message } = parsed.data;
  return typeof message === 'string' ? [message] : message;
}
