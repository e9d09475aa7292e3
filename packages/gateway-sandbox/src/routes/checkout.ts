import { readLinkRequest } from '../domain/session/link-request.ts';
import type { LinkRequest } from '../domain/session/link-request.ts';
import { statusRows } from '../domain/transaction/status-rows.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { paymentOperation } from './operation.ts';
import type { Operation } from './operation.ts';
import { dataA, decoded, errorA, errorB } from './wire-reply.ts';

/** §4.1. */
export function createPaymentLink({ machine, publicUrl }: SandboxParts): Operation<LinkRequest> {
  return {
    ...paymentOperation,
    name: 'createPaymentLink',
    path: '/payment/checkout/intiate',
    decode: (input) => decoded(readLinkRequest(input), input, 'spec §4.1'),
    perform: async (request, { tenant, environment }) => {
      const { reply } = await machine.execute({
        kind: 'create-link',
        tenant,
        environment,
        request,
      });
      if (reply.kind === 'order-id-taken') {
        return errorB(400, 'merchantOrderId must be unique', {
          decidedBy: 'unique-order-id',
          tier: 'assumed',
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

/** §4.2; `id` may be a session's or a transaction's (X2), and `sessionId` is its alias (X1). */
export function retrieveStatus({ machine, policy }: SandboxParts): Operation<string> {
  return {
    name: 'retrieveStatus',
    method: 'GET',
    credential: 'apiKey',
    path: '/payment/checkout/status',
    input: ({ query }) => ({ id: query['id'] ?? query['sessionId'] }),
    decode: (input) => {
      const id = typeof input === 'object' && input !== null && 'id' in input ? input.id : null;
      if (typeof id === 'string' && id !== '') return { value: id };
      return {
        refusal: errorA(400, 'id should be given once and not be empty', {
          decidedBy: 'validation',
          tier: 'assumed N21',
        }),
      };
    },
    perform: async (id, { tenant, environment, lagMs }) => {
      const now = machine.now(tenant);
      const query = { environment, id, now, sameId: policy.has('sameId') };
      const known = statusRows(machine.tenant(tenant), query);
      // A session that is younger than the lag is known, with nothing in it yet.
      const content =
        known === null || lagMs === 0
          ? known
          : (statusRows(machine.tenantAt(tenant, now - lagMs), { ...query, now: now - lagMs }) ??
            []);
      await machine.settled();
      return content === null
        ? errorA(404, 'Transaction not found', { decidedBy: 'unknown-id', tier: 'assumed N21' })
        : dataA(
            { content, totalElements: content.length },
            { decidedBy: 'ledger', tier: 'spec §4.2' },
          );
    },
  };
}
