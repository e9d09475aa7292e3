import { channel } from 'node:diagnostics_channel';
import { currentActivity } from '../observability/steps.ts';
import type { GatewayErrorCode, Outcome } from './gateway-error.ts';
import type { OperationName } from './operations.ts';

/** Which call an event is about. */
export interface GatewayCallEvent {
  /** Tells the calls of this process apart; one number, one call. */
  readonly callId: number;
  /** The client's method, or `logIn` for the portal login that calls share. */
  readonly operation: OperationName | 'logIn';
  /** The HTTP request that it belongs to, where there is one. */
  readonly requestId?: string | undefined;
}

/** Event of `pay-button:gateway:send`: a request is handed to the connection. */
export interface GatewaySendEvent extends GatewayCallEvent {
  /** 1 for the call's first request, and so on. */
  readonly send: number;
}

/** Event of `pay-button:gateway:answer`: an answer came, whatever it says. */
export interface GatewayAnswerEvent extends GatewaySendEvent {
  readonly httpStatus: number;
  /** Milliseconds since this request was handed over. */
  readonly durationMs: number;
}

/** Event of `pay-button:gateway:end`: the call is over. */
export interface GatewayEndEvent extends GatewayCallEvent {
  /** `success`, or what the call's error says. */
  readonly outcome: 'success' | Outcome;
  readonly code?: GatewayErrorCode | undefined;
  readonly httpStatus?: number | undefined;
  /** How many requests it took. */
  readonly sends: number;
  /** Milliseconds since its start. */
  readonly durationMs: number;
}

const start = channel('pay-button:gateway:start');
const send = channel('pay-button:gateway:send');
const answer = channel('pay-button:gateway:answer');
const end = channel('pay-button:gateway:end');

let lastCallId = 0;

/**
 * Tells `node:diagnostics_channel` of one call. Events hold numbers, codes and the operation's name:
 * nothing that a call was given, and nothing that the gateway wrote.
 */
export class CallTrace {
  readonly #call: GatewayCallEvent;
  readonly #startedAt = performance.now();
  #sentAt = 0;
  #sends = 0;

  constructor(operation: GatewayCallEvent['operation']) {
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
  }
}

/** A call's trace, or nothing at all when nobody listens. */
export function traceOf(operation: GatewayCallEvent['operation']): CallTrace | undefined {
  const isHeard =
    start.hasSubscribers || send.hasSubscribers || answer.hasSubscribers || end.hasSubscribers;
  return isHeard ? new CallTrace(operation) : undefined;
}
