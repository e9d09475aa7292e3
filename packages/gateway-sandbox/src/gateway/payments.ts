import { formatAmount } from '../domain/amount.ts';
import { isFields, readPhone } from '../domain/body-fields.ts';
import { declineReason } from '../domain/cards.ts';
import type { CardEntry } from '../domain/cards.ts';
import {
  readLinkRequest,
  readMoveRequest,
  readRecurringRequest,
  readSaleRequest,
  readVoidRequest,
} from '../domain/requests.ts';
import type {
  LinkRequest,
  MoveRequest,
  RecurringRequest,
  SaleFault,
  SaleRequest,
  VoidRequest,
} from '../domain/requests.ts';
import { statusRows } from '../domain/status-rows.ts';
import type { Reply } from '../domain/step.ts';
import { wireId } from '../domain/tenant.ts';
import { hasOpenChallenge, isApproved, tokenOf } from '../domain/transaction.ts';
import type { Transaction } from '../domain/transaction.ts';
import { html } from '../pages/html.ts';
import {
  dataA,
  dataC,
  decoded,
  errorA,
  errorB,
  invalid,
  noAnswer,
  unknownTransaction,
} from './replies.ts';
import type { WireReply } from './replies.ts';
import { paymentOperation } from './serve.ts';
import type { CallAddress, Caller, Operation } from './serve.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

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

interface StatusQuestion {
  readonly id: string;
  /** Whether the call says `sessionId` where §4.2 says `id` (X1). */
  readonly isAlias: boolean;
}

/** §4.2; `id` may be a session's or a transaction's (X2), and `sessionId` is its alias (X1). */
export function retrieveStatus(parts: SandboxParts): Operation<StatusQuestion> {
  const { policy, profile } = parts;
  const takesAliasOnly = () =>
    policy.has('sessionIdParameter') || profile.status?.parameter === 'sessionId';
  const asksFor = () => {
    if (policy.has('transactionIdOnly')) return 'transaction';
    if (policy.has('sessionIdOnly')) return 'session';
    return profile.status?.asksFor === 'transaction' ? 'transaction' : 'either';
  };
  return {
    name: 'retrieveStatus',
    method: 'GET',
    credential: 'apiKey',
    path: '/payment/checkout/status',
    input: ({ query }) => {
      const id = takesAliasOnly() ? undefined : query['id'];
      const { sessionId } = query;
      return id === undefined && sessionId !== undefined ? { sessionId } : { id };
    },
    decode: readQuestion,
    perform: (question, caller) => answerStatus(parts, question, { ...caller, asksFor: asksFor() }),
  };
}

/** §4.8, N11: only where a profile gives it a method or a path of its own. */
export function pollStatus(parts: SandboxParts): Operation<StatusQuestion> {
  return {
    ...retrieveStatus(parts),
    name: 'pollStatus',
    input: (_address: CallAddress, body) => ({
      id: isFields(body) ? (body['transactionId'] ?? body['id'] ?? body['sessionId']) : null,
    }),
    perform: (question, caller) =>
      answerStatus(parts, question, { ...caller, asksFor: 'transaction' }),
  };
}

function readQuestion(input: unknown): { value: StatusQuestion } | { refusal: WireReply } {
  const fields = isFields(input) ? input : {};
  const isAlias = fields['id'] === undefined;
  const id = isAlias ? fields['sessionId'] : fields['id'];
  if (typeof id === 'string' && id !== '') return { value: { id, isAlias } };
  return {
    refusal: errorB(400, ['id should be given once and not be empty'], {
      decidedBy: 'validation',
      tier: 'assumed N21',
    }),
  };
}

function answerStatus(
  { machine, policy, profile }: SandboxParts,
  { id, isAlias }: StatusQuestion,
  caller: Caller & { readonly asksFor: 'session' | 'transaction' | 'either' },
): WireReply {
  const { tenant } = caller;
  const isGone = profile.session?.afterEnd === 'gone';
  const forgets = isGone || policy.has('forgetsSessions');
  const query = { ...caller, id, now: machine.now(tenant), forgets };
  const content = statusRows(machine.tenant(tenant), query);
  if (content === null) {
    if (isGone && statusRows(machine.tenant(tenant), { ...query, forgets: false }) !== null) {
      return errorA(410, 'Session is over', { decidedBy: 'session', tier: 'analogue N3' });
    }
    const knowledge = { decidedBy: 'unknown-id', tier: 'assumed N21' };
    return errorA(404, 'Transaction not found', knowledge);
  }
  return dataA(
    { content, totalElements: content.length },
    { decidedBy: 'ledger', tier: isAlias ? 'contradiction X1' : 'spec §4.2' },
  );
}

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

