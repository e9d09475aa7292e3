import { channel } from 'node:diagnostics_channel';
import { nameOf } from '../errors.ts';
import { currentActivity, hasTelemetry, inSpan, measure, countOne } from '../telemetry.ts';
import {
  type AskedOperation,
  GatewayError,
  type GatewayErrorCode,
  type Outcome,
} from './gateway-error.ts';
import { z } from 'zod';
import type { Clock } from '../clock.ts';
import { onOneLine } from '../text.ts';
import type { Logger } from '../logger.ts';
import { type Fields, foreseen, isFields, oneOf } from './fields.ts';
import { type Opened, ofTheMoment, parseJson } from './meaning.ts';
import { type Operation, valueAt } from './operation.ts';
import { quotable } from './quotable.ts';
import type { TransportAnswer } from './transport.ts';

/** Which call an event is about. */
export interface GatewayCallEvent {
  /** Numbers the calls of this process. */
  readonly callId: number;
  /** The client's method, or `logIn` for the portal login that calls share. */
  readonly operation: AskedOperation;
  /** The HTTP request that caused the call, where one did. */
  readonly requestId?: string | undefined;
}

/** Event of `pay-button:gateway:send`: a request is handed to the connection. */
export interface GatewaySendEvent extends GatewayCallEvent {
  /** 1 for the call's first request, and so on. */
  readonly send: number;
}

/** Event of `pay-button:gateway:answer`: an answer came, of whatever status. */
export interface GatewayAnswerEvent extends GatewaySendEvent {
  readonly httpStatus: number;
  /** Milliseconds since this request was handed over. */
  readonly durationMs: number;
}

/** Event of `pay-button:gateway:end`: the call is over. */
export interface GatewayEndEvent extends GatewayCallEvent {
  /** `success`, or the outcome of the call's error. */
  readonly outcome: 'success' | Outcome;
  readonly code?: GatewayErrorCode | undefined;
  readonly httpStatus?: number | undefined;
  /** How many requests it took. */
  readonly sends: number;
  /** Milliseconds since its start. */
  readonly durationMs: number;
}

/** What was unexpected in an answer or a notification of the gateway. */
export type DriftKind =
  /** A field that neither the specification nor this kit's readings know. */
  | 'unknown_field'
  /** A word that this kit does not know, in a field that holds one of a few. */
  | 'unknown_word'
  /** A value of another type, such as a number in place of a text. */
  | 'other_type'
  /** Another envelope than the operation's, or none of the envelopes of errors. */
  | 'other_envelope'
  /** An HTTP status that the operation does not answer. */
  | 'unexpected_status'
  /** An answer that could not be read, so that its call failed; a notification that names no payment. */
  | 'unreadable_answer'
  /** A notification that none of the webhook secrets signed in the profile's form. */
  | 'refused_signature'
  /** A notification that a secret signed, or that names a link of ours, and that names too little to follow. */
  | 'unfollowed_hint';

/** Event of `pay-button:gateway:drift`: an answer had something that this kit does not expect. */
export type GatewayDriftEvent = Pick<Drift, 'operation' | 'kind' | 'field'> &
  Pick<GatewayCallEvent, 'requestId'>;

const start = channel('pay-button:gateway:start');
const send = channel('pay-button:gateway:send');
const answer = channel('pay-button:gateway:answer');
const end = channel('pay-button:gateway:end');
const drift = channel('pay-button:gateway:drift');

let lastCallId = 0;

/**
 * Reports one call on `node:diagnostics_channel`. Events hold numbers, codes and the operation's name,
 * and nothing of the call's input or of the gateway's words.
 */
export class CallTrace {
  readonly #call: GatewayCallEvent;
  readonly #startedAt = performance.now();
  #sentAt = 0;
  #sends = 0;

