import { z } from 'zod';
import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { isWhole } from '../option-rules.ts';
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
import { type CallTrace, observeCall, type DriftCounter } from './diagnostics.ts';
import { GatewayError } from './gateway-error.ts';
import { passing, MAX_SENDS, meaningOfFault, meaningOfStatus, waitBefore } from './meaning.ts';
import { quotable } from './quotable.ts';
import {
  CallLimit,
  type Transport,
  type TransportAnswer,
  TransportError,
  type TransportRequest,
} from './transport.ts';
import { readInput } from './fields.ts';
import { type Operation, type OperationProfile, translateFields } from './operation.ts';

export type SendWith = (headers: Readonly<Record<string, string>>) => Promise<TransportAnswer>;

/**
 * A credential that opens operations. It sends a call's request, and once more where a 401 may be
 * followed by a better answer: a 401 says that nothing was done, so that any method may go again.
 */
export interface Credential {
  send(sendWith: SendWith, context: CallContext): Promise<TransportAnswer>;
}

export interface CallerSettings {
  readonly transport: Transport;
  /** The base URL's path, ending in `/v1`. */
  readonly basePath: string;
  /** The methods, paths and names that the profile puts in the place of an operation's usual ones. */
  readonly changeOf: (operation: Operation) => OperationProfile;
  /** What opens the operations; `portal` is `null` where the client has no portal credential. */
  readonly credentials: Readonly<Record<Operation['credential'], Credential | null>>;
  /** None for the portal's login, and none at all where the options say so. */
  readonly breakers: { readonly [Opener in Operation['credential']]?: Breaker | undefined };
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
        return await this.#exchange(call, readCallOptions(call.operation, options), reading, trace);
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

