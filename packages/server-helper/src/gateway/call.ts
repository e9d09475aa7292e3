import { invalidInput } from './input.ts';
import { type OperationName, operations } from './operations.ts';
import { isTimeout } from './client-settings.ts';
import { changeOf, type Profile } from './profile.ts';
import { translateFields } from './translation.ts';
import type { TransportRequest } from './transport.ts';

/** The second argument of every method. */
export interface CallOptions {
  /** Gives the call up. Before sending the outcome is `not-sent`, afterwards `unknown`. */
  readonly signal?: AbortSignal | undefined;
  /** The whole call's deadline in milliseconds, retries included. @defaultValue the client's own */
  readonly timeoutMs?: number | undefined;
}

const names: ReadonlySet<string> = new Set(['signal', 'timeoutMs']);

/**
 * Reads a call's options, or says which of them is wrong.
 *
 * @throws {@link GatewayError} `invalid_input` (`not-sent`).
 */
export function readCallOptions(
  operation: OperationName,
  given: CallOptions | null | undefined,
): CallOptions {
  if (given === undefined || given === null) return {};
  const fault = faultOf(given);
  if (fault === undefined) return given;
  throw invalidInput(operation, fault);
}

/**
 * The options of an operation without an input. They come second everywhere else, so here they may
 * come first, or behind an empty input.
 */
export function optionsOf([first, second]: readonly unknown[]): CallOptions | undefined {
  if (second === undefined || second === null) return first as CallOptions | undefined;
  return { ...(first as object | undefined), ...second };
}

function faultOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null) return 'its options are no object.';
  if (Object.keys(given).some((name) => !names.has(name))) {
    return 'it takes no options but signal and timeoutMs.';
  }
  const { signal, timeoutMs } = given as CallOptions;
  if (signal !== undefined && !(signal instanceof AbortSignal)) return 'signal is no AbortSignal.';
  const isGood = timeoutMs === undefined || isTimeout(timeoutMs);
  return isGood ? undefined : 'timeoutMs is no whole number of milliseconds.';
}

/** One call as a method describes it. */
export interface Call {
  readonly operation: OperationName;
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
  /** Its methods, paths and names replace the usual ones. */
  readonly profile: Profile;
}

const JSON_TYPE = 'application/json';

/** The request of a call, with the credential's header. */
export function requestOf(
  call: Call,
  { basePath, profile }: Addresses,
  credential: Readonly<Record<string, string>>,
  signal: AbortSignal,
): TransportRequest {
  const usual = operations[call.operation];
  const change = changeOf(profile, call.operation);
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
