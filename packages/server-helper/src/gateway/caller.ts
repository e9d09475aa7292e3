import type { Clock } from '../clock.ts';
import type { Logger } from '../logger.ts';
import { errorOf, errorOfAbort, errorOfBreaker, type CallContext } from './answer-error.ts';
import type { Breaker } from './breaker.ts';
import {
  type Addresses,
  type Call,
  CallLimit,
  type CallOptions,
  readCallOptions,
  requestOf,
} from './call.ts';
import type { Credential } from './credentials.ts';
import { observeCall, type CallTrace } from './diagnostics.ts';
import type { DriftCounter } from './drift.ts';
import { GatewayError } from './gateway-error.ts';
import { movesMoney, operations, type OperationName } from './operations.ts';
import { changeOf } from './profile.ts';
import { readAnswer, type AnswerOf, type Reading } from './read-answer.ts';
import { isPassing, MAX_SENDS, meaningOfFault, meaningOfStatus, waitBefore } from './meaning.ts';
import { quotable } from './quotable.ts';
import { TransportError, type Transport, type TransportAnswer } from './transport.ts';

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
  readonly access: Readonly<Record<'apiKey' | 'portal', Access | null>>;
  /** The credentials and tokens that the client knows by now, which no error may quote. */
  readonly secrets: () => readonly string[];
  readonly timeoutMs: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly drift: DriftCounter;
  readonly logger: Logger;
}

/** A 2xx answer of a call. */
interface GoodAnswer {
  readonly context: CallContext;
  readonly answer: TransportAnswer;
}

/** A send that gave no 2xx answer. */
interface FailedSend {
  readonly error: GatewayError;
  /** Whether the portal login failed, which is not tried again. */
  readonly isLogin: boolean;
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
  exchange<Name extends OperationName>(
    call: Call & { readonly operation: Name },
    options: CallOptions | undefined,
    reading: Reading<Name> = {},
  ): Promise<AnswerOf<Name>> {
    return observeCall(call.operation, async (trace) => {
      try {
        const { context, answer } = await this.#call(call, options, trace);
        const change = changeOf(this.#settings.addresses.profile, call.operation);
        return readAnswer(call.operation, context, answer, reading, change);
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

  async #call(
    call: Call,
    options: CallOptions | undefined,
    trace: CallTrace | undefined,
  ): Promise<GoodAnswer> {
    const { operation } = call;
    const { signal, timeoutMs = this.#settings.timeoutMs } = readCallOptions(operation, options);
    const context: CallContext = {
      operation,
      secrets: () => [...this.#settings.secrets(), ...(call.secrets ?? [])],
      outcomeSoFar: 'not-sent',
      isInFlight: false,
      trace,
      drift: this.#settings.drift,
    };
    const access = this.#settings.access[operations[operation].credential];
    if (access === null) throw noPortal(context);
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
  ): Promise<GoodAnswer> {
    const mayRetry = this.#mayRetry(call.operation);
    let last: GatewayError | undefined;
    for (let sends = 1; ; sends += 1) {
      // The usual, closed breaker costs no turn of the event loop.
      const isOpen = breaker?.isOpen === true;
      if (isOpen && !(await this.#isLetThrough(breaker, call, context, limit))) {
        throw last ?? errorOfBreaker(context);
      }
      const result = await this.#send(call, context, credential, limit);
      breaker?.report('error' in result ? result.error : null);
      if ('answer' in result) return result;
      last = result.error;
      if (!mayRetry || result.isLogin || sends >= MAX_SENDS || !isWorthRetry(last)) throw last;
      context.outcomeSoFar = last.outcome;
      context.isInFlight = false;
      const wait = waitBefore(sends, this.#settings.random(), last.retryAfterMs);
      if (wait === null || wait >= limit.remainingMs) throw last;
      await this.#pause(wait, context, limit, last);
    }
  }

  /** Only a GET goes twice: a question that the profile sends by POST does not. */
  #mayRetry(operation: OperationName): boolean {
    const { method = 'GET' } = changeOf(this.#settings.addresses.profile, operation);
    return operations[operation].mayRetry && method === 'GET';
  }

  /**
   * Whether the breaker lets the call through. A GET waits for its turn within its deadline: it moves
   * nothing, and a status check should not miss the gateway's return.
   */
  async #isLetThrough(
    breaker: Breaker,
    { operation }: Call,
    context: CallContext,
    limit: CallLimit,
  ): Promise<boolean> {
    if (!this.#mayRetry(operation)) return breaker.msToWait() === 0;
    return breaker.turn(
      () => limit.remainingMs,
      (wait) => this.#pause(wait, context, limit),
    );
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

  async #send(
    call: Call,
    context: CallContext,
    credential: Credential,
    limit: CallLimit,
  ): Promise<GoodAnswer | FailedSend> {
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
      if (answer.status >= 200 && answer.status <= 299) return { context, answer };
      context.drift.refusal(call.operation, answer, context.secrets);
      const meaning = meaningOfStatus(answer, clock.now(), movesMoney(call.operation));
      return { error: errorOf(context, meaning, answer), isLogin: false };
    } catch (error) {
      if (error instanceof GatewayError) return { error, isLogin: true };
      if (error instanceof TransportError && isNothingSent(error)) context.isInFlight = false;
      if (signal.aborted) {
        const kind = limit.isTimeUp ? 'timeout' : 'aborted';
        return { error: errorOfAbort(context, kind), isLogin: false };
      }
      if (!(error instanceof TransportError)) throw error;
      return { error: errorOf(context, meaningOfFault(error)), isLogin: false };
    }
  }
}

function noPortal(context: CallContext): GatewayError {
  return errorOf(context, {
    code: 'portal_not_configured',
    outcome: 'not-sent',
    why: 'the client was given no portal credential (gateway.portal)',
    retryable: false,
  });
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