  constructor(operation: AskedOperation) {
    lastCallId += 1;
    this.#call = { callId: lastCallId, operation, requestId: currentActivity()?.requestId };
    start.publish(this.#call);
  }

  sent(): void {
    this.#sends += 1;
    this.#sentAt = performance.now();
    send.publish({ ...this.#call, send: this.#sends } satisfies GatewaySendEvent);
  }

  answered(httpStatus: number): void {
    const durationMs = performance.now() - this.#sentAt;
    const event = { ...this.#call, send: this.#sends, httpStatus, durationMs };
    answer.publish(event satisfies GatewayAnswerEvent);
  }

  ended({ outcome, code, httpStatus }: Pick<GatewayEndEvent, 'outcome' | 'code' | 'httpStatus'>) {
    const durationMs = performance.now() - this.#startedAt;
    const event = { ...this.#call, outcome, code, httpStatus, sends: this.#sends, durationMs };
    end.publish(event satisfies GatewayEndEvent);
    measure('gatewayCall', durationMs, { operation: event.operation, outcome });
  }
}

/** Makes a call, reports it on its channels and, with telemetry, as a span and a measurement. */
export function observeCall<T>(
  operation: AskedOperation,
  work: (trace: CallTrace | undefined) => Promise<T>,
): Promise<T> {
  const isHeard = [start, send, answer, end].some(({ hasSubscribers }) => hasSubscribers);
  if (!isHeard && !hasTelemetry()) return work(undefined);
  const attributes = { 'pay.gateway.operation': operation };
  return inSpan(`gateway.${operation}`, attributes, 'client', async (span) => {
    const trace = new CallTrace(operation);
    try {
      const value = await work(trace);
      trace.ended({ outcome: 'success' });
      span?.end();
      return value;
    } catch (error) {
      const failure: Partial<GatewayError> = error instanceof GatewayError ? error : {};
      const { outcome = 'unknown', code, httpStatus } = failure;
      trace.ended({ outcome, code, httpStatus });
      span?.set({ 'pay.gateway.outcome': outcome, 'http.response.status_code': httpStatus });
      span?.end(nameOf(error));
      throw error;
    }
  });
}

/** An operation, or `webhook` for the notifications that the gateway sends. */
export type DriftOperation = AskedOperation | 'webhook';

/** One unexpected thing in the answers of an operation. It holds no value of any answer. */
export interface Drift {
  /**
   * The client's method, `logIn` for the portal login that calls share, or `webhook` for notifications
   * to the payments router.
   */
  readonly operation: DriftOperation;
  readonly kind: DriftKind;
  /**
   * JSON Pointer of the field, with `*` for each record of a list; the status of an
   * `unexpected_status`; `missing`, `form`, `time` or `secret` for a `refused_signature`; empty for the
   * whole answer.
   */
  readonly field: string;
  /** How many answers had it. */
  readonly count: number;
  /** When the first one came, in milliseconds since the epoch. */
  readonly firstSeenAt: number;
  /** When the last one came, in milliseconds since the epoch. */
  readonly lastSeenAt: number;
}

/** The texts that a call must not show. */
type Secrets = () => readonly string[];
type NamesOf = (operation: DriftOperation) => readonly string[];

/** How many unknown fields of an operation are named; further ones are counted together. */
const MAX_NAMES = 20;
const MAX_NAME = 40;
/** How many things are counted separately. */
const MAX_KINDS = 500;
const OTHERS = '(others)';
/** An identifier. A card, a phone, a key or an e-mail in place of a name has another form. */
const NAME = /^[\p{L}_$@][\p{L}\d_$.-]*$/u;
const MAX_DIGITS = 3;

/** Counts what the answers of one gateway have that this kit does not expect, in bounded memory. */
export class DriftCounter {
  /** The gateway's names of an operation's fields that the profile speaks of: they are expected. */
  readonly #namesOf: NamesOf;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #seen = new Map<string, Drift>();
  /** The names of unknown fields that are shown, by operation. */
  readonly #names = new Map<DriftOperation, Set<string>>();

  constructor(namesOf: NamesOf, clock: Clock, logger: Logger) {
    this.#namesOf = namesOf;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Everything so far, by operation, kind and field. */
  list(): readonly Drift[] {
    const keyOf = ({ operation, kind, field }: Drift): string => `${operation} ${kind} ${field}`;
    return [...this.#seen.values()].toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  }

  /** Counts one thing of one answer. `at` is never a text of the answer. */
  note(operation: DriftOperation, kind: DriftKind, at = ''): void {
    const isFull = this.#seen.size >= MAX_KINDS && !this.#seen.has(`${operation} ${kind} ${at}`);
    const field = isFull ? OTHERS : at;
    const key = `${operation} ${kind} ${field}`;
    const now = this.#clock.now();
    const { count: before = 0, firstSeenAt = now } = this.#seen.get(key) ?? {};
    const count = before + 1;
    const seen = { operation, kind, field };
    this.#seen.set(key, { ...seen, count, firstSeenAt, lastSeenAt: now });
    const requestId = currentActivity()?.requestId;
    drift.publish({ ...seen, requestId } satisfies GatewayDriftEvent);
    countOne('drift', seen);
    // Of a signature it is not known that the gateway made it.
    if (count > 1 || kind === 'refused_signature') return;
    this.#logger.warn(seen, 'the gateway answered otherwise than expected');
  }

  /**
   * Compares a success with what is known of the operation.
   *
   * @param body - The parsed body, its fields where the profile puts them.
   */
  success(
    operation: Operation,
    { status }: TransportAnswer,
    body: unknown,
    opened: Opened['kind'],
    secrets: Secrets,
  ): void {
    const { name, httpStatus = 200 } = operation;
    if (status !== httpStatus) this.note(name, 'unexpected_status', String(status));
    const isWrong =
      opened === 'unreadable' || (opened === 'data' && this.#isWrapped(operation, body));
    const known = opened === 'error' ? knownError : knownAnswer(operation);
    if (isWrong || !isFields(body)) this.note(name, 'other_envelope');
    else this.#compare(name, body, known, '', secrets);
  }

  /** Compares an answer of another status than 2xx; a fault of the moment is no drift. */
  refusal({ name, namesById }: Operation, { status, body }: TransportAnswer, secrets: Secrets) {
    if (status >= 500 || status < 300 || ofTheMoment.has(status)) return;
    const isExpected = refusals.has(status) || (status === 404 && namesById === true);
    if (!isExpected) this.note(name, 'unexpected_status', String(status));
    if (status < 400) return;
    const error = parseJson(body);
    if (isErrorEnvelope(error)) this.#compare(name, error, knownError, '/error', secrets);
    else this.note(name, 'other_envelope', '/error');
  }

  /**
   * Compares a notification with what is known of the gateway's webhooks.
   *
   * @param body - The parsed body; `undefined` where it cannot be parsed.
   * @param needed - Pointers in groups: a notification needs a value at one pointer of each.
   * @returns whether it has these.
   */
  notification(body: unknown, needed: readonly (readonly string[])[], secrets: readonly string[]) {
    if (!isFields(body)) {
      this.note('webhook', 'other_envelope');
      return false;
    }
    this.#compare('webhook', body, knownNotification, '', () => secrets);
    const isThere = (place: string): boolean => (valueAt(body, place) ?? '') !== '';
    const lacking = needed.filter((places) => !places.some(isThere));
    for (const [only = '', ...others] of lacking) {
      this.note('webhook', 'unreadable_answer', others.length === 0 ? only : '');
    }
    return lacking.length === 0;
  }

  #compare(
    operation: DriftOperation,
    body: Fields,
    fields: KnownFields,
    place: string,
    secrets: Secrets,
  ): void {
    const seen = new Set<string>();
    for (const [kind, at, name] of differences(body, fields, place)) {
      if (name !== undefined && this.#isMapped(operation, name)) continue;
      const field = name === undefined ? at : this.#shown(operation, at, name, secrets);
      if (!seen.has(`${kind} ${field}`)) this.note(operation, kind, field);
      seen.add(`${kind} ${field}`);
    }
  }

  /** The pointer of an unknown field, or of all that are not named. */
  #shown(operation: DriftOperation, place: string, name: string, secrets: Secrets): string {
    const names = this.#names.get(operation) ?? new Set();
    this.#names.set(operation, names);
    const shown = `${place}/${onOneLine(name.slice(0, MAX_NAME))}`;
    if (names.has(shown)) return shown;
    if (names.size >= MAX_NAMES || !isName(name, secrets)) return `${place}/${OTHERS}`;
    names.add(shown);
    return shown;
  }

  /** Whether an answer that is to have no envelope is inside one that the profile does not name. */
  #isWrapped({ name: operation, envelope }: Operation, body: unknown): boolean {
    if (envelope !== 'bare' || !isFields(body)) return false;
    if (!ENVELOPE.some((name) => name in body)) return false;
    return wrappers.some((name) => name in body && !this.#isMapped(operation, name));
  }

  /** Whether the profile speaks of a name; of an envelope's, where it names what is in the envelope. */
  #isMapped(operation: DriftOperation, name: string): boolean {
    const names = this.#namesOf(operation);
    const isAround = ENVELOPE.includes(name) && wrappers.some((one) => names.includes(one));
    return isAround || names.includes(name);
  }
}

/** A name that a developer gave, and no data: control characters are dropped, long ones cut. */
function isName(name: string, secrets: Secrets): boolean {
  const plain = onOneLine(name.slice(0, 2 * MAX_NAME));
  if (!NAME.test(plain) || plain.replaceAll(/\D/g, '').length > MAX_DIGITS) return false;
  return quotable(plain, secrets()) === plain;
}

/** The refusals of §7, and those of a body that the gateway cannot take. */
const refusals: ReadonlySet<number> = new Set([400, 401, 413, 415]);

const isErrorEnvelope = (body: unknown): body is Fields =>
  isFields(body) && 'message' in body && ('code' in body || 'statusCode' in body);

/** The fields that hold the answer in envelopes A and C, and the others of all envelopes (§4). */
const wrappers: readonly string[] = ['data', 'responseBody'];
const ENVELOPE: readonly string[] = ['code', 'message', 'errorCode', 'statusCode'];

/** The profile's entries that may say what an answer had; `undefined` where there is none. */
export function entryOf(one: Pick<Drift, 'operation' | 'kind' | 'field'>): string | undefined {
  const { operation, kind, field } = one;
  if (operation === 'logIn') return kind === 'unexpected_status' ? 'login.path' : 'login.token';
  if (kind === 'unfollowed_hint') return 'webhook.orderName, webhook.transactionId';
  if (operation !== 'retrieveStatus') return undefined;
  if (kind === 'unknown_field' && field.startsWith('/data/content/')) return 'status.orderName';
  const isRefusal = kind === 'unexpected_status' || field.startsWith('/error');
  return isRefusal ? 'status.parameter, status.asksFor, status.notFound' : undefined;
}

/** The fields of both envelopes of errors, A and B (§4). */
const knownError = fieldsOf(
  z.object({
    code: z.number(),
    statusCode: z.number(),
    message: z.union([z.string(), z.array(z.string())]),
    // The specification shows the HTTP status in words; any other may be a success of the gateway's own.
    errorCode: oneOf('[45]\\d\\d', z.string()),
    error: z.string(),
    data: z.object({}),
  }),
);

/** A notification as this kit foresees it (assumption N13); the specification states no field. */
const knownNotification = fieldsOf(
  z.object({
    ...foreseen('transactionId', 'orderId', 'merchantOrderId', 'currencyCode', 'rrn'),
    ...foreseen('createdAt', 'finishedAt', 'recurringToken'),
    amount: z.number(),
    cardScheme: z.string(),
    cardNumber: z.string(),
    status: oneOf('Approved|Declined|Pending|Redirect', z.string()),
    type: oneOf('Purchase|Authorization|Capture|Refund|Void', z.string()),
    reason: z.string(),
  }),
);

const knownAnswers = new WeakMap<Operation, KnownFields>();

/** The fields of an operation's success, the envelope's included. */
function knownAnswer(operation: Operation): KnownFields {
  const known = knownAnswers.get(operation) ?? fieldsOf(aroundAnswer(operation));
  knownAnswers.set(operation, known);
  return known;
}

function aroundAnswer({ envelope, foreseen: read, ...operation }: Operation): z.ZodType {
  const data = read ?? operation.answer ?? z.object({});
  if (envelope === 'C') return z.object({ statusCode: z.number(), responseBody: data });
  if (envelope !== 'A') return data;
  // A success has no error code (§4.2); a text that says so is read, and counted as unknown.
  return z.object({
    code: z.number(),
    message: z.string(),
    errorCode: oneOf('', z.string()),
    data,
  });
}

/** A field as its schema takes it. `null` is never another type: it says as much as no field. */
interface KnownField {
  /** In the words of JSON Schema. */
  readonly types: readonly unknown[];
  /** The words that this kit knows, where the field holds one of a few. */
  readonly words?: RegExp | undefined;
  /** The fields of the object, or of each record of the list. */
  readonly fields?: KnownFields | undefined;
}

type KnownFields = ReadonlyMap<string, KnownField>;

function fieldsOf(schema: z.ZodType): KnownFields {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return fieldOf(json).fields ?? new Map();
}

/** What a schema says of its own type goes before the types of its parts. */
function fieldOf({ type, anyOf = [], ...json }: z.core.JSONSchema.BaseSchema): KnownField {
  const { words, items, properties } = json;
  const parts = type === undefined ? anyOf.map((part) => fieldOf(part as typeof json)) : [];
  const fields = Object.entries(properties ?? {}).map(
    ([name, field]) => [name, fieldOf(field as typeof json)] as const,
  );
  const inside = items === undefined ? undefined : fieldOf(items as typeof json).fields;
  return {
    types: [...[type].flat(), ...parts.flatMap(({ types }) => types)],
    words: typeof words === 'string' ? new RegExp(words) : parts.find((part) => part.words)?.words,
    fields: properties ? new Map(fields) : (inside ?? parts.find((part) => part.fields)?.fields),
  };
}

/** An unexpected thing and its place, with the gateway's own spelling of an unknown field. */
type Difference = readonly [kind: DriftKind, place: string, name?: string];

/**
 * Compares an object with the fields that are known at its place. Nothing below an unknown field is
 * looked at: the names there may be data, such as the keys of a map.
 *
 * @param place - JSON Pointer of the object; `*` stands for each record of a list.
 */
function differences(value: Fields, known: KnownFields, place: string): readonly Difference[] {
  return Object.keys(value).flatMap((name): readonly Difference[] => {
    const field = known.get(name);
    if (field === undefined) return [['unknown_field', place, name]];
    return value[name] === null ? [] : differencesAt(value[name], field, `${place}/${name}`);
  });
}

function differencesAt(value: unknown, known: KnownField, place: string): readonly Difference[] {
  const { types, words, fields } = known;
  const records = Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  const isWhole = types.includes('integer') && Number.isInteger(value);
  if (!types.includes(records ? 'array' : typeof value) && !isWhole) return [['other_type', place]];
  if (typeof value === 'string' && words?.test(value) === false) return [['unknown_word', place]];
  if (fields === undefined) return [];
  if (isFields(value)) return differences(value, fields, place);
  return (records ?? []).flatMap((record): readonly Difference[] =>
    isFields(record) ? differences(record, fields, `${place}/*`) : [['other_type', `${place}/*`]],
  );
}
