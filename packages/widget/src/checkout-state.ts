import type { PayError } from './errors.ts';

/**
 * Where a button stands:
 * - `idle`: ready to be pressed
 * - `starting`: the page validates, or another button or tab has the turn
 * - `requesting`: the shop's server was asked
 * - `redirecting`: the browser is on its way to the hosted page
 * - `stalled`: it did not get there; a link is offered
 * - `failed`: the attempt ended with an error
 */
export type CheckoutPhase =
  | 'idle'
  | 'starting'
  | 'requesting'
  | 'redirecting'
  | 'stalled'
  | 'failed';

/** A phase, the number of its attempt, and what the attempt has found so far. */
export interface CheckoutState {
  readonly phase: CheckoutPhase;
  readonly run: number;
  /** While `redirecting` and `stalled`. */
  readonly redirectUrl?: string;
  /** When `failed`. */
  readonly error?: PayError;
}

/**
 * What happened, named by the phase it leads to. With `run` it belongs to one attempt, and counts
 * only while that attempt is the latest.
 */
export interface CheckoutSignal extends Omit<CheckoutState, 'run'> {
  readonly run?: number;
}

/** From which phases each phase can be reached. */
const origins: Readonly<Record<CheckoutPhase, string>> = {
  idle: 'starting requesting redirecting stalled failed',
  starting: 'idle stalled failed',
  requesting: 'starting',
  redirecting: 'requesting',
  stalled: 'redirecting',
  failed: 'starting requesting',
};

export const initialState: CheckoutState = { phase: 'idle', run: 0 };

/** Whether the request is not answered yet, so that the attempt can still be given up. */
export function isOpen({ phase }: CheckoutState): boolean {
  return origins.failed.includes(phase);
}

/** Whether an attempt is under way, so that a press must not begin another. */
export function isBusy(state: CheckoutState): boolean {
  return isOpen(state) || state.phase === 'redirecting';
}

/** The next state; the same object when the signal means nothing here. */
export function next(state: CheckoutState, signal: CheckoutSignal): CheckoutState {
  const { phase, run, redirectUrl } = state;
  const late = (signal.run ?? run) !== run;
  if (late || !origins[signal.phase].includes(phase)) return state;
  return {
    ...(signal.phase === 'stalled' && redirectUrl ? { redirectUrl } : {}),
    ...signal,
    run: signal.phase === 'starting' ? run + 1 : run,
  };
}
