import * as requests from '../domain/requests.ts';
import { declineReason } from '../domain/outcome.ts';
import type { OperationName } from '../domain/tenant.ts';
import { readingOf } from '../readings/readings.ts';
import { statusRows } from '../domain/ledger.ts';
import type { Command, Reply } from '../domain/step.ts';
import { hasOpenChallenge, isApproved, tokenOf, type Transaction } from '../domain/transaction.ts';
import { html } from '../pages/html.ts';
import { dataA, dataC, decoded, errorA, errorB, invalid, unknownTransaction } from './replies.ts';
import type { WireReply } from './replies.ts';
import type { AddOperation, CallAddress, Caller, Operation } from './serve.ts';
import type { SandboxParts } from '../sandbox-parts.ts';

/** The operations that an API key opens (§4.1 to §4.8). */
export function addPaymentOperations(parts: SandboxParts, add: AddOperation): void {
  add(createPaymentLink(parts));
  add(retrieveStatus(parts));
  const poll = readingOf(parts.profile, 'pollStatus');
  if (poll.path !== undefined || poll.method !== undefined) add(pollStatus(parts));
  add(refund(parts, '/payment/s2s/refund', 'spec §4.3'));
  add(refund(parts, '/payment/refund', 'contradiction X3'));
  add(chargeRecurring(parts, '/payment/checkout/recurring', 'spec §4.7'));
  add(chargeRecurring(parts, '/payment/s2s/recurring', 'contradiction X4'));
  add(sale(parts));
  add(capture(parts));
  add(voidAuthorization(parts));
}

const call = {
  method: 'POST',
  credential: 'apiKey',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** A call whose body alone says what to do; `tier` is how sure the rules of its body are. */
function callWith<Request>(
  [name, path, tier]: readonly [name: OperationName, path: string, tier: string],
  reader: requests.Reader<Request>,
  perform: Operation<Request>['perform'],
): Operation<Request> {
  return { ...call, name, path, decode: (input) => decoded(input, reader, tier), perform };
}

function createPaymentLink(parts: SandboxParts): Operation<requests.LinkRequest> {
  const { machine, policy, publicUrl } = parts;
  const tier = 'spec §4.1';
  return {
    ...call,
    name: 'createPaymentLink',
    path: '/payment/checkout/intiate',
    decode: (input) => {
      const rule = 'customerPhone must be a Saudi mobile number';
      return policy.has('saudiPhones') && isFromAbroad(input)
        ? { refusal: invalid([rule], input, 'analogue N20') }
        : decoded(input, requests.linkBody, tier);
    },
    perform: (request, caller) => {
      const { reply } = machine.execute({ kind: 'create-link', ...caller, request });
      if (reply.kind === 'order-id-taken') {
        return errorB(400, 'merchantOrderId must be unique', ['unique-order-id', 'assumed N21']);
      }
      const { id } = reply.session;
      const body = { id, redirectUrl: `${publicUrl()}/checkout?sessionId=${id}` };
      return { status: 201, body, decidedBy: 'session-created', tier, sessionId: id };
    },
  };
}

function isFromAbroad(input: unknown): boolean {
  const given = requests.isFields(input) ? input['customerPhone'] : null;
  const phone = typeof given === 'string' ? requests.readPhone(given) : null;
  return phone?.startsWith('966') === false;
}

interface StatusQuestion {
  readonly id: string;
  /** Whether the call says `sessionId` where §4.2 says `id` (X1). */
  readonly isAlias: boolean;
}

/** §4.2; `id` may be a session's or a transaction's (X2), and `sessionId` is its alias (X1). */
function retrieveStatus(parts: SandboxParts): Operation<StatusQuestion> {
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
function pollStatus(parts: SandboxParts): Operation<StatusQuestion> {
  return {
    ...retrieveStatus(parts),
    name: 'pollStatus',
    input: (_address: CallAddress, body) => ({
      id: requests.isFields(body)
        ? (body['transactionId'] ?? body['id'] ?? body['sessionId'])
        : null,
    }),
    perform: (question, caller) =>
      answerStatus(parts, question, { ...caller, asksFor: 'transaction' }),
  };
}

function readQuestion(input: unknown): { value: StatusQuestion } | { refusal: WireReply } {
  const fields = requests.isFields(input) ? input : {};
  const isAlias = fields['id'] === undefined;
  const id = isAlias ? fields['sessionId'] : fields['id'];
  if (typeof id === 'string' && id !== '') return { value: { id, isAlias } };
  const messages = ['id should be given once and not be empty'];
  return { refusal: errorB(400, messages, ['validation', 'assumed N21']) };
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
      return errorA(410, 'Session is over', ['session', 'analogue N3']);
    }
    return unknownTransaction({ trap: null });
  }
  return dataA(
    { content, totalElements: content.length },
    { decidedBy: 'ledger', tier: isAlias ? 'contradiction X1' : 'spec §4.2' },
  );
}

