import fc from 'fast-check';
import { it, expect } from 'vitest';
import {
  type CheckoutPhase,
  type CheckoutSignal,
  type CheckoutState,
  initialState,
  isBusy,
  isOpen,
  next,
} from './checkout-state.ts';
import { PayError } from './errors.ts';

const ended = ['idle', 'stalled', 'failed'] as const;
const phases: readonly CheckoutPhase[] = ['starting', 'requesting', 'redirecting', ...ended];
const error = new PayError('network', 'unknown');

/** Any signal, of this attempt, an older one or none, in any order. */
const signals: fc.Arbitrary<CheckoutSignal[]> = fc.array(
  fc
    .tuple(fc.constantFrom(...phases), fc.option(fc.nat(4), { nil: undefined }))
    .map(([phase, run]): CheckoutSignal => ({
      phase,
      ...(run === undefined || phase === 'starting' ? {} : { run }),
      ...(phase === 'redirecting' ? { redirectUrl: 'https://pay.example/' } : {}),
      ...(phase === 'failed' ? { error } : {}),
    })),
  { maxLength: 30 },
);

it('next holds what it promises, whatever signals come in whatever order', () => {
  fc.assert(
    fc.property(signals, (list) => {
      list.reduce<CheckoutState>((before, signal) => {
        const after = next(before, signal);
        expectStep(before, signal, after);
        return after;
      }, initialState);
    }),
  );
});

function expectStep(before: CheckoutState, signal: CheckoutSignal, after: CheckoutState): void {
  const { phase, run } = signal;
  // One attempt for each start, and none while another is under way.
  expect(after.run).toBe(before.run + (phase === 'starting' && !isBusy(before) ? 1 : 0));
  if (isBusy(before) && phase === 'starting') expect(after).toBe(before);
  // A signal of an attempt that is not the latest moves nothing.
  if (run !== undefined && run !== before.run) expect(after).toBe(before);
  const leaving = after.phase === 'redirecting' || after.phase === 'stalled';
  expect(after.redirectUrl !== undefined).toBe(leaving);
  expect(after.error !== undefined).toBe(after.phase === 'failed');
  // The button can always be made ready again.
  expect(next(after, { phase: 'idle' }).phase).toBe('idle');
  if (before === after) return;
  if (after.phase === 'redirecting') expect(before.phase).toBe('requesting');
  if (after.phase === 'requesting') expect(before.phase).toBe('starting');
  if (after.phase === 'stalled') expect(before.phase).toBe('redirecting');
  if (after.phase === 'failed') expect(isOpen(before)).toBe(true);
}
