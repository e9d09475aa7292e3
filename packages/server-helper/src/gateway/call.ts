import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import {
  type AnswerOf,
  type CallContext,
  errorOf,
  errorOfAbort,
  heldBack,
  keysOf,
  noPortal,
  noteKeys,
  readAnswer,
  type Reading,
} from './answer.ts';
import type { Breaker } from './breaker.ts';
import { type CallTrace, observeCall } from './diagnostics.ts';
import type { DriftCounter } from './drift.ts';
import { GatewayError } from './gateway-error.ts';
import { isPassing, MAX_SENDS, meaningOfFault, meaningOfStatus, waitBefore } from './meaning.ts';
import { quotable } from './quotable.ts';
import {
  type Transport,
  type TransportAnswer,
  TransportError,
  type TransportRequest,
} from './transport.ts';
import { invalidInput } from './fields.ts';
import { type Operation, type OperationProfile, translateFields } from './operation.ts';

/** Sends one request of a call with the given headers added. */
export type SendWith = (headers: Readonly<Record<string, string>>) => Promise<TransportAnswer>;

/**
 * A credential that opens operations. It sends a call's request, and once more where a 401 may be
 * followed by a better answer: a 401 says that nothing was done, so that any method may go again.
 */
export interface Credential {
  send(sendWith: SendWith, context: CallContext, signal: AbortSignal): Promise<TransportAnswer>;
}

/** A credential that opens operations, and the breaker of its calls; `null` when breakers are off. */
export interface Access {
  readonly credential: Credential;
  readonly breaker: Breaker | null;
}

/** The dependencies of a caller. */
export interface CallerSettings {
  readonly transport: Transport;
  readonly addresses: Addresses;
  /** `portal` is `null` where the client has no portal credential. */
  readonly access: Readonly<Record<Operation['credential'], Access | null>>;
  /** The credentials and tokens that the client knows by now, which no error may quote. */
  readonly secrets: () => readonly string[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly drift: DriftCounter;
  readonly logger: Logger;
}

/**
 * Sends calls, each within one deadline. It repeats a GET after a transient fault, and any method
 * with the next key or a new token after a 401. Nothing else is sent again once a byte of it may
 * have left.
 */
export class Caller {
  readonly #settings: CallerSettings;

  constructor(settings: CallerSettings) {
    this.#settings = settings;
  }

  /**
   * Sends a call and reads its answer. A failure is logged by codes only, which quote nothing.
   *
   * @throws {@link GatewayError} for every answer but a good one.
   */
  exchange<Row extends Operation>(
    call: Call<Row>,
    options: CallOptions | undefined,
    reading: Reading<Row> = {},
  ): Promise<AnswerOf<Row>> {
    return observeCall(call.operation.name, async (trace) => {
      try {
        const context = this.#contextOf(call, options, trace);
        const answer = await this.#call(call, context, options);
        const change = this.#settings.addresses.changeOf(call.operation);
        const read = readAnswer(call.operation, context, answer, reading, change);
        if (typeof read === 'object' && read !== null) noteKeys(read, context.answeredBy);
        return read;
      } catch (error) {
        if (error instanceof GatewayError) {
          const { operation, code, outcome, httpStatus } = error;
          const fields = { operation, code, outcome, httpStatus };
          this.#settings.logger.warn(fields, 'a call to the gateway failed');
        }
        throw error;
      }
    });
  }

