import { isFields, readPhone } from '../domain/body-fields.ts';
import { readLinkRequest } from '../domain/requests.ts';
import type { LinkRequest } from '../domain/requests.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { paymentOperation } from './operation.ts';
import type { Operation } from './operation.ts';
import { decoded, errorB, invalid } from './wire-reply.ts';

/** §4.1. */
export function createPaymentLink({
  machine,
  policy,
  publicUrl,
}: SandboxParts): Operation<LinkRequest> {
  return {
    ...paymentOperation,
    name: 'createPaymentLink',
    path: '/payment/checkout/intiate',
    decode: (input) => {
      const given = isFields(input) ? input['customerPhone'] : null;
      const phone = typeof given === 'string' ? readPhone(given) : null;
      if (policy.has('saudiPhones') && phone?.startsWith('966') === false) {
        return {
          refusal: invalid(['customerPhone must be a Saudi mobile number'], input, 'analogue N20'),
        };
      }
      return decoded(readLinkRequest(input), input, 'spec §4.1');
    },
    perform: (request, caller) => {
      const { reply } = machine.execute({ kind: 'create-link', ...caller, request });
      if (reply.kind === 'order-id-taken') {
        return errorB(400, 'merchantOrderId must be unique', {
          decidedBy: 'unique-order-id',
          tier: 'assumed N21',
        });
      }
      const { id } = reply.session;
      return {
        status: 201,
        body: { id, redirectUrl: `${publicUrl()}/checkout?sessionId=${id}` },
        decidedBy: 'session-created',
        tier: 'spec §4.1',
        sessionId: id,
      };
    },
  };
}
