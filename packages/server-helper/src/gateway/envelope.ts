import { z } from 'zod';
import { isFields } from './fields.ts';

/**
 * Reads JSON; `undefined` when it is none. The body alone decides, not its declared type: some gateways and
 * middle boxes declare JSON as text, and what is no JSON is refused here anyway. The parser's error would quote
 * the body, so it is dropped.
 */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

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

/** Texts in `errorCode` that name no error. The specification has `null` on success (§4.2). */
export const NO_ERROR = /^\s*(?:0+|null|none|ok|success|200)\s*$/i;

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

/** The content of an answer: its data, or the gateway's error, which may come with HTTP 200. */
export type Opened =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorCode: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: Opened = { kind: 'unreadable' };

/** A code of a success. */
const good = z.literal(0).or(z.int().min(200).max(299));

/**
 * Opens an answer's envelope. An `errorCode` is an error even when data comes with it; one that is
 * no text or an empty one, like an error's number inside a success, says neither yes nor no, and the code
 * decides where an answer without data says something.
 *
 * @param mayLackData - Whether an answer without data says something, of an envelope that does not
 * report an error otherwise. @defaultValue never
 */
export function openEnvelope(
  kind: EnvelopeKind,
  body: unknown,
  mayLackData: (body: unknown) => boolean = () => false,
): Opened {
  const usual = inUsualForm(body);
  const read = usual !== body && mayLackData(body) ? usual : body;
  if (!isFields(read)) return UNREADABLE;
  // What reports an error in any envelope: A's word, and B's number.
  const { errorCode = null, statusCode } = read;
  if (typeof errorCode === 'string' && !NO_ERROR.test(errorCode)) {
    return errorCode.trim() === '' ? UNREADABLE : { kind: 'error', errorCode };
  }
  if (errorCode !== null && typeof errorCode !== 'string') return UNREADABLE;
  if (typeof statusCode === 'number' && statusCode >= 400) return UNREADABLE;
  const data = insideOf(kind, read) ?? null;
  const isNothing = data === null && withoutData.safeParse(read).success && mayLackData(body);
  return data !== null || isNothing ? { kind: 'data', data } : UNREADABLE;
}

/** An envelope with its code as a number, and beside a success without a blank `errorCode`. */
function inUsualForm(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { code, errorCode } = body;
  const isText = typeof code === 'string' && /^\d{1,3}$/.test(code);
  const number = isText ? Number(code) : code;
  const isBlank = (errorCode === '' || errorCode === 0) && good.safeParse(number).success;
  if (!isText && !isBlank) return body;
  return { ...body, code: number, ...(isBlank ? { errorCode: null } : {}) };
}

/** Envelope A around nothing: it has one of its fields at least, and none that reports an error. */
const withoutData = z
  .object({
    code: good.optional(),
    errorCode: z.unknown().optional(),
    data: z.null().optional(),
    error: z.literal(['', false]).nullish(),
  })
  .refine(({ code, errorCode, data }) => [code, errorCode, data].some((one) => one !== undefined));

function insideOf(kind: EnvelopeKind, body: unknown): unknown {
  if (kind === 'A') return envelopeA.safeParse(body).data?.data;
  if (kind === 'C') return envelopeC.safeParse(body).data?.responseBody;
  return body;
}

/** The texts of the gateway's error, from whichever envelope, each once. */
export function messagesOf(body: unknown): readonly string[] {
  const { message, responseBody } = wordsOfError.safeParse(body).data ?? {};
  const inside = wordsInside.safeParse(responseBody).data ?? {};
  const places = [message, responseBody, inside.message, inside.decline_reason, inside.error];
  return [...new Set(places.flatMap(textsOf))];
}

/** A text, or the several texts of a validation. Blanks and other values count as no text. */
function textsOf(value: unknown): readonly string[] {
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.filter((text): text is string => typeof text === 'string' && text.trim() !== '');
}
