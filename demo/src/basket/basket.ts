import type { Request, Response } from 'express';
import { findProduct, priceOf } from '../catalog/catalog.ts';
import { readCookie, setCookie } from '../http/cookies.ts';

/** One product, and the number of its pieces. */
export interface Line {
  readonly sku: string;
  /** Whole pieces, 1 to {@link MAX_QUANTITY}. */
  readonly quantity: number;
}

/** The most pieces of one product in one order. */
export const MAX_QUANTITY = 99;

/** Whether the shop takes an order for so many pieces. */
export function isQuantity(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_QUANTITY
  );
}

/** Writes a basket as short text for a cookie or a form field: `coffee:2.sticker:1`. */
export function encodeBasket(lines: readonly Line[]): string {
  return lines.map(({ sku, quantity }) => `${sku}:${quantity}`).join('.');
}

/**
 * Reads what {@link encodeBasket} wrote. It came through the shopper's browser, so every piece that
 * is not a product and a quantity of this shop is left out.
 */
export function decodeBasket(text: string): readonly Line[] {
  const quantities = new Map<string, number>();
  for (const piece of text.split('.')) {
    const [sku = '', count = ''] = piece.split(':');
    const quantity = /^\d{1,2}$/.test(count) ? Number(count) : 0;
    if (findProduct(sku) !== undefined && isQuantity(quantity)) quantities.set(sku, quantity);
  }
  return [...quantities].map(([sku, quantity]) => ({ sku, quantity }));
}

/** Puts more of a product into the basket, up to the most that one order may hold. */
export function addToBasket(lines: readonly Line[], sku: string): readonly Line[] {
  const before = lines.find((line) => line.sku === sku)?.quantity ?? 0;
  return setQuantity(lines, sku, Math.min(before + 1, MAX_QUANTITY));
}

/** Sets how many of a product the basket holds; 0 takes it out. */
export function setQuantity(
  lines: readonly Line[],
  sku: string,
  quantity: number,
): readonly Line[] {
  if (quantity === 0) return lines.filter((line) => line.sku !== sku);
  const changed = { sku, quantity };
  return lines.some((line) => line.sku === sku)
    ? lines.map((line) => (line.sku === sku ? changed : line))
    : [...lines, changed];
}

/** The total of the lines, in whole halalas, value added tax included. */
export function basketTotal(lines: readonly Line[]): number {
  return lines.reduce((total, { sku, quantity }) => total + priceOf(sku) * quantity, 0);
}

/** How many pieces the basket holds. */
export function countPieces(lines: readonly Line[]): number {
  return lines.reduce((count, line) => count + line.quantity, 0);
}

const COOKIE = 'shop_basket';
const COOKIE_DAYS = 30;

/** The visitor's basket. It is a cookie, so it needs no script and no session. */
export function basketOf(request: Request): readonly Line[] {
  return decodeBasket(readCookie(request, COOKIE) ?? '');
}

/** Stores the basket in the shopper's browser. */
export function keepBasket(response: Response, lines: readonly Line[]): void {
  setCookie(response, COOKIE, encodeBasket(lines), COOKIE_DAYS);
}