type Moved = Reply<'capture' | 'void'>;
type MoveRefusal = Exclude<Moved['kind'], 'accepted' | 'unknown-transaction' | 'declined'>;
type MoveMessages = Readonly<Record<MoveRefusal, string>>;

const captureMessages: MoveMessages = {
  'no-authorization': 'Only a payment created with auth Y can be captured',
  'not-authorized': 'Transaction is not authorized',
  'already-captured': 'Transaction was already captured',
  voided: 'Authorization was already voided',
  'above-authorized': 'Capture amount exceeds the authorized amount',
};

const voidMessages: MoveMessages = {
  ...captureMessages,
  'no-authorization': 'Only a payment created with auth Y can be voided',
  'already-captured': 'Transaction was already captured; use refund instead',
};

/** What of those refusals the specification states; the others are N25's. */
const statedRefusals: ReadonlySet<MoveRefusal> = new Set(['already-captured', 'above-authorized']);

function capture({ machine }: SandboxParts) {
  const tier = 'spec §4.5';
  return callWith(['capture', '/payment/s2s/capture', tier], requests.moveBody, (given, caller) => {
    const { reply } = machine.execute({ kind: 'capture', ...caller, ...given });
    return moveReply(reply, 'CAPTURE', captureMessages, tier);
  });
}

function voidAuthorization({ machine }: SandboxParts) {
  const tier = 'spec §4.6';
  return callWith(['void', '/payment/s2s/void', tier], requests.voidBody, (given, caller) => {
    const { reply } = machine.execute({ kind: 'void', ...caller, ...given });
    return moveReply(reply, 'CREDITVOID', voidMessages, tier);
  });
}

function moveReply(
  reply: Moved,
  action: 'CAPTURE' | 'CREDITVOID',
  messages: MoveMessages,
  tier: string,
): WireReply {
  if (reply.kind === 'unknown-transaction') return unknownTransaction(reply);
  if (reply.kind === 'declined') {
    return errorA(400, reply.reason, ['declined', 'analogue N24']);
  }
  if (reply.kind !== 'accepted') {
    const { kind: decidedBy } = reply;
    const sureness = statedRefusals.has(decidedBy) ? tier : 'assumed N25';
    return errorA(400, messages[decidedBy], [decidedBy, sureness]);
  }
  const { rrn, session, paymentId, card } = reply.transaction;
  const data = {
    result: 'ACCEPTED',
    action,
    rrn,
    order_id: session.merchantOrderId,
    trans_id: paymentId,
    card_brand: card.scheme,
    decline_reason: null,
  };
  return dataA(data, { decidedBy: 'ledger', tier, sessionId: session.id });
}

/** §4.3, by one of its two names (X3). */
function refund({ machine, policy }: SandboxParts, path: string, tier: string) {
  const read = (input: unknown) => {
    const body = requests.moveBody(input);
    const isLeast = 'value' in body && body.value.amountMinor === 1;
    return isLeast && policy.has('refundAboveMinimum')
      ? { messages: [requests.unstated.aboveMinimum[0]] }
      : body;
  };
  return callWith(['refund', path, tier], read, (given, caller) => {
    const { reply } = machine.execute({ kind: 'refund', ...caller, ...given });
    return refundReply(reply, { refuse: policy.has('B') ? errorB : errorA, tier });
  });
}

