import type { MoneyOperation, Payments, SaleRequest } from '@pay-button/server-helper';
import { type BodyFields, bodyFields } from '../http/body.ts';

type MoneyVerb = (orderId: string, body: BodyFields) => Promise<MoneyOperation>;

/** The money operations of an order, for the API and the forms alike. */
export function moneyVerbs(
  payments: Payments,
): Readonly<Record<'refund' | 'capture' | 'void' | 'recurring', MoneyVerb>> {
  const amountOf = (body: BodyFields): string => body.text('amount').trim();
  return {
    refund: (orderId, body) =>
      payments.refund(orderId, {
        amount: amountOf(body),
        requestId: body.text('requestId'),
        transactionId: body.text('transactionId') || undefined,
      }),
    capture: (orderId, body) =>
      payments.capture(orderId, { amount: amountOf(body), requestId: body.text('requestId') }),
    void: (orderId, body) => payments.void(orderId, { requestId: body.text('requestId') }),
    recurring: (orderId, body) =>
      payments.chargeRecurring(orderId, {
        amount: amountOf(body),
        periodKey: body.text('periodKey').trim(),
      }),
  };
}

/** The defaults of a test card, valid for long. */
const usual = { expiryMonth: '12', expiryYear: '2039', cvv: '123', holderName: 'Test Card' };

/** How `auth` may be spelt: in words, or as the gateway's flag (§4.4). */
const auths: ReadonlyMap<unknown, SaleRequest['auth']> = new Map([
  ['authorize', 'authorize'],
  ['capture', 'capture'],
  ['Y', 'authorize'],
  ['N', 'capture'],
]);

/**
 * Reads a server-to-server sale. The kit rejects a wrong field and names it.
 *
 * @returns `undefined` when `auth` is unknown.
 */
export function readSale(body: BodyFields): SaleRequest | undefined {
  const auth = auths.get(body.value('auth'));
  if (auth === undefined) return undefined;
  const card = bodyFields(body.value('card'));
  const part = (name: keyof typeof usual): string => card.text(name) || usual[name];
  const recurring = body.value('recurringInit');
  return {
    auth,
    recurring: recurring === true || recurring === 'Y',
    requestId: body.text('requestId'),
    card: {
      number: card.text('number'),
      expiryMonth: part('expiryMonth'),
      expiryYear: part('expiryYear'),
      cvv: part('cvv'),
      holderName: part('holderName'),
    },
  };
}
