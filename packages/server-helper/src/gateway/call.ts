import type { Clock } from '../clock.ts';
import {
  errorOfAbort,
  errorOfStatus,
  errorOfTransport,
  parseJson,
  unreadable,
  type CallContext,
} from './answer-error.ts';
import type { GatewayError } from './gateway-error.ts';
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

/** What every method takes as its second argument. */
export interface CallOptions {
  /** Gives the call up. Before sending the outcome is `not-sent`, afterwards `unknown`. */
  readonly signal?: AbortSignal;
  /** The whole call's deadline, retries included. @defaultValue the client's own */
  readonly timeoutMs?: number;
}

/** One call as a method describes it. */
export interface Call extends CallOptions {
  readonly operation: OperationName;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What must show in no error, besides the keys. */
  readonly secrets: readonly string[];
}

/** A 2xx answer whose body is JSON. */
export interface JsonAnswer {
  readonly context: CallContext;
  readonly answer: TransportAnswer;
  readonly json: unknown;
}

/** What a caller needs around it. */
export interface CallerSettings {
  readonly transport: Transport;
  /** The base URL's path, ending in `/v1`. */
  readonly basePath: string;
  readonly apiKeys: readonly string[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * Sends calls: within one deadline, a GET again after a passing fault, any method with the next key
 * after a 401, a POST never again once a byte of it may have left.
 */
export class Caller {
  readonly #settings: CallerSettings;
  /** The key that worked last; while keys rotate, the others are tried on a 401. */
  #keyIndex = 0;

  constructor(settings: CallerSettings) {
    this.#settings = settings;
  }

  /** @throws {@link GatewayError} for every answer but a 2xx with JSON. */
  async call(call: Call): Promise<JsonAnswer> {
    const { apiKeys } = this.#settings;
    const context: CallContext = {
      operation: call.operation,
      secrets: [...apiKeys, ...call.secrets],
      outcomeSoFar: 'not-sent',
    };
    const timeoutMs = call.timeoutMs ?? this.#settings.timeoutMs;
    if (!isTimeout(timeoutMs)) {
      throw invalidInput(call.operation, 'timeoutMs is no whole number of milliseconds.');
    }
    const deadline = AbortSignal.timeout(timeoutMs);
    const signal = call.signal === undefined ? deadline : AbortSignal.any([deadline, call.signal]);
    const mayRetry: boolean = operations[call.operation].mayRetry;
    for (let sends = 1; ; sends += 1) {
      const isLast = !mayRetry || sends >= MAX_SENDS;
      const result = await this.#attempt(call, context, signal, deadline);
      if (!('error' in result)) return result;
      const { error, retryAfter } = result;
      if (isLast || !isWorthRetry(error)) throw error;
      context.outcomeSoFar = error.outcome;
      const wait = waitBefore(sends, this.#settings.random(), retryAfter);
      if (wait === null) throw error;
      await this.#settings.clock.sleep(wait, signal).catch(() => {
        throw call.signal?.aborted === true ? errorOfAbort(context, 'aborted', true) : error;
      });
    }
  }

  async #attempt(
    call: Call,
    context: CallContext,
    signal: AbortSignal,
    deadline: AbortSignal,
  ): Promise<JsonAnswer | { readonly error: GatewayError; readonly retryAfter?: string }> {
    let wasSent = false;
    try {
      if (!signal.aborted) wasSent = true;
      const answer = await this.#sendWithKeys(call, context, signal);
      if (answer.status < 200 || answer.status > 299) {
        const retryAfter = answer.headers['retry-after'];
        const error = errorOfStatus(context, answer);
        return typeof retryAfter === 'string' ? { error, retryAfter } : { error };
      }
      const json = parseJson(answer.body);
      if (json !== undefined) return { context, answer, json };
      return { error: unreadable(context, answer, 'the answer is not JSON') };
    } catch (error) {
      if (error instanceof TransportError) return { error: errorOfTransport(context, error) };
      if (!signal.aborted) throw error;
      return { error: errorOfAbort(context, deadline.aborted ? 'timeout' : 'aborted', wasSent) };
    }
  }

  /** A 401 says that nothing was done, so even a POST may go again with the next key. */
  async #sendWithKeys(
    call: Call,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<TransportAnswer> {
    const { apiKeys, transport } = this.#settings;
    const first = this.#keyIndex;
    for (let offset = 0; ; offset += 1) {
      const index = (first + offset) % apiKeys.length;
      const answer = await transport.send(this.#request(call, apiKeys[index] ?? '', signal));
      if (answer.status !== 401) this.#keyIndex = index;
      if (answer.status !== 401 || offset + 1 === apiKeys.length) return answer;
      if (context.outcomeSoFar === 'not-sent') context.outcomeSoFar = 'rejected';
    }
  }

  #request(call: Call, apiKey: string, signal: AbortSignal): TransportRequest {
    const { method, path } = operations[call.operation];
    const query = call.query === undefined ? '' : `?${new URLSearchParams(call.query).toString()}`;
    const headers = { accept: 'application/json', 'x-api-key': apiKey };
    const target = { method, path: `${this.#settings.basePath}${path}${query}`, signal };
    if (call.body === undefined) return { ...target, headers };
    return {
      ...target,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(call.body),
    };
  }
}

function isWorthRetry(error: GatewayError): boolean {
  return (
    error.code === 'connection_failed' ||
    error.code === 'connection_lost' ||
    (error.httpStatus !== undefined && isPassing(error.httpStatus))
  );
}
