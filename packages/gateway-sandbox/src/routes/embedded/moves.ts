import { formatAmount } from '../../domain/amount.ts';
import { declineReason } from '../../domain/cards.ts';
import { readMoveRequest, readRecurringRequest, readVoidRequest } from '../../domain/requests.ts';
import type { MoveRequest, RecurringRequest, VoidRequest } from '../../domain/requests.ts';
import { isApproved } from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { Reply } from '../../domain/step.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { paymentOperation } from '../operation.ts';
import type { Operation } from '../operation.ts';
import {
  dataA,
  dataC,
  decoded,
  errorA,
  errorB,
  invalid,
  unknownTransaction,
} from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';

type Accepted = Extract<Reply<'capture'>, { kind: 'accepted' }>;
type Refusal = Exclude<
  Reply<'capture' | 'void'>['kind'],
  'accepted' | 'unknown-transaction' | 'declined'
>;

const captureMessages: Readonly<Record<Refusal, string>> = {
  'no-authorization': 'Only a payment created with auth Y can be captured',
  'not-authorized': 'Transaction is not authorized',
  'already-captured': 'Transaction was already captured',
  voided: 'Authorization was already voided',
  'above-authorized': 'Capture amount exceeds the authorized amount',
};

const voidMessages: Readonly<Record<Refusal, string>> = {
  ...captureMessages,
  'no-authorization': 'Only a payment created with auth Y can be voided',
  'already-captured': 'Transaction was already captured; use refund instead',
};

/** What of those refusals the specification states; the others are N25's. */
const statedRefusals: ReadonlySet<Refusal> = new Set(['already-captured', 'above-authorized']);

/** §4.5. */
export function captureOperation({ machine }: SandboxParts): Operation<MoveRequest> {
  return {
    ...paymentOperation,
    name: 'capture',
    path: '/payment/s2s/capture',
    decode: (input) => decoded(readMoveRequest(input), input, 'spec §4.5'),
    perform: (request, caller) => {
      const { reply } = machine.execute({ kind: 'capture', ...caller, ...request });
      if (reply.kind === 'accepted') return accepted('CAPTURE', reply, 'spec §4.5');
      if (reply.kind === 'unknown-transaction') return unknownTransaction(reply);
      if (reply.kind !== 'declined') return refused(captureMessages, reply.kind, 'spec §4.5');
      return errorA(400, reply.reason, { decidedBy: 'declined', tier: 'analogue N24' });
    },
  };
}

/** §4.6. */
export function voidOperation({ machine }: SandboxParts): Operation<VoidRequest> {
  return {
    ...paymentOperation,
    name: 'void',
    path: '/payment/s2s/void',
    decode: (input) => decoded(readVoidRequest(input), input, 'spec §4.6'),
    perform: (request, caller) => {
      const { reply } = machine.execute({ kind: 'void', ...caller, ...request });
      if (reply.kind === 'accepted') return accepted('CREDITVOID', reply, 'spec §4.6');
      if (reply.kind === 'unknown-transaction') return unknownTransaction(reply);
      return refused(voidMessages, reply.kind, 'spec §4.6');
    },
  };
}

function accepted(
  action: 'CAPTURE' | 'CREDITVOID',
  { session, transaction }: Accepted,
  tier: string,
): WireReply {
  const data = {
    result: 'ACCEPTED',
    action,
    rrn: transaction.rrn,
    order_id: session.merchantOrderId,
    trans_id: transaction.paymentId,
    card_brand: transaction.card.scheme,
    decline_reason: null,
  };
  return dataA(data, { decidedBy: 'ledger', tier, sessionId: session.id });
}

function refused(
  messages: Readonly<Record<Refusal, string>>,
  refusal: Refusal,
  tier: string,
): WireReply {
  return errorA(400, messages[refusal], {
    decidedBy: refusal,
    tier: statedRefusals.has(refusal) ? tier : 'assumed N25',
  });
}

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
    perform: (request, caller) => {
      const { reply } = machine.execute({ kind: 'refund', ...caller, ...request });
      return refundReply(reply, { inEnvelopeB: policy.has('B'), tier });
    },
  };
}

function refundReply(
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

/** Both names of the recurring charge (X4). */
export const recurringPaths = ['/payment/checkout/recurring', '/payment/s2s/recurring'] as const;

/** §4.7. A decline is HTTP 200. The body has only the fields that the section names. */
export function recurringOperation(
  { machine }: SandboxParts,
  path: (typeof recurringPaths)[number],
): Operation<RecurringRequest> {
  const tier = path === recurringPaths[0] ? 'spec §4.7' : 'contradiction X4';
  return {
    ...paymentOperation,
    name: 'chargeRecurring',
    path,
    decode: (input) => decoded(readRecurringRequest(input), input, tier),
    perform: (request, caller) =>
      chargeReply(machine.execute({ kind: 'charge-recurring', ...caller, ...request }).reply, tier),
  };
}

function chargeReply(reply: Reply<'charge-recurring'>, tier: string): WireReply {
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
