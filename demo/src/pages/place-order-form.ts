import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import { decodeBasket } from '../basket/basket.ts';
import { welcomeVisitor } from '../http/visitor.ts';
import { readOrder } from '../orders/order-input.ts';
import { type OrderBook, placeOrder } from '../orders/place-order.ts';
import { basketPage } from './basket-page.ts';
import type { CheckoutEntries } from './checkout-form.ts';
import { formField } from './form-field.ts';
import { sendPage, viewFor } from './page.ts';

/** A form that nobody has filled in yet. */
export function blankEntries(): CheckoutEntries {
  return { name: '', email: '', phone: '', wrong: [], requestId: randomUUID() };
}

/** Where orders are placed. */
export interface OrderDesk extends OrderBook {
  readonly onPlaced?: ((orderId: string, request: Request) => void) | undefined;
}

/** Makes an order of the posted form, or shows it again with what has to be put right. */
export async function postOrder(
  desk: OrderDesk,
  request: Request,
  response: Response,
): Promise<void> {
  const lines = decodeBasket(formField(request, 'lines'));
  const customer = {
    name: formField(request, 'name'),
    email: formField(request, 'email'),
    phone: formField(request, 'phone'),
  };
  const requestId = formField(request, 'requestId') || randomUUID();
  const reading = readOrder({ lines, customer });
  if (reading.ok) {
    const owner = welcomeVisitor(request, response);
    const orderId = await placeOrder(desk, owner, reading.input, requestId);
    desk.onPlaced?.(orderId, request);
    response.redirect(303, `/orders/${orderId}`);
    return;
  }
  const wrong = reading.complaints.map(({ field }) => field);
  const view = viewFor(request, response);
  // An ordinary page: a status of refusal would stand in the browser's console as a fault.
  sendPage(response, 200, view, basketPage(view, lines, { ...customer, wrong, requestId }));
}
