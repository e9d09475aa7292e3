import { type Fields, isFields } from './fields.ts';
import type { GatewayErrorCode, Outcome } from './gateway-error.ts';
import type { EnvelopeKind, Operation } from './operation.ts';
import type { TransportAnswer, TransportError, TransportFault } from './transport.ts';

/**
 * Reads JSON, whatever its declared type: some gateways and middle boxes declare it as text. Gives
 * `undefined` when it is none; the parser's error would quote the body, so it is dropped.
 */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
}

/** Texts in `errorCode` that name no error. The specification has `null` on success (§4.2). */
export const NO_ERROR = /^\s*(?:0+|null|none|ok|success|200)\s*$/i;

/** The content of an answer: its data, or the gateway's error, which may come with HTTP 200. */
export type Opened =
  | { readonly kind: 'data'; readonly data: unknown }
  | { readonly kind: 'error'; readonly errorCode: string }
  | { readonly kind: 'unreadable' };

const UNREADABLE: Opened = { kind: 'unreadable' };

const isGood = (code: unknown): boolean =>
  code === 0 || (Number.isInteger(code) && Math.floor(Number(code) / 100) === 2);

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
  const isNothing = data === null && isAroundNothing(read) && mayLackData(body);
  return data !== null || isNothing ? { kind: 'data', data } : UNREADABLE;
}

/** An envelope with its code as a number, and beside a success without a blank `errorCode`. */
function inUsualForm(body: unknown): unknown {
  if (!isFields(body)) return body;
  const { code, errorCode } = body;
  const isText = typeof code === 'string' && /^\d{1,3}$/.test(code);
  const number = isText ? Number(code) : code;
  const isBlank = (errorCode === '' || errorCode === 0) && isGood(number);
  if (!isText && !isBlank) return body;
  return { ...body, code: number, ...(isBlank ? { errorCode: null } : {}) };
}

/** Whether envelope A is around nothing: it has one of its fields at least, and none that reports an error. */
function isAroundNothing({ code, errorCode, data, error }: Fields): boolean {
  const isAny = [code, errorCode, data].some((one) => one !== undefined);
  const isError = !['', false, null, undefined].includes(error as string | undefined);
  return isAny && !isError && (data ?? null) === null && (code === undefined || isGood(code));
}

/** Envelope A (§4) is around the status, captures, voids and refunds, envelope C around recurring charges. */
function insideOf(kind: EnvelopeKind, body: Fields): unknown {
  const { code = 0, statusCode } = body;
  // A code of an error contradicts a success.
  const isNoError = Number.isInteger(code) && !/^[45]\d\d$/.test(String(code));
  if (kind === 'A') return isNoError ? body['data'] : undefined;
  if (kind === 'C')
    return isGood(statusCode) && statusCode !== 0 ? body['responseBody'] : undefined;
  return body;
}

/** The texts of the gateway's error, each once: of envelopes A and B in `message`, of C further inside. */
export function messagesOf(body: unknown): readonly string[] {
  const { message, responseBody } = isFields(body) ? body : {};
  const inside = isFields(responseBody) ? responseBody : {};
  const { message: inC, decline_reason: reason, error } = inside;
  return [...new Set([message, responseBody, inC, reason, error].flatMap(textsOf))];
}

/** A text, or the several texts of a validation. Blanks and other values count as no text. */
const textsOf = (value: unknown): readonly string[] =>
  [value].flat().filter((text): text is string => typeof text === 'string' && text.trim() !== '');

export interface Meaning {
  readonly code: GatewayErrorCode;
  readonly outcome: Outcome;
  readonly why: string;
  readonly retryable: boolean;
  readonly retryAfterMs?: number | undefined;
}

const byStatus: Readonly<Record<number, GatewayErrorCode>> = {
  400: 'invalid_request',
  404: 'not_found',
  429: 'rate_limited',
};

/**
 * Refusals that may follow a request that was done: a time-out, a conflict with another copy of it,
 * "too early", and "client closed request". A gateway or a proxy in front of it sends them.
 */
const late: ReadonlySet<number> = new Set([408, 409, 425, 499]);

/** The meaning of an answer with a status other than 2xx. */
export function meaningOfStatus(
  answer: TransportAnswer,
  now: number,
  { movesMoney }: Operation,
): Meaning {
  const { status } = answer;
  const isInDoubt = movesMoney === true && (late.has(status) || saysDone(answer));
  const isServerFault = status >= 500 || isInDoubt;
  const isRedirect = status >= 300 && status < 400;
  const fallback = isServerFault ? 'gateway_fault' : isRedirect ? 'redirected' : 'rejected';
  const { code, why } = refusalOf(status, answer, fallback);
  return {
    code,
    outcome: isServerFault || isRedirect || status < 200 ? 'unknown' : 'rejected',
    why: `the gateway answered HTTP ${status}${why}`,
    retryable: passing.has(status) || isServerFault,
    retryAfterMs: readRetryAfter(answer.headers, now),
  };
}

