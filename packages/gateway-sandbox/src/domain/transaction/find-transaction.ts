import type { Environment, Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import type { Transaction } from './transaction.ts';

/** How the wire names a transaction. */
export interface TransactionName {
  readonly environment: Environment;
  readonly transactionId: string;
  /** With the policy `sameId` a link's transaction has its session's id (X2). */
  readonly sameId: boolean;
}

/** A mistake that many make with ids (§2.3); the answer is the 404 of any unknown id. */
export type IdTrap = 'session-id' | 'payment-id';

export type FoundTransaction =
  | { readonly session: Session; readonly transaction: Transaction }
  | { readonly trap: IdTrap | null };

/** The transaction of this name in this environment. */
export function findTransaction(
  tenant: Tenant,
  { environment, transactionId, sameId }: TransactionName,
): FoundTransaction {
  const session = tenant.sessions.get(transactionId);
  const isSession = session?.kind === 'link' && session.environment === environment;
  const alias = isSession && sameId ? (session.paidBy ?? session.transactionIds.at(-1)) : undefined;
  const transaction = tenant.transactions.get(alias ?? transactionId);
  const owner = tenant.sessions.get(transaction?.sessionId ?? '');
  if (transaction !== undefined && owner?.environment === environment) {
    return { session: owner, transaction };
  }
  if (isSession) return { trap: 'session-id' };
  return { trap: /^\d{1,20}$/.test(transactionId) ? 'payment-id' : null };
}

/** The id by which the wire names a transaction. */
export function wireId(session: Session, transaction: Transaction, sameId: boolean): string {
  return sameId && session.kind === 'link' ? session.id : transaction.id;
}
