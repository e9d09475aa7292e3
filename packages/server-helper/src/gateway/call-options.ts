import { invalidInput } from './input.ts';
import type { OperationName } from './operations.ts';
import { isTimeout } from './settings.ts';

/** What every method takes as its second argument. */
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
