import { building } from '$app/environment';
import { payments } from '#lib/server/payments.ts';

/** Called once when the server starts: the background work looks after shoppers who never come back. */
export function init(): void {
  if (!building) payments().start();
}
