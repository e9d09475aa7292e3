import { z } from 'zod';

/** Envelope A (§4): status, capture, void, refund. */
const envelopeA = z.object({
  code: z.number().optional(),
  message: z.string().nullish(),
  errorCode: z.string().nullish(),
  data: z.unknown(),
});

/** The `message` of envelopes A and B: a text, or several for validation. */
const messageHolder = z.object({ message: z.union([z.string(), z.array(z.string())]) });

/** What envelope A holds: its data, or the gateway's error, which may come with HTTP 200. */
export type EnvelopeA =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorCode: string }
  | { readonly kind: 'unreadable' };

/** Opens envelope A. An `errorCode` is an error even when data comes with it. */
export function openEnvelopeA(body: unknown): EnvelopeA {
  const parsed = envelopeA.safeParse(body);
  if (!parsed.success) return { kind: 'unreadable' };
  const { errorCode, data } = parsed.data;
  if (typeof errorCode === 'string') return { kind: 'error', errorCode };
  return data === null || data === undefined ? { kind: 'unreadable' } : { kind: 'data', data };
}

/** What the gateway says in words, in whichever envelope it says it. */
export function messagesOf(body: unknown): readonly string[] {
  const parsed = messageHolder.safeParse(body);
  if (!parsed.success) return [];
  const { message } = parsed.data;
  return typeof message === 'string' ? [message] : message;
}
