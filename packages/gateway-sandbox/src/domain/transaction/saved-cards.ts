import type { Environment, Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import { isSameCard } from './cards.ts';
import type { SavedCard, Transaction } from './transaction.ts';

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
export function rememberCard(tenant: Tenant, session: Session, transaction: Transaction): Tenant {
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
