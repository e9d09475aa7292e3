import type { z } from 'zod';
import type { CallTrace, DriftCounter } from './diagnostics.ts';
import {
  GatewayError,
  type GatewayFailure,
  type OperationName,
  type Outcome,
  type SealedBody,
  sealedBodyOf,
} from './gateway-error.ts';
import {
  type Meaning,
  meaningOfErrorCode,
  messagesOf,
  openEnvelope,
  parseJson,
  refusedBy,
} from './meaning.ts';
import { type Operation, type OperationProfile, translateAnswer } from './operation.ts';
import { quotable } from './quotable.ts';
import type { CallLimit, TransportAnswer } from './transport.ts';

/** The content of an answer inside its envelope, still in the gateway's spelling. */
export type AnswerOf<Row extends Operation> = Row['answer'] extends infer Answer extends z.ZodType
  ? z.output<Answer>
  : null;

/** The part of a method in reading its answer. */
export interface Reading<Row extends Operation> {
  /** The answer where a success has no body, if the body decides nothing. */
  readonly ifEmpty?: AnswerOf<Row>;
  /** Finds a fault in an answer of the specified shape. */
  readonly refuse?: (answer: AnswerOf<Row>, body: unknown) => string | undefined;
  /** Gets the whole of a readable answer, where its secret may be in another place. */
  readonly keepBody?: (body: SealedBody | undefined) => void;
  /** Whether a success in envelope A may come without data; the schema then gets `null`. */
  readonly mayLackData?: (body: unknown) => boolean;
  /**
   * Reads the usable rest of a faulty answer: `data` from inside a good envelope, or the whole
   * `body` where HTTP or the envelope reports an error, or that is not as specified.
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
export function readAnswer<Row extends Operation>(
  operation: Row,
  context: CallContext,
  answer: TransportAnswer,
  { refuse, ifEmpty, mayLackData, keepBody }: Reading<Row>,
  change: OperationProfile,
): AnswerOf<Row> {
  const { name, envelope, answer: schema } = operation;
  const { drift, secrets, salvage } = context;
  const unreadable = (why: string, field = ''): GatewayError => {
    drift.note(name, 'unreadable_answer', field);
    const code = 'unreadable_answer';
    return errorOf(context, { code, outcome: 'unknown', why, retryable: true }, answer);
  };
  /** One unreadable part must not hide the rest of an answer from its method. */
  const fail = (error: GatewayError, unread: { data?: unknown; body?: unknown }): never => {
    salvage?.(error, unread);
    throw error;
  };
  if (answer.body?.trim() === '') {
    if (envelope === 'empty') return null as AnswerOf<Row>;
    if (ifEmpty !== undefined) {
      drift.note(name, 'unexpected_status', String(answer.status));
      return ifEmpty;
    }
  }
  const body = parseJson(answer.body);
  if (body === undefined) throw unreadable('the answer is no JSON');
  const translated = translateAnswer(body, operation, change);
  const opened = openEnvelope(envelope, translated, mayLackData);
  if (schema !== null) drift.success(operation, answer, translated, opened.kind, secrets);
  if (opened.kind === 'unreadable') {
    return fail(unreadable('the answer’s envelope is not as specified'), { body });
  }
  if (opened.kind === 'error') {
    const meaning = meaningOfErrorCode(opened.errorCode, translated, answer, operation);
    return fail(errorOf(context, meaning, answer), { body });
  }
  if (schema === null) return null as AnswerOf<Row>;
  const parsed = schema.safeParse(opened.data);
  if (!parsed.success) {
    const why = `the answer is not as specified at ${placesOf(parsed.error)}`;
    const at = `${inside[envelope]}${pointerOf(parsed.error)}`;
    return fail(unreadable(why, at), { data: opened.data });
  }
  keepBody?.(sealedBodyOf(answer));
  const value = parsed.data as AnswerOf<Row>;
  const refusal = refuse?.(value, translated);
  if (refusal === undefined) return value;
  throw unreadable(quotable(refusal, secrets()));
}

/** The places where an answer departs from the specification, without quoting it. */
function placesOf({ issues }: z.ZodError): string {
  return issues
    .slice(0, 3)
    .map(({ path }) => path.join('.') || 'the body')
    .join(', ');
}

/** Where each envelope holds the answer. */
const inside = { A: '/data', C: '/responseBody', bare: '', empty: '' } as const;

/** The first of these places as a pointer inside the envelope; `*` stands for any record. */
function pointerOf({ issues: [first] }: z.ZodError): string {
  const names = first?.path.map((part) => (typeof part === 'number' ? '*' : String(part))) ?? [];
  return names.map((name) => `/${name}`).join('');
}