interface ValidSale {
  readonly request: SaleRequest;
  readonly entry: CardEntry;
}

const refusals: Readonly<Record<Extract<SaleFault, { refusal: string }>['refusal'], WireReply>> = {
  'not-a-test-card': errorA(400, 'Card number is not a test card', {
    decidedBy: 'not-a-test-card',
    tier: 'assumed N21',
  }),
  'hash-missing': errorA(400, 'hash should not be empty', {
    decidedBy: 'hash',
    tier: 'analogue N8',
  }),
  'hash-invalid': errorA(400, 'Hash is not valid', { decidedBy: 'hash', tier: 'analogue N8' }),
};

/** §4.4, in the form of N7 to N10. */
export function saleOperation(parts: SandboxParts): Operation<ValidSale> {
  const { machine, policy, profile, tenants } = parts;
  return {
    ...paymentOperation,
    name: 'sale',
    path: '/payment/s2s/sale',
    decode: (input, { tenant }) => {
      const sale = readSaleRequest(input, {
        password: tenants.credentials(tenant).salePassword,
        isRequired: policy.has('strictHash') || profile.sale?.hash === 'required',
      });
      if ('messages' in sale) return { refusal: invalid(sale.messages, input, 'analogue N7') };
      return 'refusal' in sale ? { refusal: refusals[sale.refusal] } : { value: sale };
    },
    perform: async (sale, caller) => {
      const { reply } = machine.execute({ kind: 'sale', ...caller, ...sale });
      if (reply.kind === 'decided') await parts.dispatcher.ahead(reply.transaction);
      return answerOf(parts, reply, caller);
    },
  };
}

function answerOf(
  { publicUrl }: SandboxParts,
  reply: Reply<'sale'>,
  { sameId }: Caller,
): WireReply {
  if (reply.kind === 'cut') return noAnswer('magic-amount');
  const { session, transaction, answer } = reply;
  const { challenge, paymentId } = transaction;
  const form =
    hasOpenChallenge(transaction) && challenge !== null
      ? challengeForm(`${publicUrl()}/challenge/${challenge.id}/start`)
      : null;
  const data = {
    ...resultOf(transaction),
    transactionId: wireId(session, transaction, sameId),
    payment_id: paymentId,
    order_id: session.merchantOrderId,
    trans_id: paymentId,
    html: form,
    rrn: transaction.rrn,
    card_brand: transaction.card.scheme,
    recurringToken: tokenOf(transaction),
  };
  const { decidedBy } = transaction;
  return { ...dataA(data, { decidedBy, tier: 'analogue N9', sessionId: session.id }), answer };
}

/**
 * N9 has three words. A payment that waits for the bank is accepted like an authorization: SUCCESS,
 * and the status shows that nothing is paid yet.
 */
function resultOf(transaction: Transaction): {
  result: 'SUCCESS' | 'REDIRECT' | 'DECLINED';
  status: string;
  decline_reason: string | null;
} {
  const { status, responseCode } = transaction;
  if (hasOpenChallenge(transaction)) {
    return { result: 'REDIRECT', status: 'REDIRECT', decline_reason: null };
  }
  if (status !== 'FAILED') return { result: 'SUCCESS', status, decline_reason: null };
  return { result: 'DECLINED', status, decline_reason: declineReason(responseCode ?? '') };
}

/**
 * The HTML of a sale that needs 3-D Secure (§4.4): shown by the merchant, whole page or framed, it
 * posts itself to the challenge. The button is for browsers that run no script.
 */
export function challengeForm(action: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>3-D Secure</title>
      </head>
      <body>
        <form method="post" action="${action}">
          <button type="submit">Continue to your bank · المتابعة إلى البنك</button>
        </form>
        <script>
          document.forms[0].submit();
        </script>
      </body>
    </html>`.toString();
}
