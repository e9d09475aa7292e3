import type { z } from 'zod';
import { errorInAnswer, unreadable } from './answer-error.ts';
import type { Call, Caller, GoodAnswer } from './call.ts';
import type { CallOptions } from './call-options.ts';
import { openEnvelope } from './envelope.ts';
import { GatewayError } from './gateway-error.ts';
import { parseJson } from './json.ts';
import { operations, type OperationName } from './operations.ts';

/** What an operation's answer holds inside its envelope, still in the gateway's spelling. */
export type AnswerOf<Name extends OperationName> =
  (typeof operations)[Name]['answer'] extends infer Answer extends z.ZodType
    ? z.output<Answer>
    : null;

/** Sends a call, reads its answer as the table of operations says, and tells the log if it failed. */
export async function exchange<Name extends OperationName>(
  caller: Caller,
  call: Call & { readonly operation: Name },
  options: CallOptions | undefined,
): Promise<AnswerOf<Name>> {
  try {
    return await readAnswer(caller, call, options);
  } catch (error) {
    if (error instanceof GatewayError) caller.logFailure(error);
    throw error;
  }
}

async function readAnswer<Name extends OperationName>(
  caller: Caller,
  call: Call & { readonly operation: Name },
  options: CallOptions | undefined,
): Promise<AnswerOf<Name>> {
  const { envelope, answer: schema } = operations[call.operation];
  const good = await caller.call(call, options);
  if (envelope === 'empty' && good.answer.body.trim() === '') return null as AnswerOf<Name>;
  const json = parseJson(good.answer.body);
  if (json === undefined) {
    throw unreadable(good.context, good.answer, 'the answer is no JSON, or names a field twice');
  }
  const opened = openEnvelope(envelope, json);
  if (opened.kind === 'error') throw errorInAnswer(good.context, good.answer, opened.errorCode);
  if (schema === null) return null as AnswerOf<Name>;
  return decode(good, schema, opened.kind === 'data' ? opened.data : undefined) as AnswerOf<Name>;
}

/** Takes what the schema knows, or says where the answer departs from it, without quoting it. */
function decode({ context, answer }: GoodAnswer, schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const places = parsed.error.issues.map((issue) => issue.path.join('.') || 'the body').slice(0, 3);
  throw unreadable(context, answer, `the answer is not as specified at ${places.join(', ')}`);
}