  /** Cleans a text of the gateway that a result holds, such as a reason for a decline. */
  clean(text: string, secrets: readonly string[] = []): string {
    return quotable(text, [...this.#settings.secrets(), ...secrets]);
  }

  #contextOf(call: Call, options?: CallOptions, trace?: CallTrace): CallContext {
    return {
      operation: call.operation,
      secrets: () => [...this.#settings.secrets(), ...(call.secrets ?? [])],
      outcomeSoFar: 'not-sent',
      isInFlight: false,
      isLoginFailed: false,
      trace,
      drift: this.#settings.drift,
      madeBy: keysOf(options ?? {}),
      answeredBy: [],
    };
  }

  async #call(
    call: Call,
    context: CallContext,
    options: CallOptions | undefined,
  ): Promise<TransportAnswer> {
    const { operation } = call;
    const { signal, timeoutMs = this.#settings.timeoutMs } = readCallOptions(operation, options);
    const access = this.#settings.access[operation.credential];
    if (access === null) throw errorOf(context, noPortal);
    const limit = new CallLimit(timeoutMs, signal);
    try {
      return await this.#sendUntilAnswered(call, context, access, limit);
    } finally {
      limit.release();
    }
  }

  async #sendUntilAnswered(
    call: Call,
    context: CallContext,
    { credential, breaker }: Access,
    limit: CallLimit,
  ): Promise<TransportAnswer> {
    const mayRetry = this.#mayRetry(call.operation);
    let last: GatewayError | undefined;
    for (let sends = 1; ; sends += 1) {
      // The usual, closed breaker costs no turn of the event loop.
      if (breaker?.isOpen === true) {
        // A question waits: it moves nothing, and a status check should not miss the gateway's return.
        const msLeft = (): number => (mayRetry ? limit.remainingMs : 0);
        const hasTurn = await breaker.turn(msLeft, (wait) => this.#pause(wait, context, limit));
        if (!hasTurn) throw last ?? errorOf(context, heldBack);
      }
      const result = await this.#send(call, context, credential, limit);
      last = result instanceof GatewayError ? result : undefined;
      breaker?.report(last ?? null);
      if (!(result instanceof GatewayError)) return result;
      const isLast = !mayRetry || context.isLoginFailed || sends >= MAX_SENDS;
      if (isLast || !isWorthRetry(result)) throw result;
      context.outcomeSoFar = result.outcome;
      context.isInFlight = false;
      const wait = waitBefore(sends, this.#settings.random(), result.retryAfterMs);
      if (wait === null || wait >= limit.remainingMs) throw result;
      await this.#pause(wait, context, limit, result);
    }
  }

  /** Only a GET goes twice: a question that the profile sends by POST does not. */
  #mayRetry(operation: Operation): boolean {
    const { method = operation.method } = this.#settings.addresses.changeOf(operation);
    return operation.method === 'GET' && method === 'GET';
  }

  async #pause(
    wait: number,
    context: CallContext,
    limit: CallLimit,
    last?: GatewayError,
  ): Promise<void> {
    await this.#settings.clock.sleep(wait, limit.signal).catch(() => {
      if (!limit.isTimeUp) throw errorOfAbort(context, 'aborted');
      throw last ?? errorOfAbort(context, 'timeout');
    });
  }

  /** Sends a call once, and again with another credential. @returns a 2xx answer, or the error. */
  async #send(
    call: Call,
    context: CallContext,
    credential: Credential,
    limit: CallLimit,
  ): Promise<TransportAnswer | GatewayError> {
    const { transport, addresses, clock } = this.#settings;
    const { signal } = limit;
    const sendWith = async (headers: Readonly<Record<string, string>>) => {
      signal.throwIfAborted();
      context.isInFlight = true;
      context.trace?.sent();
      const answer = await transport.send(requestOf(call, addresses, headers, signal));
      context.isInFlight = false;
      context.trace?.answered(answer.status);
      return answer;
    };
    try {
      signal.throwIfAborted();
      const answer = await credential.send(sendWith, context, signal);
      if (answer.status >= 200 && answer.status <= 299) return answer;
      context.drift.refusal(call.operation, answer, context.secrets);
      const meaning = meaningOfStatus(answer, clock.now(), call.operation.movesMoney === true);
      return errorOf(context, meaning, answer);
    } catch (error) {
      // A login that failed, which is not tried again.
      context.isLoginFailed = error instanceof GatewayError;
      if (error instanceof GatewayError) return error;
      if (error instanceof TransportError && isNothingSent(error)) context.isInFlight = false;
      if (signal.aborted) return errorOfAbort(context, limit.isTimeUp ? 'timeout' : 'aborted');
      if (error instanceof TransportError) return errorOf(context, meaningOfFault(error));
      throw error;
    }
  }
}

function isNothingSent({ fault }: TransportError): boolean {
  return fault === 'not_connected' || fault === 'not_sent' || fault === 'closed';
}

function isWorthRetry(error: GatewayError): boolean {
  return (
    error.code === 'connection_failed' ||
    error.code === 'connection_lost' ||
    (error.httpStatus !== undefined && isPassing(error.httpStatus))
  );
}

/** The second argument of every method. */
export interface CallOptions {
  /** Gives the call up. Before sending the outcome is `not-sent`, afterwards `unknown`. */
  readonly signal?: AbortSignal | undefined;
  /** The whole call's deadline in milliseconds, retries included. @defaultValue the client's own */
  readonly timeoutMs?: number | undefined;
}