/** Whether what an error holds says that it was done all the same. */
function saysDone({ body }: TransportAnswer): boolean {
  const read = parseJson(body);
  const { data, responseBody } = isFields(read) ? read : {};
  const said = [data, responseBody].map((one) => isFields(one) && one['result']);
  return said.some((word) => typeof word === 'string' && /^(?:accepted|success)$/i.test(word));
}

/**
 * The meaning of a 2xx answer whose `errorCode` is set. A code of the gateway's own fault leaves open what was
 * done, as HTTP 5xx does. Where money could have moved, so does all but a plain refusal: a word may be a warning.
 */
export function meaningOfErrorCode(
  errorCode: string,
  body: unknown,
  answer: TransportAnswer,
  { method, movesMoney }: Operation,
): Meaning {
  const text = 'the gateway answered with an error code';
  if (movesMoney === true ? !isPlainRefusal(body) : /^5\d\d$/.test(errorCode) && method !== 'GET') {
    return { code: 'gateway_fault', outcome: 'unknown', why: text, retryable: true };
  }
  const { code, why } = refusalOf(Number(errorCode), answer, 'rejected');
  return { code, outcome: 'rejected', why: `${text}${why}`, retryable: false };
}

/** Whether a success names a number of 400 to 499, none that may follow what was done, and holds nothing (§4.5). */
function isPlainRefusal(body: unknown): boolean {
  const { data, responseBody } = isFields(body) ? body : {};
  const errors = numbersIn(body).filter((number) => number >= 400);
  const isEmpty = [data, responseBody].every((one) => Object.keys(Object(one)).length === 0);
  return isEmpty && errors.length > 0 && errors.every((one) => one < 500 && !late.has(one));
}

/** The numbers by which a body reports an error. An object has none, and may throw where it is asked for one. */
function numbersIn(body: unknown): readonly number[] {
  const { errorCode, statusCode, code } = isFields(body) ? body : {};
  return [errorCode, statusCode, code].filter((one) => typeof one !== 'object').map(Number);
}

/** Refusals of the moment, which say nothing of the request. */
export const ofTheMoment: ReadonlySet<number> = new Set([408, 425, 429, 499]);

/** Refusals of the caller, by the gateway or by a proxy before it. */
const ofTheCaller: ReadonlySet<number> = new Set([401, 403, 405, 407]);

/**
 * The status by which an answer refuses its question alone. One without a word, such as an empty success, says no
 * more than 409; other texts than a JSON object may be a proxy's.
 */
export function refusedBy(
  { status, body }: Pick<TransportAnswer, 'status' | 'body'>,
  read = parseJson(body),
): number | undefined {
  const isWordless = body?.trim() === '' || read === null;
  const said = isWordless && (status < 300 || isOfQuestion(status)) ? 409 : statusIn(status, read);
  return (isFields(read) || isWordless) && isOfQuestion(said) ? said : undefined;
}

/** HTTP's status or, of a success that refuses, the body's number: of a word 409, and 404 of "not found". */
export function statusIn(status: number, body: unknown): number {
  if (status >= 300 || !isFields(body)) return status;
  const { errorCode } = body;
  const number = numbersIn(body).find((one) => one >= 400);
  const isWord = typeof errorCode === 'string' && errorCode.trim() !== '';
  const ofWord = isWord && /not.?found/i.test(errorCode) ? 404 : 409;
  return number ?? (isWord && !NO_ERROR.test(errorCode) ? ofWord : status);
}

const isOfQuestion = (status: number): boolean =>
  status >= 400 && status < 500 && !ofTheCaller.has(status) && !ofTheMoment.has(status);

/** The meaning of an HTTP status, also where it came as `errorCode`. */
function refusalOf(status: number, { body }: TransportAnswer, fallback: GatewayErrorCode) {
  if (status === 401) return faultOfCredential(messagesOf(parseJson(body)));
  if (status >= 400 && status < 500 && namesTakenOrder(messagesOf(parseJson(body)))) {
    return { code: 'order_name_taken', why: ': it has a payment of this name already' } as const;
  }
  return { code: byStatus[status] ?? fallback, why: '' };
}

const ORDER_NAME = /\b(?:merchant[ _-]?)?order[ ._-]?(?:id|number)\b/i;
const TAKEN = /\b(?:unique|duplicated?|exists?|taken|used)\b/i;

