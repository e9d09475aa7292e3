import type { Request, Response } from 'express';
import { addToBasket, isQuantity, setQuantity } from '../basket/basket.ts';
import { basketOf, keepBasket } from '../basket/basket-cookie.ts';
import { findProduct } from '../catalog/catalog.ts';
import { sendErrorPage } from './error-page.ts';
import { formField } from './form-field.ts';

/** Puts one more piece into the basket, and returns to where the shopper was looking. */
export function addPosted(request: Request, response: Response): void {
  const sku = formField(request, 'sku');
  if (findProduct(sku) === undefined) return sendErrorPage(request, response, 'badRequest');
  keepBasket(response, addToBasket(basketOf(request), sku));
  response.redirect(303, `/?added=${sku}#${sku}`);
}

/** Changes how many pieces the basket holds, or takes them out. */
export function setPosted(request: Request, response: Response): void {
  const sku = formField(request, 'sku');
  const count = formField(request, 'quantity');
  const isRemoved = formField(request, 'remove') !== '' || /^0+$/.test(count);
  const quantity = isRemoved ? 0 : Number(count);
  if (findProduct(sku) === undefined || !(isRemoved || isQuantity(quantity))) {
    return sendErrorPage(request, response, 'badRequest');
  }
  keepBasket(response, setQuantity(basketOf(request), sku, quantity));
  response.redirect(303, '/basket');
}