/** A call under way: the facts that its errors report, and the texts that they must not quote. */
export interface CallContext {
  readonly operation: Operation;
  readonly salvage: Reading<Operation>['salvage'];
  /** Texts that no error may show: keys, tokens and the call's own card, phone and e-mail. */
  readonly secrets: () => readonly string[];
  readonly limit: CallLimit;
  /** The outcome of the call's earlier sends; a later send that never left does not change it. */
  outcomeSoFar: Outcome;
  /** Whether a request of the call was handed over and not yet answered. */
  isInFlight: boolean;
  /** Whether the portal's login failed, which is not tried again. */
  isLoginFailed: boolean;
  /** Reports the call's requests; absent while nothing subscribes. */
  readonly trace: CallTrace | undefined;
  readonly drift: DriftCounter;
  /** Marks of the API keys that made what is asked about. */
  readonly madeBy: readonly string[];
  /** Marks of the API keys that were not refused. */
  answeredBy: readonly string[];
}

/** The error of a call that ran out of time or was aborted by its caller. */
export function errorOfAbort(context: CallContext, code: 'timeout' | 'aborted'): GatewayError {
  return errorOf(context, {
    code,
    outcome: context.isInFlight ? 'unknown' : 'not-sent',
    why: code === 'timeout' ? 'the gateway did not answer in time' : 'the caller gave up',
    retryable: code === 'timeout',
  });
}

export const heldBack: Meaning = {
  code: 'breaker_open',
  outcome: 'not-sent',
  why: 'the gateway failed so often in a row that calls to it are held back for a moment',
  retryable: true,
};

export const noPortal: Meaning = {
  code: 'portal_not_configured',
  outcome: 'not-sent',
  why: 'the client was given no portal credential (gateway.portal)',
  retryable: false,
};

/** So many messages of an answer are quoted: enough to see what went wrong. */
const MAX_MESSAGES = 10;

/**
 * Makes the error of a call, cleaned of the call's secrets. An answer that may hold a secret which the
 * gateway gives only once is not quoted but sealed.
 */
export function errorOf(
  { operation, secrets, salvage, outcomeSoFar, answeredBy }: CallContext,
  { code, outcome: lastOutcome, why, retryable, retryAfterMs }: Meaning,
  answer?: TransportAnswer,
): GatewayError {
  const outcome = lastOutcome === 'not-sent' ? outcomeSoFar : lastOutcome;
  const { name, givesSecret } = operation;
  const body = givesSecret === undefined ? undefined : sealedBodyOf(answer);
  // How to get at a secret that is in another place than this kit reads.
  const hint = `; error.body.read() gives the answer once, with the secret that it may hold; the profile says where it is: operations.${name}.answer.${givesSecret}`;
  const read = parseJson(answer?.body ?? null);
  const messages = body === undefined ? messagesOf(read) : [];
  const quote = (text: string): string => quotable(text, secrets());
  const requestId = answer?.headers['x-request-id'];
  const error = new GatewayError({
    code,
    // The login's own error never leaves the client.
    operation: name as OperationName,
    outcome,
    message: `${name}: ${why}${body ? hint : ''} (${code}, ${outcome})`,
    httpStatus: answer?.status,
    gatewayMessages: messages.slice(0, MAX_MESSAGES).map(quote),
    requestId: typeof requestId === 'string' ? quote(requestId) : undefined,
    retryable,
    retryAfterMs,
    body,
  });
  if (answer !== undefined && answer.status > 299) salvage?.(error, { body: read });
  const refusal = answer && refusedBy(answer, read);
  if (refusal !== undefined) noteRefusedQuestion(error, refusal);
  noteKeys(error, answeredBy);
  return error;
}

/**
 * The error of a call that needed a failed login. A refused login is `rejected`; after any other failure of the
 * login, the call itself was `not-sent`.
 */
export function errorOfLogin(
  { operation: { name }, outcomeSoFar }: CallContext,
  login: GatewayFailure,
): GatewayError {
  const outcome = login.outcome === 'rejected' ? 'rejected' : outcomeSoFar;
  const why = login.message.slice(login.message.indexOf(':') + 2, login.message.lastIndexOf(' ('));
  const message = `${name}: the portal login failed: ${why} (${login.code}, ${outcome})`;
  return new GatewayError({ ...login, operation: name as OperationName, outcome, message });
}

const refusals = new WeakMap<GatewayError, number>();

/** Notes that an answer refused its question alone, and by which status. */
export const noteRefusedQuestion = (error: GatewayError, status: number): void =>
  void refusals.set(error, status);

/** The status by which an answer refused its question alone; `undefined` for any other error. */
export const refusedWith = (error: GatewayError): number | undefined => refusals.get(error);

const answering = new WeakMap<object, readonly string[]>();

/** Notes which API keys' accounts gave an answer, or did not know what they were asked about, by their marks. */
export function noteKeys<Holder extends object>(holder: Holder, keys: readonly string[]): Holder {
  answering.set(holder, keys);
  return holder;
}

/** Options of a question about what some API keys made, by their marks: these accounts are asked first. */
export const madeBy = (keys: readonly string[] = []): object => noteKeys({}, keys);

/** Marks of the API keys whose accounts gave an answer, or are asked first by a call with such options. */
export const keysOf = (holder: object): readonly string[] => answering.get(holder) ?? [];
