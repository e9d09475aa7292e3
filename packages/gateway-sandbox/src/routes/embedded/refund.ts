import type { Reply } from '../../domain/step.ts';
import { formatAmount } from '../../domain/money/amount.ts';
import { readMoveRequest } from '../../domain/money/money-requests.ts';
import type { MoveRequest } from '../../domain/money/money-requests.ts';
import { isApproved } from '../../domain/transaction/transaction.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import { paymentOperation } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { dataA, decoded, errorA, errorB, invalid, unknownTransaction } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** Both names of the refund (X3). */
export const refundPaths = ['/payment/s2s/refund', '/payment/refund'] as const;

/** §4.3. */
export function refundOperation(
  { machine, policy }: SandboxParts,
  path: (typeof refundPaths)[number],
): Operation<MoveRequest> {
  const tier = path === refundPaths[0] ? 'spec §4.3' : 'contradiction X3';
  return {
    ...paymentOperation,
    name: 'refund',
    path,
    decode: (input) => {
      const read = decoded(readMoveRequest(input), input, tier);
      const isAboveMinimum = !('value' in read) || read.value.amountMinor > 1;
      if (isAboveMinimum || !policy.has('refundAboveMinimum')) return read;
      return { refusal: invalid(['amount must be greater than 0.01'], input, 'contradiction X5') };
    },
    perform: (request, { tenant, environment }) => {
      const sameId = policy.has('sameId');
      const command = { kind: 'refund', tenant, environment, sameId, ...request } as const;
      const { reply } = machine.execute(command);
      return answerOf(reply, { inEnvelopeB: policy.has('B'), tier });
    },
  };
}

function answerOf(
  reply: Reply<'refund'>,
  { inEnvelopeB, tier }: { readonly inEnvelopeB: boolean; readonly tier: string },
): WireReply {
  const refuse = inEnvelopeB ? errorB : errorA;
  switch (reply.kind) {
    case 'unknown-transaction':
      return unknownTransaction(reply);
    case 'nothing-taken':
      return refuse(400, whyNothing(reply.transaction), {
        decidedBy: reply.kind,
        tier: 'assumed N21',
      });
    case 'above-balance':
      return refuse(400, 'Refund amount more than sale amount', {
        decidedBy: reply.kind,
        tier: 'contradiction X7',
        hint: `${formatAmount(reply.balance.refundableMinor)} is left to refund (4.3)`,
      });
    case 'accepted': {
      const { transaction, entry, session } = reply;
      const data = {
        result: 'accepted',
        referenceId: transaction.rrn,
        paymentId: transaction.paymentId,
        message: 'Refund accepted',
        amount: formatAmount(entry.amountMinor),
        refundId: entry.id,
      };
      return dataA(data, { decidedBy: 'ledger', tier, sessionId: session.id });
    }
  }
}

function whyNothing(transaction: Transaction): string {
  if (transaction.status === 'FAILED') return 'Transaction was not successful';
  return isApproved(transaction)
    ? 'Transaction is not captured; void it instead'
    : 'Transaction is still pending';
}
