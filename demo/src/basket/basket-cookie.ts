import type { Request, Response } from 'express';
import { readCookie, setCookie } from '../http/cookies.ts';
import { decodeBasket, encodeBasket, type Line } from './basket.ts';

const COOKIE = 'shop_basket';
const COOKIE_DAYS = 30;

/** The basket of whoever asks. It lives in a cookie, so it needs no script and no session. */
export function basketOf(request: Request): readonly Line[] {
  return decodeBasket(readCookie(request, COOKIE) ?? '');
}

/** Gives the shopper the basket to keep. */
export function keepBasket(response: Response, lines: readonly Line[]): void {
  setCookie(response, COOKIE, encodeBasket(lines), COOKIE_DAYS);
}