function refundReply(
  reply: Reply<'refund'>,
  { refuse, tier }: { readonly refuse: typeof errorA; readonly tier: string },
): WireReply {
  const { kind: decidedBy } = reply;
  switch (reply.kind) {
    case 'unknown-transaction':
      return unknownTransaction(reply);
    case 'nothing-taken':
      return refuse(400, whyNothing(reply.transaction), [decidedBy, 'assumed N21']);
    case 'above-balance': {
      const hint = `${requests.formatAmount(reply.balance.refundableMinor)} is left to refund (4.3)`;
      const grounds = [decidedBy, 'contradiction X7', hint] as const;
      return refuse(400, 'Refund amount more than sale amount', grounds);
    }
    case 'accepted': {
      const { transaction, entry } = reply;
      const { rrn: referenceId, paymentId, session } = transaction;
      const data = {
        result: 'accepted',
        referenceId,
        paymentId,
        message: 'Refund accepted',
        amount: requests.formatAmount(entry.amountMinor),
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

/** §4.7, by one of its two names (X4). The body has only the fields that the section names. */
function chargeRecurring({ machine }: SandboxParts, path: string, tier: string) {
  return callWith(['chargeRecurring', path, tier], requests.recurringBody, (given, caller) => {
    const { reply } = machine.execute({ kind: 'charge-recurring', ...caller, ...given });
    if (reply.kind === 'unknown-transaction') return unknownTransaction(reply);
    if (reply.kind === 'declined') return declined(reply.reason, { decidedBy: 'token', tier });
    const { session, status, paymentId, decidedBy, responseCode } = reply.transaction;
    const knowledge = { decidedBy, tier, sessionId: session.id };
    return status === 'SUCCESS'
      ? dataC({ result: 'SUCCESS', status: 'SUCCESS', payment_id: paymentId }, knowledge)
      : declined(declineReason(responseCode ?? '') ?? '', knowledge);
  });
}

function declined(reason: string, knowledge: Parameters<typeof dataC>[1]): WireReply {
  const body = { result: 'DECLINED', status: 'FAILED', payment_id: null, decline_reason: reason };
  return dataC(body, knowledge);
}

const ofHash = ['hash', 'analogue N8'] as const;
const ofCard = ['not-a-test-card', 'assumed N21'] as const;

const saleRefusals = {
  'not-a-test-card': errorA(400, 'Card number is not a test card', ofCard),
  'hash-missing': errorA(400, 'hash should not be empty', ofHash),
  'hash-invalid': errorA(400, 'Hash is not valid', ofHash),
} as const;

/** §4.4, in the form of N7 to N10. */
function sale(parts: SandboxParts): Operation<Pick<Command<'sale'>, 'request' | 'entry'>> {
  const { machine, policy, profile, tenants } = parts;
  return {
    ...call,
    name: 'sale',
    path: '/payment/s2s/sale',
    decode: (input, { tenant }) => {
      const read = requests.readSaleRequest(input, {
        password: tenants.secrets(tenant).credentials().salePassword,
        isRequired: policy.has('strictHash') || profile.sale?.hash === 'required',
      });
      if ('messages' in read) return { refusal: invalid(read.messages, input, 'analogue N7') };
      return 'refusal' in read ? { refusal: saleRefusals[read.refusal] } : read;
    },
    perform: async (given, caller) => {
      const { reply } = machine.execute({ kind: 'sale', ...caller, ...given });
      if (reply.kind === 'decided') await parts.dispatcher.ahead(reply.transaction);
      return answerOf(parts, reply);
    },
  };
}

function answerOf({ publicUrl }: SandboxParts, reply: Reply<'sale'>): WireReply {
  if (reply.kind === 'cut') {
    const answer = { delayMs: 0, cut: true };
    return { status: 500, body: null, decidedBy: 'magic-amount', tier: 'sandbox', answer };
  }
  const { transaction } = reply;
  const { session, challenge, paymentId, sideEffects: answer } = transaction;
  const address = `${publicUrl()}/challenge/${challenge?.id}/start`;
  const data = {
    ...resultOf(transaction),
    transactionId: transaction.id,
    payment_id: paymentId,
    order_id: session.merchantOrderId,
    trans_id: paymentId,
    html: hasOpenChallenge(transaction) ? challengeForm(address) : null,
    rrn: transaction.rrn,
    card_brand: transaction.card.scheme,
    recurringToken: tokenOf(transaction),
  };
  const { decidedBy } = transaction;
  return { ...dataA(data, { decidedBy, tier: 'analogue N9', sessionId: session.id }), answer };
}

/** N9 has three words: a payment that waits for the bank is a SUCCESS, as an authorization is. */
function resultOf(transaction: Transaction) {
  const { status, responseCode } = transaction;
  if (hasOpenChallenge(transaction)) {
    return { result: 'REDIRECT', status: 'REDIRECT', decline_reason: null };
  }
  if (status !== 'FAILED') return { result: 'SUCCESS', status, decline_reason: null };
  return { result: 'DECLINED', status, decline_reason: declineReason(responseCode ?? '') };
}

/** Posts itself to the challenge (§4.4); the button is for browsers that run no script. */
function challengeForm(action: string): string {
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
