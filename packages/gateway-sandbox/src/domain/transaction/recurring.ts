import { respond } from '../command.ts';
import type { Moment } from '../command.ts';
import type { RecurringOrder } from '../money/money-requests.ts';
import { newSession } from '../session/session-commands.ts';
import type { Session } from '../session/session.ts';
import type { Tenant } from '../state.ts';
import type { CardEntry } from './card-entry.ts';
import { findTransaction } from './find-transaction.ts';
import type { TransactionName } from './find-transaction.ts';
import { approvedCode } from './response-codes.ts';
import { takeCharge } from './take-payment.ts';
import { tokenOf } from './transaction.ts';
import type { Transaction } from './transaction.ts';

/** A token's life; assumed, the specification says only that tokens expire. */
export const tokenLifeMs = 365 * 24 * 60 * 60 * 1000;

type Charge = TransactionName & {
  readonly recurringToken: string;
  readonly amountMinor: number;
  readonly order: RecurringOrder;
};

/**
 * §4.7: charges a card again by the token of its first payment. A token that is not this
 * transaction's, or has expired or been revoked, is a decline like any other.
 */
export function chargeRecurring(tenant: Tenant, command: Charge, moment: Moment) {
  const found = findTransaction(tenant, command);
  if ('trap' in found) return respond(tenant, { kind: 'unknown-transaction', ...found });
  const { session: first, transaction: origin } = found;
  const reason = faultOfToken(tenant, origin, command.recurringToken, moment.now);
  if (reason !== null) return respond(tenant, { kind: 'declined', reason });

  const { amountMinor, order } = command;
  const session = newCharge(first, { amountMinor, ...order }, moment);
  const attempt = {
    session,
    operation: 'chargeRecurring',
    method: 'recurring',
    entry: entryOf(origin),
    choice: null,
    formKey: null,
    kind: 'purchase',
    wantsToken: false,
  } as const;
  const taken = takeCharge(tenant, attempt, moment);
  const { effects, transaction } = taken;
  return respond(taken.tenant, { kind: 'decided', session: taken.session, transaction }, effects);
}

/** Ends a token before its time. */
export function revokeToken(
  tenant: Tenant,
  { recurringToken }: Pick<Charge, 'recurringToken'>,
  { now }: Moment,
) {
  const owner = tenant.tokenOwners.get(recurringToken);
  if (owner === undefined) return respond(tenant, { kind: 'unknown-token' });
  const reply = { kind: 'revoked', transactionId: owner } as const;
  if (tenant.revokedTokens.has(recurringToken)) return respond(tenant, reply);
  const revokedTokens = tenant.revokedTokens.add(recurringToken);
  return respond({ ...tenant, revokedTokens }, reply, [
    { at: now, kind: 'token-revoked', id: owner },
  ]);
}

function faultOfToken(
  tenant: Tenant,
  origin: Transaction,
  recurringToken: string,
  now: number,
): string | null {
  if (tokenOf(origin) !== recurringToken || origin.status === 'FAILED') return 'Invalid token';
  if (tenant.revokedTokens.has(recurringToken)) return 'Token was revoked';
  return now < origin.createdAt + tokenLifeMs ? null : 'Token has expired';
}

function newCharge(
  { environment, customerKey, customerName, successUrl, failureUrl }: Session,
  order: { number: string; amountMinor: number; currency: string },
  moment: Moment,
): Session {
  const { number: merchantOrderId, amountMinor, currency } = order;
  const from = { customerKey, customerName, successUrl, failureUrl };
  const about = { merchantOrderId, amountMinor, currency, ...from };
  return newSession({ kind: 'recurring', environment, order: about }, moment);
}

/** The stored card without a shopper: no challenge, and it approved once already. */
function entryOf({ card: { goodUntil, ...card } }: Transaction): CardEntry {
  const approving = { ...card, mode: 'none', responseCode: approvedCode } as const;
  return { card: approving, goodUntil, cvvDeclines: false };
}
