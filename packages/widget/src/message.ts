import type { CheckoutState } from './checkout-state.ts';
import type { ButtonLabels } from './labels.ts';

/** What the button says below itself: what happens, or what went wrong, by its code or outcome. */
export function messageOf({ phase, error }: CheckoutState, labels: ButtonLabels): string {
  if (phase === 'idle') return '';
  if (!error)
    return phase === 'starting' || phase === 'requesting' ? labels.preparing : labels.redirecting;
  const { code, outcome } = error;
  return (Object.hasOwn(labels, code) && labels[code]) || labels[outcome] || labels.refused;
}
