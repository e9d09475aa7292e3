import type { Reply } from '../../domain/step.ts';
import { readMoveRequest, readVoidRequest } from '../../domain/money/money-requests.ts';
import type { MoveRequest, VoidRequest } from '../../domain/money/money-requests.ts';
import { paymentOperation } from '../operation.ts';
import type { Operation } from '../operation.ts';
import { dataA, decoded, errorA, unknownTransaction } from '../wire-reply.ts';
import type { WireReply } from '../wire-reply.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

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
export function captureOperation({ machine, policy }: SandboxParts): Operation<MoveRequest> {
  return {
    ...paymentOperation,
    name: 'capture',
    path: '/payment/s2s/capture',
    decode: (input) => decoded(readMoveRequest(input), input, 'spec §4.5'),
    perform: (request, { tenant, environment }) => {
      const sameId = policy.has('sameId');
      const command = { kind: 'capture', tenant, environment, sameId, ...request } as const;
      const { reply } = machine.execute(command);
      if (reply.kind === 'accepted') return accepted('CAPTURE', reply, 'spec §4.5');
      if (reply.kind === 'unknown-transaction') return unknownTransaction(reply);
      if (reply.kind !== 'declined') return refused(captureMessages, reply.kind, 'spec §4.5');
      return errorA(400, reply.reason, { decidedBy: 'declined', tier: 'analogue N24' });
    },
  };
}

/** §4.6. */
export function voidOperation({ machine, policy }: SandboxParts): Operation<VoidRequest> {
  return {
    ...paymentOperation,
    name: 'void',
    path: '/payment/s2s/void',
    decode: (input) => decoded(readVoidRequest(input), input, 'spec §4.6'),
    perform: (request, { tenant, environment }) => {
      const sameId = policy.has('sameId');
      const command = { kind: 'void', tenant, environment, sameId, ...request } as const;
      const { reply } = machine.execute(command);
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