  async #exchange<Row extends Operation>(
    call: Call<Row>,
    options: CallOptions,
    reading: Reading<Row>,
    trace: CallTrace | undefined,
  ): Promise<AnswerOf<Row>> {
    const { operation, secrets = [] } = call;
    const { drift, timeoutMs, credentials, changeOf } = this.#settings;
    const context: CallContext = {
      operation,
      salvage: reading.salvage,
      secrets: () => [...this.#settings.secrets(), ...secrets],
      limit: new CallLimit(options.timeoutMs ?? timeoutMs, options.signal),
      outcomeSoFar: 'not-sent',
      isInFlight: false,
      isLoginFailed: false,
      trace,
      drift,
      madeBy: keysOf(options),
      answeredBy: [],
    };
    try {
      const credential = credentials[operation.credential];
      if (credential === null) throw errorOf(context, noPortal);
      const answer = await this.#sendUntilAnswered(call, context, credential);
      const read = readAnswer(operation, context, answer, reading, changeOf(operation));
      if (typeof read === 'object' && read !== null) noteKeys(read, context.answeredBy);
      return read;
    } finally {
      context.limit.release();
    }
  }

  async #sendUntilAnswered(call: Call, context: CallContext, credential: Credential) {
    const { breakers, random } = this.#settings;
    const { operation, limit } = context;
    const breaker = breakers[operation.credential];
    const mayRetry = this.#mayRetry(operation);
    let last: GatewayError | undefined;
    for (let sends = 1; ; sends += 1) {
      // The usual, closed breaker costs no turn of the event loop.
      if (breaker?.isOpen === true) {
        // A question waits: it moves nothing, and a status check should not miss the gateway's return.
        const msLeft = (): number => (mayRetry ? limit.remainingMs : 0);
        const hasTurn = await breaker.turn(msLeft, (wait) => this.#pause(wait, context));
        if (!hasTurn) throw last ?? errorOf(context, heldBack);
      }
      const result = await this.#send(call, context, credential);
      last = result instanceof GatewayError ? result : undefined;
      breaker?.report(last ?? null);
      if (!(result instanceof GatewayError)) return result;
      const isLast = !mayRetry || context.isLoginFailed || sends >= MAX_SENDS;
      if (isLast || !isWorthRetry(result)) throw result;
      context.outcomeSoFar = result.outcome;
      context.isInFlight = false;
      const wait = waitBefore(sends, random(), result.retryAfterMs);
      if (wait === null || wait >= limit.remainingMs) throw result;
      await this.#pause(wait, context, result);
    }
  }

  /** Only a GET goes twice: a question that the profile sends by POST does not. */
  #mayRetry(operation: Operation): boolean {
    const { method = operation.method } = this.#settings.changeOf(operation);
    return operation.method === 'GET' && method === 'GET';
  }

  async #pause(wait: number, context: CallContext, last?: GatewayError): Promise<void> {
    const { limit } = context;
    await this.#settings.clock.sleep(wait, limit.signal).catch(() => {
      if (!limit.isTimeUp) throw errorOfAbort(context, 'aborted');
      throw last ?? errorOfAbort(context, 'timeout');
    });
  }

  /** Sends a call once, and again with another credential. @returns a 2xx answer, or the error. */
  async #send(call: Call, context: CallContext, credential: Credential) {
    const { operation, limit, drift } = context;
    const sendWith = async (headers: Readonly<Record<string, string>>) => {
      limit.signal.throwIfAborted();
      context.isInFlight = true;
      context.trace?.sent();
      const answer = await this.#settings.transport.send(this.#requestOf(call, headers, limit));
      context.isInFlight = false;
      context.trace?.answered(answer.status);
      return answer;
    };
    try {
      limit.signal.throwIfAborted();
      const answer = await credential.send(sendWith, context);
      if (answer.status >= 200 && answer.status <= 299) return answer;
      drift.refusal(operation, answer, context.secrets);
      const now = this.#settings.clock.now();
      return errorOf(context, meaningOfStatus(answer, now, operation), answer);
    } catch (error) {
      // A login that failed, which is not tried again.
      context.isLoginFailed = error instanceof GatewayError;
      if (error instanceof GatewayError) return error;
      const fault = error instanceof TransportError ? meaningOfFault(error) : undefined;
      if (fault?.outcome === 'not-sent') context.isInFlight = false;
      if (limit.signal.aborted)
        return errorOfAbort(context, limit.isTimeUp ? 'timeout' : 'aborted');
      if (fault !== undefined) return errorOf(context, fault);
      throw error;
    }
  }

  #requestOf(
    { operation: usual, id, query, body: fields }: Call,
    credential: Readonly<Record<string, string>>,
    { signal }: CallLimit,
  ): TransportRequest {
    const { basePath, changeOf } = this.#settings;
    const change = changeOf(usual);
    const { method = usual.method, path: place = usual.path, add } = change;
    const path = basePath + place.replace('{id}', () => encodeURIComponent(id ?? ''));
    const body = fields ?? (add && {});
    const asksByQuery = query !== undefined && method === 'GET';
    if (asksByQuery || body === undefined) {
      const target = asksByQuery ? path + queryText({ ...add, ...query }) : path;
      return { method, path: target, headers: { accept: JSON_TYPE, ...credential }, signal };
    }
    const headers = { accept: JSON_TYPE, 'content-type': JSON_TYPE, ...credential };
    return { method, path, headers, body: JSON.stringify(translateFields(body, change)), signal };
  }
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

const JSON_TYPE = 'application/json';

const queryText = (query: Readonly<Record<string, string | number | boolean>>): string =>
  `?${Object.entries(query)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')}`;

const isLost = ({ code }: GatewayError): boolean =>
  code === 'connection_failed' || code === 'connection_lost';

const isWorthRetry = (error: GatewayError): boolean =>
  isLost(error) || passing.has(error.httpStatus ?? 0);

/** The second argument of every method. */
export interface CallOptions {
  /** Gives the call up. Before sending the outcome is `not-sent`, afterwards `unknown`. */
  readonly signal?: AbortSignal | undefined;
  /** The whole call's deadline in milliseconds, retries included. @defaultValue the client's own */
  readonly timeoutMs?: number | undefined;
}

