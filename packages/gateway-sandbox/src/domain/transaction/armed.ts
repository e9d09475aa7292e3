import { respond } from '../command.ts';
import type { ArmableOperation, ArmedOutcome, Tenant } from '../state.ts';
import type { Outcome } from './outcome.ts';

const payments: ReadonlySet<ArmableOperation> = new Set([
  'createPaymentLink',
  'sale',
  'chargeRecurring',
]);

export function armNext(tenant: Tenant, { outcome, operation, merchantOrderId }: ArmedOutcome) {
  const armed = { outcome, operation, merchantOrderId };
  return respond({ ...tenant, armed: [...tenant.armed, armed] }, { armed });
}

/** Decides every payment that no armed outcome decides; null lets them go their way again. */
export const setProfileOutcome = (
  tenant: Tenant,
  { outcome }: { readonly outcome: Outcome | null },
) =>
  respond(tenant.profileOutcome === outcome ? tenant : { ...tenant, profileOutcome: outcome }, {
    kind: 'set',
  });

/** The call uses up the oldest armed outcome that fits it; the outcome of a profile stays. */
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
    return { armed: payments.has(operation) ? tenant.profileOutcome : null, tenant };
  }
  const rest = tenant.armed.filter((other) => other !== armed);
  return { armed: armed.outcome, tenant: { ...tenant, armed: rest } };
}
