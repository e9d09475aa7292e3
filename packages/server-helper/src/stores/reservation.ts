import type { Change } from '../payments/payment-record.ts';

/**
 * Whether a change does no more than to take the names of payment links that are yet to be asked
 * for. Nobody learns a link's address before a later change says that it is open, and money comes
 * only to an address that somebody has. A sale is not like that: it is charged as soon as it is sent.
 */
export function isReservation(change: Change): boolean {
  const { attempts, ledger, reviews, operations, events, checkEnd } = change;
  const told = ledger.length + reviews.length + operations.length + events.length;
  return (
    told === 0 &&
    checkEnd === undefined &&
    attempts.length > 0 &&
    attempts.every(({ kind, state }) => kind === 'link' && state === 'creating')
  );
}
