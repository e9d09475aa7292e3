import { orderNumber } from '../../domain/body-fields.ts';
import { readOutcome } from '../../domain/outcome.ts';
import { armableOperations } from '../../domain/tenant.ts';
import type { ArmableOperation } from '../../domain/tenant.ts';
import { profileNames, profileOutcomes } from '../../faults/faults.ts';
import type { ProfileName } from '../../faults/faults.ts';
import { readFault } from '../../faults/read-fault.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { badRequest, refuse } from './control-call.ts';
import type { ControlCall, ControlReply, ControlRoutes } from './control-call.ts';

/** The fate of the next calls and payments: faults, one by one or as a profile, and outcomes. */
export function faultRoutes(parts: SandboxParts): ControlRoutes {
  const { faults } = parts;
  const describe = (tenant: string) => ({
    answer: { profile: faults.profile(tenant), faults: faults.list(tenant) },
  });
  return {
    'GET /faults': ({ tenant }) => describe(tenant),
    'POST /faults': ({ tenant, fields }) => {
      const sketch = readFault(fields);
      if (typeof sketch === 'string') return badRequest('invalid_fault', sketch);
      return { answer: { fault: faults.add(tenant, sketch) } };
    },
    'POST /faults/profile/:name': ({ tenant, id }) => {
      const name = profileNames.find((known) => known === id);
      if (name === undefined) {
        return badRequest('unknown_profile', `The profiles are ${profileNames.join(', ')}.`);
      }
      setProfile(parts, tenant, name);
      return describe(tenant);
    },
    'DELETE /faults': ({ tenant }) => {
      setProfile(parts, tenant, 'healthy');
      return describe(tenant);
    },
    'DELETE /faults/:id': ({ tenant, id }) => {
      if (faults.lift(tenant, id)) return describe(tenant);
      const detail = 'No fault with this id is waiting; GET faults lists those that are.';
      return refuse(404, 'unknown_fault', detail);
    },
    'POST /next': (call) => armNext(parts, call),
  };
}

/** Replaces all waiting faults, and the outcome of payments, by those of a profile. */
export function setProfile(
  { faults, machine }: SandboxParts,
  tenant: string,
  name: ProfileName,
): void {
  faults.setProfile(tenant, name);
  const outcome = profileOutcomes[name] ?? null;
  machine.execute({ kind: 'set-profile-outcome', tenant, outcome });
}

function armNext({ machine }: SandboxParts, { tenant, fields }: ControlCall): ControlReply {
  const outcome = readOutcome(fields['outcome']);
  const merchantOrderId = fields['merchantOrderId'] ?? null;
  const operation = readArmable(fields['operation']);
  if (outcome === null) {
    return badRequest(
      'invalid_outcome',
      '"outcome" is approve, decline, or decline:RR with a response code such as 51.',
    );
  }
  if (operation === 'invalid') {
    return badRequest(
      'invalid_operation',
      `"operation" is one of ${armableOperations.join(', ')}, or left out.`,
    );
  }
  if (merchantOrderId !== null && typeof merchantOrderId !== 'string') {
    return badRequest('invalid_order_id', '"merchantOrderId" is a string, or left out.');
  }
  if (merchantOrderId !== null && 'fault' in orderNumber(merchantOrderId)) {
    return badRequest(
      'invalid_order_id',
      '"merchantOrderId" must be one that an order can have: not empty, of at most 255 characters and not like a card number.',
    );
  }
  const command = { kind: 'arm-next', tenant, outcome, operation, merchantOrderId } as const;
  const { reply } = machine.execute(command);
  return { answer: reply };
}

function readArmable(value: unknown): ArmableOperation | null | 'invalid' {
  if (value === undefined || value === null) return null;
  return armableOperations.find((known) => known === value) ?? 'invalid';
}
