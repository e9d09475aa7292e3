import { GatewayError, type Payments } from '@pay-button/server-helper';
import type { ShopDatabase } from '../database/shop-database.ts';
import type { PaidCard, Receipt } from './order.ts';

/** What a receipt is made from. */
export interface ReceiptParts {
  readonly database: Pick<ShopDatabase<never>, 'findReceipt' | 'saveReceipt'>;
  readonly payments: Pick<Payments, 'explain' | 'gateway'>;
}

/** A shopper waits for this page, so a gateway that does not answer is not waited for. */
const GATEWAY_TIMEOUT_MS = 2_000;

/**
 * What the receipt of a paid order shows of its payment. The kit stores no card, so the shop asks the
 * gateway once and stores the scheme and the last four digits. `null` where no transaction is known to
 * have paid the order.
 */
export async function receiptOf(
  { database, payments }: ReceiptParts,
  orderId: string,
): Promise<Receipt | null> {
  const stored = await database.findReceipt(orderId);
  if (stored !== null) return stored;
  const explanation = await payments.explain(orderId);
  const paid = explanation?.transactions.find(({ kind }) => kind === 'payment');
  if (paid === undefined) return null;
  const { transactionId, recordedAt: paidAt } = paid;
  const attempt = explanation?.attempts.find(({ number }) => number === paid.attempt);
  const sessionId = attempt?.sessionId ?? null;
  try {
    const subject = sessionId === null ? { transactionId } : { sessionId };
    const options = { timeoutMs: GATEWAY_TIMEOUT_MS };
    const { transactions } = await payments.gateway.retrieveStatus(subject, options);
    const row = transactions.find((one) => one.transactionId === transactionId);
    const receipt = { paidAt, card: cardOf(row?.cardScheme, row?.pan) };
    await database.saveReceipt(orderId, receipt);
    return receipt;
  } catch (error) {
    // The next reader of the receipt asks again.
    if (error instanceof GatewayError) return { paidAt, card: null };
    throw error;
  }
}

function cardOf(scheme: string | undefined, pan: string | undefined): PaidCard | null {
  const lastFour = /\d{4}$/.exec(pan ?? '')?.[0];
  return scheme === undefined || lastFour === undefined ? null : { scheme, lastFour };
}
