import type { IdTrap } from '../../domain/transaction/find-transaction.ts';
import { errorA, invalid } from '../wire-reply.ts';
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

/** Envelope B with every fault of the body; `input` tells whether an amount came as a text. */
export function invalidBody(messages: readonly string[], input: unknown, tier: string): WireReply {
  const amount: unknown =
    typeof input === 'object' && input !== null ? Reflect.get(input, 'amount') : null;
  const hint =
    typeof amount === 'string' ? 'An amount is a JSON number, not a string (4)' : undefined;
  return invalid(messages, tier, hint);
}
