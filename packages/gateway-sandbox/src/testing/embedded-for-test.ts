import type { ControlPayment } from '../control/shapes.ts';
import type { Sandbox } from '../start-sandbox.ts';
import { dataOf, post } from './calls-for-test.ts';
import { cards, createLink } from './sandbox-for-test.ts';
import type { WireAnswer } from './wire-for-test.ts';

/** Pays a new link: the session, its transaction, and what else the payment was answered with. */
export async function payLink(
  sandbox: Sandbox,
  link: Parameters<typeof createLink>[1] = {},
  number = cards.mada,
): Promise<ControlPayment & { sessionId: string; transactionId: string }> {
  const { id } = await createLink(sandbox, link);
  const reply = await sandbox.control.pay(id, { card: { number } });
  return { ...reply, sessionId: id, transactionId: reply.transaction.transactionId };
}

/** A card of the sale's request. */
export const saleCard = {
  number: '5123450000000008',
  expiryMonth: '12',
  expiryYear: '2039',
  cvv: '123',
  holderName: 'Noura',
};

/** A sale's body that nothing is wrong with. */
export const validSale = {
  orderId: '1001',
  amount: 115,
  currency: 'SAR',
  paymentMethod: 'card',
  auth: 'N',
  recurringInit: 'N',
  card: saleCard,
  customerDetails: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
  successUrl: 'https://shop.example/thanks',
  failureUrl: 'https://shop.example/retry',
};

export function sell(sandbox: Sandbox, changes: object = {}): Promise<WireAnswer> {
  return post(sandbox, '/payment/s2s/sale', { ...validSale, ...changes });
}

/** The id of the transaction that a sale with these changes makes. */
export async function sellForId(sandbox: Sandbox, changes: object = {}): Promise<string> {
  return String(dataOf(await sell(sandbox, changes))['transactionId']);
}