/** The longest time that Node's timers can count. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Reads a call's options, or says which of them is wrong.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`).
 */
function readCallOptions(operation: Operation, given: CallOptions | null | undefined): CallOptions {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object') throw invalidInput(operation, 'its options are no object.');
  const { signal, timeoutMs = 1, ...others } = given;
  if (Object.keys(others).length > 0) {
    throw invalidInput(operation, 'it takes no options but signal and timeoutMs.');
  }
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw invalidInput(operation, 'signal is no AbortSignal.');
  }
  if (Number.isInteger(timeoutMs) && timeoutMs >= 1 && timeoutMs <= MAX_TIMEOUT_MS) return given;
  throw invalidInput(operation, 'timeoutMs is no whole number of milliseconds.');
}

/**
 * The options of an operation without an input. They come second everywhere else, so here they may
 * come first, or behind an empty input.
 */
export function optionsOf([first, second]: readonly unknown[]): CallOptions | undefined {
  if (second === undefined || second === null) return first as CallOptions | undefined;
  return { ...(first as object | undefined), ...second };
}

/** One call as a method describes it. */
export interface Call<Row extends Operation = Operation> {
  readonly operation: Row;
  /** Takes the place of `{id}` in the path. */
  readonly id?: string;
  /** The query. Names need no encoding; values are encoded. */
  readonly query?: Readonly<Record<string, string>>;
  /** By our names. Beside a query it takes its place where the profile's method is not GET. */
  readonly body?: object;
  /** Texts that no error may show, besides the credentials. */
  readonly secrets?: readonly string[];
}

/** Where requests go. */
export interface Addresses {
  /** The base URL's path, ending in `/v1`. */
  readonly basePath: string;
  /** The methods, paths and names that the profile puts in the place of an operation's usual ones. */
  readonly changeOf: (operation: Operation) => OperationProfile;
}

const JSON_TYPE = 'application/json';

/** The request of a call, with the credential's header. */
export function requestOf(
  call: Call,
  { basePath, changeOf }: Addresses,
  credential: Readonly<Record<string, string>>,
  signal: AbortSignal,
): TransportRequest {
  const usual = call.operation;
  const change = changeOf(usual);
  const { method = usual.method, path = usual.path, add } = change;
  const { id } = call;
  const filled = id === undefined ? path : path.replace('{id}', () => encodeURIComponent(id));
  const asksByQuery = call.query !== undefined && method === 'GET';
  const target = `${basePath}${filled}${asksByQuery ? queryText({ ...add, ...call.query }) : ''}`;
  const body = call.body ?? (add && {});
  if (asksByQuery || body === undefined) {
    return { method, path: target, headers: { accept: JSON_TYPE, ...credential }, signal };
  }
  const headers = { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...credential };
  const text = JSON.stringify(translateFields(body, change));
  return { method, path: target, headers, body: text, signal };
}

function queryText(query: Readonly<Record<string, string | number | boolean>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `?${pairs.join('&')}`;
}

/**
 * The limit of a call: its deadline or its caller's signal, whichever comes first. One
 * timer and one controller do for a fifth of what `AbortSignal.timeout` and `AbortSignal.any` cost,
 * which would be a good part of a call. Never keeps the process alive.
 */
export class CallLimit {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;
  readonly #caller: AbortSignal | undefined;
  readonly #endsAt: number;
  #isTimeUp = false;

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller;
    this.#endsAt = performance.now() + timeoutMs;
    this.#timer = setTimeout(() => {
      this.#isTimeUp = !this.signal.aborted;
      this.#controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    }, timeoutMs).unref();
    if (caller?.aborted === true) this.#followCaller();
    else caller?.addEventListener('abort', this.#followCaller, { once: true });
  }

  /** Aborts when the time is up or the caller gives the call up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** How much time is left, in milliseconds. It is time that passed, not a clock's, which may jump. */
  get remainingMs(): number {
    return this.#endsAt - performance.now();
  }

  /** Whether it was the time, and not the caller, that ended the call. */
  get isTimeUp(): boolean {
    return this.#isTimeUp;
  }

  /** Lets go of the timer and of the caller's signal, which may live much longer than the call. */
  release(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener('abort', this.#followCaller);
  }

  readonly #followCaller = (): void => this.#controller.abort(this.#caller?.reason);
}
