import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import { newSession } from '../session/session-commands.ts';
import { sessionState } from '../session/session.ts';
import type { Environment, Session } from '../session/session.ts';
import { linkSession, transactionsOf } from '../state.ts';
import type { Tenant } from '../state.ts';
import { applePayEntry } from './card-entry.ts';
import type { CardEntry } from './card-entry.ts';
import { isSameCard } from './cards.ts';
import { savedCardsOf } from './saved-cards.ts';
import type { Outcome } from './outcome.ts';
import type { SaleRequest } from './sale-request.ts';
import { takePayment } from './take-payment.ts';
import { hasFailed } from './transaction.ts';
import type { PaymentMethod, Transaction } from './transaction.ts';

/** The means of payment on the hosted page. */
export type PaymentMeans =
  | { readonly kind: 'card'; readonly entry: CardEntry }
  | { readonly kind: 'apple-pay' }
  | { readonly kind: 'saved-card'; readonly savedCardId: string };

interface PayCommand {
  readonly sessionId: string;
  readonly means: PaymentMeans;
  readonly choice: Outcome | null;
  /** A second submission of the same form makes no transaction. */
  readonly formKey: string | null;
  /** Whether the first failure of a session ends it (N2). */
  readonly closesOnFailure?: boolean;
}

interface SaleCommand {
  readonly environment: Environment;
  readonly request: SaleRequest;
  readonly entry: CardEntry;
}

/**
 * One payment attempt on a session. A decline leaves the session payable (N2); an approval pays
 * it, once; the same form submitted twice is one attempt.
 */
export function pay(tenant: Tenant, command: PayCommand, moment: Moment) {
  const { choice, formKey, means } = command;
  const session = linkSession(tenant, command.sessionId);
  if (session === undefined) return respond(tenant, { kind: 'unknown-session' });
  const found = findCard(tenant, session, means, moment.now);
  const earlier = transactionsOf(tenant, session).find((one) => isSameForm(one, command, found));
  if (earlier !== undefined) {
    return respond(tenant, { kind: 'repeated', session, transaction: earlier });
  }
  const state = sessionState(session, moment.now);
  if (state === 'PAID') return respond(tenant, { kind: 'already-paid', session });
  if (state === 'EXPIRED') return respond(tenant, { kind: 'expired', session });
  if (command.closesOnFailure === true && hasFailed(transactionsOf(tenant, session))) {
    return respond(tenant, { kind: 'closed', session });
  }
  if (found === null) {
    return respond(tenant, {
      kind: means.kind === 'saved-card' ? 'unknown-saved-card' : 'phone-missing',
      session,
    });
  }

  const taken = takePayment(
    tenant,
    {
      session,
      operation: 'createPaymentLink',
      ...found,
      choice,
      formKey,
      kind: 'purchase',
      wantsToken: false,
    },
    moment,
  );
  if (taken.kind === 'cut') return respond(tenant, { kind: 'cut', session });
  const { effects, transaction, answer } = taken;
  const reply = { kind: 'decided', session: taken.session, transaction, answer } as const;
  return respond(taken.tenant, reply, effects);
}

interface FoundCard {
  readonly method: PaymentMethod;
  readonly entry: CardEntry;
}

/** The card that the shopper chose; null when this session does not have it. */
function findCard(
  tenant: Tenant,
  session: Session,
  means: PaymentMeans,
  now: number,
): FoundCard | null {
  switch (means.kind) {
    case 'card':
      return { method: 'card', entry: means.entry };
    case 'apple-pay':
      return session.customerKey === null
        ? null
        : { method: 'apple-pay', entry: applePayEntry(now) };
    case 'saved-card': {
      const saved = savedCardsOf(tenant, session).find(({ id }) => id === means.savedCardId);
      if (saved === undefined) return null;
      const { goodUntil, ...card } = saved.card;
      return { method: 'saved-card', entry: { card, goodUntil, cvvDeclines: false } };
    }
  }
}

function isSameForm(
  transaction: Transaction,
  { formKey }: PayCommand,
  found: FoundCard | null,
): boolean {
  return (
    formKey !== null &&
    transaction.formKey === formKey &&
    transaction.method === found?.method &&
    isSameCard(transaction.card, found.entry.card)
  );
}

/**
 * §4.4: a sale or an authorization straight from the merchant's server. Nothing says that an order
 * id may be used for one sale only, so a sale that is sent twice charges twice.
 */
export function sale(tenant: Tenant, command: SaleCommand, moment: Moment) {
  const { environment, request, entry } = command;
  const { auth, recurringInit, ...order } = request;
  const session = newSession({ kind: 'sale', environment, order }, moment);
  const attempt = {
    session,
    operation: 'sale',
    method: 'sale',
    entry,
    choice: null,
    formKey: null,
    kind: auth === 'Y' ? 'authorization' : 'purchase',
    wantsToken: recurringInit === 'Y',
  } as const;
  const taken = takePayment(tenant, attempt, moment);
  if (taken.kind === 'cut') return respond(tenant, { kind: 'cut' });
  const { effects, transaction, answer } = taken;
  const reply = { kind: 'decided', session: taken.session, transaction, answer } as const;
  return respond(taken.tenant, reply, effects);
}
