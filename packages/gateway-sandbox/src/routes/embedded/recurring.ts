import type { Reply } from '../../domain/step.ts';
import { readRecurringRequest } from '../../domain/money/money-requests.ts';
import type { RecurringRequest } from '../../domain/money/money-requests.ts';
import { declineReason } from '../../domain/transaction/response-codes.ts';
import { paymentOperation } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { dataC, decoded, unknownTransaction } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** Both names of the recurring charge (X4). */
export const recurringPaths = ['/payment/checkout/recurring', '/payment/s2s/recurring'] as const;

/** §4.7. A decline is HTTP 200. The body has only the fields that the section names. */
export function recurringOperation(
  { machine, policy }: SandboxParts,
  path: (typeof recurringPaths)[number],
): Operation<RecurringRequest> {
  const tier = path === recurringPaths[0] ? 'spec §4.7' : 'contradiction X4';
  return {
    ...paymentOperation,
    name: 'chargeRecurring',
    path,
    decode: (input) => decoded(readRecurringRequest(input), input, tier),
    perform: (request, { tenant, environment }) => {
      const sameId = policy.has('sameId');
      const command = {
        kind: 'charge-recurring',
        tenant,
        environment,
        sameId,
        ...request,
      } as const;
      const { reply } = machine.execute(command);
      return answerOf(reply, tier);
    },
  };
}

function answerOf(reply: Reply<'charge-recurring'>, tier: string): WireReply {
  switch (reply.kind) {
    case 'unknown-transaction':
      return unknownTransaction(reply);
    case 'declined':
      return declined(reply.reason, { decidedBy: 'token', tier });
    case 'decided': {
      const { session, transaction } = reply;
      const { status, paymentId, decidedBy, responseCode } = transaction;
      if (status !== 'SUCCESS') {
        return {
          ...declined(declineReason(responseCode ?? '') ?? '', { decidedBy, tier }),
          sessionId: session.id,
        };
      }
      const body = { result: 'SUCCESS', status: 'SUCCESS', payment_id: paymentId };
      return dataC(body, { decidedBy, tier, sessionId: session.id });
    }
  }
}

function declined(
  reason: string,
  knowledge: { readonly decidedBy: string; readonly tier: string },
): WireReply {
  const body = { result: 'DECLINED', status: 'FAILED', payment_id: null, decline_reason: reason };
  return dataC(body, knowledge);
}
