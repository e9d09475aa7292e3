import type { IdTrap } from '../../domain/transaction/find-transaction.ts';
import { errorA } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

const hints: Readonly<Record<IdTrap, string>> = {
  'session-id': 'This is a checkout session id; send the transactionId of its status row (2.3)',
  'payment-id':
    'This is a numeric payment id, for reconciliation only; send the transactionId (2.3)',
};

/** The 404 of an id that no transaction has (N21), with what the caller seems to have meant. */
export function unknownTransaction({ trap }: { readonly trap: IdTrap | null }): WireReply {
  return errorA(404, 'Transaction not found', {
    decidedBy: trap ?? 'unknown-id',
    tier: 'assumed N21',
    ...(trap === null ? {} : { hint: hints[trap] }),
  });
}