/** The longest time that Node's timers can count. */
const MAX_TIMEOUT_MS = 2_147_483_647;

const timeout = z.number().refine(isWhole(1, MAX_TIMEOUT_MS), 'is no whole number of milliseconds');
const callOptions = z.strictObject({
  signal: z.instanceof(AbortSignal).optional(),
  timeoutMs: timeout.optional(),
});
const input = z.object({ options: callOptions.nullish() });

/** @throws {@link GatewayError} `invalid_input` (`not-sent`). */
function readCallOptions({ name }: Operation, options: CallOptions | null | undefined) {
  readInput({ name, input }, { options });
  return options ?? {}; // The very object: which keys are asked first is noted of it.
}

/**
 * The options of an operation without an input. They come second everywhere else, so here they may
 * come first, or behind an empty input.
 */
export function optionsOf([first, second]: readonly unknown[]): CallOptions | undefined {
  if (second === undefined || second === null) return first as CallOptions | undefined;
  return { ...(first as object | undefined), ...second };
}

/** Failures in a row, sends counted, before a breaker opens. */
const FAILURES = 20;
/** For how long they must have gone on. */
const STREAK_MS = 10_000;
/** How often one call is let through while a breaker is open. */
const COOL_DOWN_MS = 2_000;

/** For how many cool-downs a call that may wait does so. */
const MAX_WAITS = 3;

/**
 * Keeps calls from a gateway that does not work. It opens after a row of failures that went on for a
 * while; from then on it lets one call through per cool-down, until one does not fail. A clock that
 * jumps can only let a call through too early.
 */
export class Breaker {
  readonly #credential: 'apiKey' | 'portal';
  readonly #clock: Clock;
  readonly #logger: Logger;
  #failures = 0;
  #failingSince = 0;
  /** When the last call was let through; `null` while it is closed. */
  #lastProbeAt: number | null = null;

  constructor(credential: 'apiKey' | 'portal', clock: Clock, logger: Logger) {
    this.#credential = credential;
    this.#clock = clock;
    this.#logger = logger;
  }

  get isOpen(): boolean {
    return this.#lastProbeAt !== null;
  }

  /**
   * Whether the call's turn comes in time. While it is open, one call is let through per cool-down.
   *
   * @param msLeft - How long the call may wait, asked before each wait.
   */
  async turn(msLeft: () => number, pause: (milliseconds: number) => Promise<void>) {
    for (let waits = 0; this.#lastProbeAt !== null; waits += 1) {
      const now = this.#clock.now();
      const wait = COOL_DOWN_MS - (now - this.#lastProbeAt);
      if (wait <= 0 || wait > COOL_DOWN_MS) {
        this.#lastProbeAt = now;
        return true;
      }
      if (waits >= MAX_WAITS || wait >= msLeft()) return false;
      await pause(wait);
    }
    return true;
  }

  /** Takes note of an answer, or of a send's error. */
  report(error: GatewayError | null): void {
    const credential = this.#credential;
    // A caller that gave up, or closed the client, says nothing about the gateway.
    if (error?.code === 'aborted' || error?.code === 'closed') return;
    if (error === null || !isDown(error)) {
      this.#failures = 0;
      if (this.isOpen) {
        this.#logger.info({ credential }, 'the gateway works again; calls to it go on');
      }
      this.#lastProbeAt = null;
      return;
    }
    const now = this.#clock.now();
    if (this.#failures === 0 || now < this.#failingSince) this.#failingSince = now;
    this.#failures += 1;
    const isRow = this.#failures >= FAILURES && now - this.#failingSince >= STREAK_MS;
    if (!isRow || this.isOpen) return;
    this.#lastProbeAt = now;
    this.#logger.error({ credential }, 'the gateway keeps failing; calls to it are held back');
  }
}

/** Whether the gateway did not work, or did not take the credential. Any other answer says it works. */
function isDown(error: GatewayError): boolean {
  const { code, httpStatus = 0 } = error;
  return isLost(error) || code === 'timeout' || httpStatus === 401 || httpStatus >= 500;
}
