import { observe } from '../../observability/steps.ts';
import type { MoneyVerbs } from './money-verbs.ts';
import type { MoneyOperation } from './operation-view.ts';

/** The verbs that move money, each told as a step. */
export function observedMoney(verbs: MoneyVerbs): MoneyVerbs {
  const told = <T extends MoneyOperation>(kind: string, work: () => Promise<T>): Promise<T> => {
    const result = ({ orderId, operationId, state, reason }: T) => ({
      orderId,
      operationId,
      state,
      reason: reason ?? undefined,
    });
    return observe('money', { name: `pay-button.money ${kind}`, details: { kind }, result }, work);
  };
  return {
    refund: (...given) => told('refund', () => verbs.refund(...given)),
    capture: (...given) => told('capture', () => verbs.capture(...given)),
    void: (...given) => told('void', () => verbs.void(...given)),
    chargeRecurring: (...given) => told('recurring', () => verbs.chargeRecurring(...given)),
    sale: (...given) => told('sale', () => verbs.sale(...given)),
    resolveOperation: (...given) => told('settle', () => verbs.resolveOperation(...given)),
  };
}
