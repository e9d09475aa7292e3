import type { ArmableOperation, ArmedOutcome, Tenant } from '../state.ts';
import type { Outcome } from './outcome.ts';

const payments: ReadonlySet<ArmableOperation> = new Set([
  'createPaymentLink',
  'sale',
  'chargeRecurring',
]);

/** The oldest armed outcome that fits this call is used up by it; a standing one stays. */
export function takeArmed(
  tenant: Tenant,
  operation: ArmableOperation,
  merchantOrderId: string,
): { armed: Outcome | null; tenant: Tenant } {
  const fits = (one: ArmedOutcome): boolean =>
    (one.merchantOrderId === null || one.merchantOrderId === merchantOrderId) &&
    (one.operation === null ? payments.has(operation) : one.operation === operation);
  const armed = tenant.armed.find(fits);
  if (armed === undefined) {
    return { armed: payments.has(operation) ? tenant.standingOutcome : null, tenant };
  }
  const rest = tenant.armed.filter((other) => other !== armed);
  return { armed: armed.outcome, tenant: { ...tenant, armed: rest } };
}
