import { statusRows } from '../domain/status-rows.ts';
import { isFields } from '../domain/body-fields.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import type { CallAddress, Caller, Operation } from './operation.ts';
import { dataA, errorA, errorB } from './wire-reply.ts';
import type { WireReply } from './wire-reply.ts';

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
    perform: (question, caller) => answer(parts, question, { ...caller, asksFor: asksFor() }),
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
    perform: (question, caller) => answer(parts, question, { ...caller, asksFor: 'transaction' }),
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

function answer(
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
