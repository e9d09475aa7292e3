import { effectsOfChange } from '../effect.ts';
import type { Effect } from '../effect.ts';
import type { Environment, Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import { announce } from '../webhooks/outbox.ts';
import { isSameCard } from './cards.ts';
import { isApproved } from './transaction.ts';
import type { SavedCard, Transaction } from './transaction.ts';

/** A tenant after a change, the session and transaction in it, and what happened. */
export interface Recorded {
  readonly tenant: Tenant;
  readonly session: Session;
  readonly transaction: Transaction;
  readonly effects: readonly Effect[];
}

/** Puts this version of a transaction into the tenant. Every change of a ledger goes through here. */
export function record(
  tenant: Tenant,
  session: Session,
  transaction: Transaction,
  at: number,
): Recorded {
  const before = tenant.transactions.get(transaction.id) ?? null;
  const next: Session = {
    ...session,
    transactionIds:
      before === null ? [...session.transactionIds, transaction.id] : session.transactionIds,
    paidBy: transaction.status === 'SUCCESS' ? transaction.id : session.paidBy,
  };
  const { challenge, recurringToken } = transaction;
  const isNewChallenge = challenge !== null && before === null;
  const effects = effectsOfChange(next, before, transaction, at);
  const isFirstApproval = isApproved(transaction) && !(before !== null && isApproved(before));
  return {
    session: next,
    transaction,
    tenant: announced(effects, {
      ...(isFirstApproval ? rememberCard(tenant, next, transaction) : tenant),
      sessions: tenant.sessions.set(next.id, next),
      transactions: tenant.transactions.set(transaction.id, transaction),
      challenged: isNewChallenge
        ? tenant.challenged.set(challenge.id, transaction.id)
        : tenant.challenged,
      tokenOwners:
        recurringToken !== null && before === null
          ? tenant.tokenOwners.set(recurringToken, transaction.id)
          : tenant.tokenOwners,
    }),
    effects,
  };
}

/** The tenant with a delivery in its outbox for every webhook that an effect implies. */
function announced(effects: readonly Effect[], tenant: Tenant): Tenant {
  return effects.reduce(
    (next, effect) =>
      effect.kind === 'webhook-event' ? announce(next, effect.event, effect.at) : next,
    tenant,
  );
}

/** The cards that the page of this session offers, oldest first. */
export function savedCardsOf(tenant: Tenant, session: Session): SavedCard[] {
  if (session.kind !== 'link' || session.customerKey === null) return [];
  return idsOf(tenant, session.environment, session.customerKey)
    .map((id) => tenant.savedCards.get(id))
    .filter((saved) => saved !== undefined);
}

/**
 * A card that was typed on a page and approved is saved for the customer's next payment, once. Its
 * id is the transaction's, so that it needs no chance of its own.
 */
function rememberCard(tenant: Tenant, session: Session, transaction: Transaction): Tenant {
  const { environment, customerKey } = session;
  const { card } = transaction;
  if (transaction.method !== 'card' || customerKey === null) return tenant;
  const known = savedCardsOf(tenant, session).find(({ card: saved }) => isSameCard(saved, card));
  const saved: SavedCard = { id: known?.id ?? transaction.id, environment, customerKey, card };
  const savedCards = tenant.savedCards.set(saved.id, saved);
  if (known !== undefined) return { ...tenant, savedCards };
  const ids = [...idsOf(tenant, environment, customerKey), saved.id];
  const savedByCustomer = tenant.savedByCustomer.set(keyOf(environment, customerKey), ids);
  return { ...tenant, savedCards, savedByCustomer };
}

function idsOf(tenant: Tenant, environment: Environment, customerKey: string): readonly string[] {
  return tenant.savedByCustomer.get(keyOf(environment, customerKey)) ?? [];
}

function keyOf(environment: Environment, customerKey: string): string {
  return `${environment} ${customerKey}`;
}
