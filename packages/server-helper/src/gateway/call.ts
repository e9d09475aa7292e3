import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import {
  errorOfAbort,
  errorOfStatus,
  errorOfTransport,
  failure,
  type CallContext,
} from './answer-error.ts';
import { CallLimit } from './call-limit.ts';
import type { CallOptions } from './call-options.ts';
import type { Credential } from './credentials.ts';
import { GatewayError } from './gateway-error.ts';
import { invalidInput } from './input.ts';
import { operations, type OperationName } from './operations.ts';
import { MAX_SENDS, isPassing, waitBefore } from './retry.ts';
import { isTimeout } from './settings.ts';
import {
  TransportError,
  type Transport,
  type TransportAnswer,
  type TransportRequest,
} from './transport.ts';

/** One call as a method describes it. */
export interface Call {
  readonly operation: OperationName;
  /** Takes the place of `{id}` in the path. */
  readonly id?: string;
  /** Names need no encoding; values get it. */
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What must show in no error, besides the credentials. */
  readonly secrets?: readonly string[];
}

/** A 2xx answer and what an error about it may tell. */
export interface GoodAnswer {
  readonly context: CallContext;
  readonly answer: TransportAnswer;
}

/** What a caller needs around it. */
export interface CallerSettings {
  readonly transport: Transport;
  /** The base URL's path, ending in `/v1`. */
  readonly basePath: string;
  /** Paths that take the place of the table's. */
  readonly paths: ReadonlyMap<OperationName, string>;
  readonly credentials: Readonly<Record<'apiKey' | 'portal', Credential | null>>;
  /** What the credentials consist of by now, which shows in no error. */
  readonly secrets: () => readonly string[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly logger: Logger;
}

type Attempt = GoodAnswer | { readonly error: GatewayError; readonly retryAfter?: string };

/**
 * Sends calls: within one deadline, a GET again after a passing fault, any method with the next key
 * or a new token after a 401, everything else never again once a byte of it may have left. The
 * deadline counts time that passed, not the clock's, so that a clock set anew does not move it.
 */
export class Caller {
  readonly #settings: CallerSettings;

  constructor(settings: CallerSettings) {
    this.#settings = settings;
  }

  /** @throws {@link GatewayError} for every answer but a 2xx. */
  async call(call: Call, options: CallOptions = {}): Promise<GoodAnswer> {
    const context: CallContext = {
      operation: call.operation,
      secrets: [...this.#settings.secrets(), ...(call.secrets ?? [])],
      outcomeSoFar: 'not-sent',
      isInFlight: false,
    };
    return this.#callUntilAnswered(call, context, options);
  }

  /** Tells the log of a call that failed: by codes only, which quote nothing. */
  logFailure({ operation, code, outcome, httpStatus }: GatewayError): void {
    const fields = { operation, code, outcome, httpStatus };
    this.#settings.logger.warn(fields, 'a call to the gateway failed');
  }

  async #callUntilAnswered(
    call: Call,
    context: CallContext,
    options: CallOptions,
  ): Promise<GoodAnswer> {
    const { operation } = call;
    const timeoutMs = options.timeoutMs ?? this.#settings.timeoutMs;
    if (!isTimeout(timeoutMs)) {
      throw invalidInput(operation, 'timeoutMs is no whole number of milliseconds.');
    }
    const credential = this.#settings.credentials[operations[operation].credential];
    if (credential === null) throw noPortal(context);
    const limit = new CallLimit(timeoutMs, options.signal);
    try {
      return await this.#sendUntilAnswered(call, context, credential, limit);
    } finally {
      limit.release();
    }
  }

  async #sendUntilAnswered(
    call: Call,
    context: CallContext,
    credential: Credential,
    limit: CallLimit,
  ): Promise<GoodAnswer> {
    const { mayRetry } = operations[call.operation];
    for (let sends = 1; ; sends += 1) {
      const isLast = !mayRetry || sends >= MAX_SENDS;
      const result = await this.#attempt(call, context, credential, limit);
      if ('answer' in result) return result;
      const { error, retryAfter } = result;
      if (isLast || !isWorthRetry(error)) throw error;
      context.outcomeSoFar = error.outcome;
      context.isInFlight = false;
      const wait = waitBefore(sends, this.#settings.random(), retryAfter);
      if (wait === null) throw error;
      await this.#settings.clock.sleep(wait, limit.signal).catch(() => {
        throw limit.isGivenUp ? errorOfAbort(context, 'aborted') : error;
      });
    }
  }

  async #attempt(
    call: Call,
    context: CallContext,
    credential: Credential,
    limit: CallLimit,
  ): Promise<Attempt> {
    const { signal } = limit;
    const sendWith = async (headers: Readonly<Record<string, string>>) => {
      signal.throwIfAborted();
      context.isInFlight = true;
      const answer = await this.#settings.transport.send(this.#request(call, headers, signal));
      context.isInFlight = false;
      return answer;
    };
    try {
      signal.throwIfAborted();
      const answer = await credential.send(sendWith, context, signal);
      if (answer.status >= 200 && answer.status <= 299) return { context, answer };
      const retryAfter = answer.headers['retry-after'];
      const error = errorOfStatus(context, answer);
      return typeof retryAfter === 'string' ? { error, retryAfter } : { error };
    } catch (error) {
      if (error instanceof GatewayError) throw error; // A failed login, which is not tried again.
      if (error instanceof TransportError) return { error: errorOfTransport(context, error) };
      if (!signal.aborted) throw error;
      return { error: errorOfAbort(context, limit.isTimeUp ? 'timeout' : 'aborted') };
    }
  }

  #request(
    call: Call,
    credential: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): TransportRequest {
    const { basePath, paths } = this.#settings;
    const { method, path } = operations[call.operation];
    const ownPath = paths.get(call.operation) ?? path;
    const { id, query } = call;
    const filled =
      id === undefined ? ownPath : ownPath.replace('{id}', () => encodeURIComponent(id));
    const headers = { accept: 'application/json', ...credential };
    const target = { method, path: `${basePath}${filled}${queryText(query)}`, signal };
    if (call.body === undefined) return { ...target, headers };
    return {
      ...target,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
    };
  }
}

function queryText(query: Call['query']): string {
  if (query === undefined) return '';
  const pairs = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `?${pairs.join('&')}`;
}

function noPortal(context: CallContext): GatewayError {
  const why = 'the client was given no portal credential (gateway.portal)';
  return failure(context, 'portal_not_configured', 'not-sent', why);
}

function isWorthRetry(error: GatewayError): boolean {
  return (
    error.code === 'connection_failed' ||
    error.code === 'connection_lost' ||
    (error.httpStatus !== undefined && isPassing(error.httpStatus))
  );
}
