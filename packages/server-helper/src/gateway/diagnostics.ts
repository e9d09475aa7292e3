import { channel } from 'node:diagnostics_channel';
import { nameOf } from '../errors.ts';
import { currentActivity, hasTelemetry, inSpan, measure } from '../telemetry.ts';
import {
  type AskedOperation,
  GatewayError,
  type GatewayErrorCode,
  type Outcome,
} from './gateway-error.ts';

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
export interface GatewayDriftEvent {
  readonly operation: AskedOperation | 'webhook';
  readonly kind: DriftKind;
  /** JSON Pointer of the field, the unexpected HTTP status, or empty for the whole answer. */
  readonly field: string;
  /** The HTTP request that caused the call, where one did. */
  readonly requestId?: string | undefined;
}

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

/** Reports something unexpected in an answer. */
export function publishDrift(seen: Omit<GatewayDriftEvent, 'requestId'>): void {
  if (!drift.hasSubscribers) return;
  const requestId = currentActivity()?.requestId;
  drift.publish({ ...seen, requestId } satisfies GatewayDriftEvent);
}
