import type { Response } from 'express';

/**
 * Sends the browser on after a form post. The address goes out as the merchant wrote it, query and
 * fragment included, and nothing is appended (N1).
 */
export function leaveFor(response: Response, address: string): void {
  const isPrintable = /^[\u0021-\u007e]+$/.test(address);
  response
    .status(303)
    .set('cache-control', 'no-store')
    .setHeader('location', isPrintable ? address : new URL(address).href)
    .end();
}
