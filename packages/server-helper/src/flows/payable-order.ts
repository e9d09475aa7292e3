import { PaymentsError } from '../errors.ts';
import { normalizePhone } from '../gateway/phone.ts';
import { checkOrderId } from '../ids.ts';
import { InvalidMoneyError, money, type Money } from '../money.ts';
import type { Order } from '../options.ts';

/** An order whose amount and customer were checked. */
export interface PayableOrder {
  readonly orderId: string;
  readonly amount: Money;
  readonly customer: Order['customer'];
}

const MAX_NAME_LENGTH = 200;
const MAX_EMAIL_LENGTH = 254;

/**
 * Checks what the merchant's `loadOrder` answered, before anything is stored or sent.
 *
 * @throws {@link PaymentsError} `invalid_order`, with the field at fault.
 */
export function payableOrder(order: Order, asked: string): PayableOrder {
  const orderId = checkOrderId(order.orderId);
  if (orderId !== asked) throw invalid('orderId', 'loadOrder answered with another order’s id.');
  const { name, email, phone } = order.customer;
  if (typeof phone !== 'string' || normalizePhone(phone) === undefined) {
    throw invalid(
      'customer.phone',
      'The gateway requires the customer’s phone: a Saudi mobile such as 05XXXXXXXX, or 8 to 15 digits.',
    );
  }
  if (name !== undefined && name.length > MAX_NAME_LENGTH) {
    throw invalid('customer.name', `The name is longer than ${MAX_NAME_LENGTH} characters.`);
  }
  if (email !== undefined && email.length > MAX_EMAIL_LENGTH) {
    throw invalid('customer.email', `The e-mail is longer than ${MAX_EMAIL_LENGTH} characters.`);
  }
  return { orderId, amount: readAmount(order), customer: order.customer };
}

function readAmount(order: Order): Money {
  try {
    return money(order.amount, order.currency);
  } catch (error) {
    if (error instanceof InvalidMoneyError) throw invalid(error.field, error.message);
    throw error;
  }
}

function invalid(field: string, message: string): PaymentsError {
  return new PaymentsError('invalid_order', message, { field });
}
