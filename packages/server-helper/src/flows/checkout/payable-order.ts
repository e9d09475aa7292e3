import { PaymentsError } from '../../errors.ts';
import { normalizePhone } from '../../gateway/input.ts';
import { checkOrderId } from '../../ids.ts';
import { InvalidMoneyError, money, type Money } from '../../money.ts';
import type { Order } from '../../options/payments-options.ts';
import { onOneLine } from '../../plain-text.ts';

/** An order whose amount and customer were checked. */
export interface PayableOrder {
  readonly orderId: string;
  readonly amount: Money;
  readonly customer: {
    readonly name: string | undefined;
    readonly email: string | undefined;
    readonly phone: string;
  };
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
  // A shop in plain JavaScript may answer without a customer, or with a column's null.
  const customer: Partial<Order['customer']> = order.customer ?? {};
  const { phone } = customer;
  if (typeof phone !== 'string' || normalizePhone(phone) === undefined) {
    throw invalid(
      'customer.phone',
      'The gateway requires the customer’s phone: a Saudi mobile such as 05XXXXXXXX, or 8 to 15 digits.',
    );
  }
  const name = optionalText('customer.name', customer.name, MAX_NAME_LENGTH);
  const email = optionalText('customer.email', customer.email, MAX_EMAIL_LENGTH);
  return { orderId, amount: readAmount(order), customer: { name, email, phone } };
}

function optionalText(field: string, value: unknown, maxLength: number): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' && value.length <= maxLength) return onOneLine(value);
  throw invalid(field, `It must be a text of at most ${maxLength} characters, or absent.`);
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
