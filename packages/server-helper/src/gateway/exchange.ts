import type { z } from 'zod';
import { inGatewaySpan } from '../observability/gateway-span.ts';
import { errorOf } from './answer-error.ts';
import type { Call, CallOptions } from './call.ts';
import type { Caller, GoodAnswer } from './caller.ts';
import { traceOf } from './diagnostics.ts';
import { openEnvelope, parseJson } from './envelope.ts';
import { GatewayError } from './gateway-error.ts';
import { meaningOfErrorCode, unreadableBecause } from './meaning.ts';
import { givesSecret, operations, type OperationName } from './operations.ts';
import { keepUnopened, keepUnread } from './partial-status.ts';
import { cleanMessages } from './redaction.ts';
import { keepBody, sealedBodyOf } from './sealed-body.ts';

/** What an operation's answer holds inside its envelope, still in the gateway's spelling. */
export type AnswerOf<Name extends OperationName> =
  (typeof operations)[Name]['answer'] extends infer Answer extends z.ZodType
    ? z.output<Answer>
    : null;

/** Says what is wrong with an answer that was read, if anything is. */
type Refuse<Name extends OperationName> = (answer: AnswerOf<Name>) => string | undefined;

/** Sends a call, reads its answer as the table of operations says, and tells the log if it failed. */
export function exchange<Name extends OperationName>(
  caller: Caller,
  call: Call & { readonly operation: Name },
  options: CallOptions | undefined,
  refuse?: Refuse<Name>,
): Promise<AnswerOf<Name>> {
  return inGatewaySpan(call.operation, () => tracedExchange(caller, call, options, refuse));
}

async function tracedExchange<Name extends OperationName>(
  caller: Caller,
  call: Call & { readonly operation: Name },
  options: CallOptions | undefined,
  refuse: Refuse<Name> | undefined,
): Promise<AnswerOf<Name>> {
  const trace = traceOf(call.operation);
  try {
    const value = readAnswer(call.operation, await caller.call(call, options, trace), refuse);
    trace?.ended({ outcome: 'success' });
    return value;
  } catch (error) {
    if (error instanceof GatewayError) {
      caller.logFailure(error);
      trace?.ended(error);
    }
    throw error;
  }
}

function readAnswer<Name extends OperationName>(
  operation: Name,
  { context, answer }: GoodAnswer,
  refuse: Refuse<Name> | undefined,
): AnswerOf<Name> {
  const { envelope, answer: schema, method } = operations[operation];
  if (envelope === 'empty' && answer.body?.trim() === '') return null as AnswerOf<Name>;
  const unreadable = (why: string): GatewayError =>
    errorOf(context, unreadableBecause(why), answer);
  const json = parseJson(answer.body);
  if (json === undefined) throw unreadable('the answer is no JSON, or names a field twice');
  const opened = openEnvelope(envelope, json);
  if (opened.kind === 'unreadable') {
    throw keepUnopened(unreadable('the answer’s envelope is not as specified'), json);
  }
  if (opened.kind === 'error') {
    const meaning = meaningOfErrorCode(opened.errorCode, answer, method !== 'GET');
    throw errorOf(context, meaning, answer);
  }
  if (schema === null) return null as AnswerOf<Name>;
  const parsed = schema.safeParse(opened.data);
  if (parsed.success) {
    if (givesSecret(operation)) keepBody(parsed.data, sealedBodyOf(answer));
    const value = parsed.data as AnswerOf<Name>;
    const refusal = refuse?.(value);
    if (refusal === undefined) return value;
    throw unreadable(cleanMessages([refusal], context.secrets()).join(''));
  }
  const why = `the answer is not as specified at ${placesOf(parsed.error)}`;
  throw keepUnread(unreadable(why), opened.data);
}

/** Where an answer departs from what is specified, without quoting it. */
function placesOf({ issues }: z.ZodError): string {
  const places = issues.slice(0, 3).map(({ path }) => path.join('.') || 'the body');
  return places.join(', ');
}