/** Whether a refusal says that the name of an attempt is another payment's (§4.1: "unique per payment"). */
function namesTakenOrder(messages: readonly string[]): boolean {
  const texts = messages.map((text) => text.slice(0, MAX_LENGTH));
  return texts.some((text) => ORDER_NAME.test(text) && TAKEN.test(text));
}

const faults: Readonly<Record<TransportFault, readonly [GatewayErrorCode, Outcome]>> = {
  not_connected: ['connection_failed', 'not-sent'],
  not_sent: ['connection_failed', 'not-sent'],
  closed: ['closed', 'not-sent'],
  lost: ['connection_lost', 'unknown'],
  too_large: ['answer_too_large', 'unknown'],
  encoded: ['unreadable_answer', 'unknown'],
};

export function meaningOfFault({ fault, message }: TransportError): Meaning {
  const [code, outcome] = faults[fault];
  return { code, outcome, why: message, retryable: code !== 'closed' };
}

/** How often one GET is sent in all, the first time included. */
export const MAX_SENDS = 3;

const FIRST_WAIT_MS = 200;
const MAX_WAIT_MS = 2_000;
/** A longer Retry-After than this is not waited for inside a call; the caller comes back later. */
const MAX_RETRY_AFTER_MS = 5_000;

/** Statuses after which a GET may succeed when sent again. */
export const passing: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * How long to wait before the next send: full jitter, or what the gateway asked for.
 *
 * @param sends - How often it was sent already, 1 or more.
 * @returns Milliseconds, or `null` when the gateway asks for a longer wait than a call allows.
 */
export function waitBefore(sends: number, random: number, askedMs?: number): number | null {
  if (askedMs !== undefined) return askedMs > MAX_RETRY_AFTER_MS ? null : askedMs;
  return Math.round(random * Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (sends - 1)));
}

/** Dates as HTTP writes them today, and as it once did; other texts could be read as dates too. */
const HTTP_DATE =
  /^[A-Z][a-z]{2,8}, \d{2}(?: [A-Z][a-z]{2} \d{4}|-[A-Z][a-z]{2}-\d{2}) \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Reads Retry-After, in seconds or as a date. A date is held against the answer's own, where it has
 * one: then it does not matter how wrong our clock is.
 *
 * @returns Milliseconds, 0 for a date that has passed; `undefined` for any other text.
 */
export function readRetryAfter(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  now: number,
): number | undefined {
  const text = headers['retry-after'];
  if (typeof text !== 'string') return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const until = readDate(text);
  if (until === undefined) return undefined;
  return Math.max(0, until - (readDate(headers['date']) ?? now));
}

function readDate(text: string | string[] | undefined): number | undefined {
  if (typeof text !== 'string' || !HTTP_DATE.test(text)) return undefined;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : date;
}

/** What follows is no more read: the patterns' time grows with the cube of the text. */
const MAX_LENGTH = 300;

const OTHER_ENVIRONMENT =
  /environment|\b(?:staging|sandbox)\b.*\b(?:production|live)\b|\b(?:production|live)\b.*\b(?:staging|sandbox)\b/i;
const OTHER_TYPE =
  /credential type|wrong (?:credential|kind|type)|\b(?:key|token|bearer|credential)s?\b.*\b(?:used|valid|allowed|accepted|meant|for)\b.*\b(?:portal|payments?|account)\b/i;
/** A message that lists several possible faults does not name the fault. */
const SEVERAL = /\b(?:invalid|incorrect|inactive|expired|revoked)\b.*\bor\b/i;

/**
 * Reads from a 401's words (§7) whether the credential is of the other environment or of the other
 * kind. Both are configuration errors: they last until someone mends the settings.
 *
 * @returns its code, and the fault in our words; no words where the gateway does not name the fault.
 */
export function faultOfCredential(messages: readonly string[]) {
  const text = messages.join(' ').slice(0, MAX_LENGTH);
  const isNamed = !SEVERAL.test(text);
  const of = (what: string) => `: a configuration error, the credential is of another ${what}`;
  if (isNamed && OTHER_ENVIRONMENT.test(text)) {
    return { code: 'wrong_environment', why: of('environment than gateway.baseUrl') } as const;
  }
  if (isNamed && OTHER_TYPE.test(text)) {
    return { code: 'wrong_credential_type', why: of('kind than this operation needs') } as const;
  }
  return { code: 'unauthorized', why: '' } as const;
}

export const isRefusedCredential = (code: GatewayErrorCode): boolean =>
  code === 'unauthorized' || code === 'wrong_credential_type' || code === 'wrong_environment';
