import type { z } from 'zod';
import { type CallContext, errorOf } from './answer-error.ts';
import { type EnvelopeKind, openEnvelope, parseJson } from './envelope.ts';
import type { GatewayError } from './gateway-error.ts';
import { meaningOfErrorCode, unreadableBecause } from './meaning.ts';
import { movesMoney, type OperationName, operations } from './operations.ts';
import type { OperationProfile } from './profile.ts';
import { quotable } from './quotable.ts';
import { noteBody, sealedBodyOf } from './sealed-body.ts';
import { translateAnswer } from './translation.ts';
import type { TransportAnswer } from './transport.ts';

/** The content of an answer inside its envelope, still in the gateway's spelling. */
export type AnswerOf<Name extends OperationName> =
  (typeof operations)[Name]['answer'] extends infer Answer extends z.ZodType
    ? z.output<Answer>
    : null;

/** The part of a method in reading its answer. */
export interface Reading<Name extends OperationName> {
  /** The answer where a success has no body, if the body decides nothing. */
  readonly ifEmpty?: AnswerOf<Name>;
  /** Finds a fault in an answer of the specified shape. */
  readonly refuse?: (answer: AnswerOf<Name>) => string | undefined;
  /** Whether a success in envelope A may come without data; the schema then gets `null`. */
  readonly mayLackData?: (body: unknown) => boolean;
  /**
   * Reads the usable rest of a faulty answer: `data` from inside a good envelope, or the whole
   * `body` where the envelope reports an error or is not as specified.
   */
  readonly salvage?: (
    error: GatewayError,
    unread: { readonly data?: unknown; readonly body?: unknown },
  ) => void;
}

/**
 * Reads a 2xx answer as the table of operations says.
 *
 * @throws {@link GatewayError} for an `errorCode`, and for an answer that is not as specified.
 */
export function readAnswer<Name extends OperationName>(
  operation: Name,
  context: CallContext,
  answer: TransportAnswer,
  { refuse, salvage, ifEmpty, mayLackData }: Reading<Name>,
  change: OperationProfile,
): AnswerOf<Name> {
  const { envelope, answer: schema, method } = operations[operation];
  const { drift, secrets } = context;
  const unreadable = (why: string, field = ''): GatewayError => {
    drift.note(operation, 'unreadable_answer', field);
    return errorOf(context, unreadableBecause(why), answer);
  };
  if (answer.body?.trim() === '') {
    if (envelope === 'empty') return null as AnswerOf<Name>;
    if (ifEmpty !== undefined) {
      drift.note(operation, 'unexpected_status', String(answer.status));
      return ifEmpty;
    }
  }
  const body = parseJson(answer.body);
  if (body === undefined) throw unreadable('the answer is no JSON');
  const translated = translateAnswer(body, operations[operation], change);
  const opened = openEnvelope(envelope, translated, mayLackData);
  if (schema !== null) drift.success(operation, answer, translated, opened.kind, secrets);
  if (opened.kind === 'unreadable') {
    const error = unreadable('the answer’s envelope is not as specified');
    salvage?.(error, { body });
    throw error;
  }
  if (opened.kind === 'error') {
    const request = {
      mayHaveActed: method !== 'GET',
      movesMoney: movesMoney(operation),
    };
    const error = errorOf(context, meaningOfErrorCode(opened.errorCode, answer, request), answer);
    salvage?.(error, { body });
    throw error;
  }
  if (schema === null) return null as AnswerOf<Name>;
  const parsed = schema.safeParse(opened.data);
  if (!parsed.success) {
    const why = `the answer is not as specified at ${placesOf(parsed.error)}`;
    const error = unreadable(why, `${inside[envelope]}${pointerOf(parsed.error)}`);
    salvage?.(error, { data: opened.data });
    throw error;
  }
  if ('givesSecret' in operations[operation]) noteBody(parsed.data, sealedBodyOf(answer));
  const value = parsed.data as AnswerOf<Name>;
  const refusal = refuse?.(value);
  if (refusal === undefined) return value;
  throw unreadable(quotable(refusal, secrets()));
}

/** The places where an answer departs from the specification, without quoting it. */
function placesOf({ issues }: z.ZodError): string {
  const places = issues.slice(0, 3).map(({ path }) => path.join('.') || 'the body');
  return places.join(', ');
}

/** Where each envelope holds the answer. */
const inside: Readonly<Record<EnvelopeKind, string>> = {
  A: '/data',
  C: '/responseBody',
  bare: '',
  empty: '',
};

/** The first of these places as a pointer inside the envelope; `*` stands for any record. */
function pointerOf({ issues: [first] }: z.ZodError): string {
  const names = first?.path.map((part) => (typeof part === 'number' ? '*' : String(part))) ?? [];
  return names.map((name) => `/${name}`).join('');
}
