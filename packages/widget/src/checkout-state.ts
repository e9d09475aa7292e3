import type { PayError } from './errors.ts';

/**
 * The phase of a button:
 * - `idle`: ready for a press
 * - `starting`: the page validates, or another button or tab has the turn
 * - `requesting`: the shop's server has the request
 * - `redirecting`: the browser is on its way to the hosted page
 * - `stalled`: the browser did not get there; a link is offered
 * - `failed`: the attempt ended with an error
 */
export type CheckoutPhase =
  | 'idle'
  | 'starting'
  | 'requesting'
  | 'redirecting'
  | 'stalled'
  | 'failed';

/** A phase, the number of its attempt, and the attempt's result so far. */
export interface CheckoutState {
  readonly phase: CheckoutPhase;
  readonly run: number;
  /** While `redirecting` and `stalled`. */
  readonly redirectUrl?: string;
  /** When `failed`. */
  readonly error?: PayError;
}

/**
 * An event of an attempt, named by the phase that it leads to. A signal with `run` belongs to one
 * attempt, and counts only while that attempt is the latest.
 */
export interface CheckoutSignal extends Omit<CheckoutState, 'run'> {
  readonly run?: number;
}

/** The phases from which each phase can be reached. */
const origins: Readonly<Record<CheckoutPhase, string>> = {
  idle: 'starting requesting redirecting stalled failed',
  starting: 'idle stalled failed',
  requesting: 'starting',
  redirecting: 'requesting',
  stalled: 'redirecting',
  failed: 'starting requesting',
};

export const initialState: CheckoutState = { phase: 'idle', run: 0 };

/** Whether the request has no answer yet, so that the attempt can still be cancelled. */
export function isOpen({ phase }: CheckoutState): boolean {
  return origins.failed.includes(phase);
}

/** Whether an attempt is running, so that a press must not begin another. */
export function isBusy(state: CheckoutState): boolean {
  return isOpen(state) || state.phase === 'redirecting';
}

/** The next state; the same object when the signal means nothing here. */
export function next(state: CheckoutState, signal: CheckoutSignal): CheckoutState {
  const { phase, run, redirectUrl } = state;
  const late = (signal.run ?? run) !== run;
  if (late || !origins[signal.phase].includes(phase)) return state;
  return {
    ...(signal.phase === 'stalled' && { redirectUrl }),
    ...signal,
    run: signal.phase === 'starting' ? run + 1 : run,
  };
}
