import type { ControlClient } from '@pay-button/gateway-sandbox';
import { saveOf, type Clock, type Store } from '@pay-button/server-helper';

/** The part of the payments' store that knows links. */
export type LinkStore = Pick<Store<unknown>, 'load' | 'save'>;

/** What {@link dropDeadLink} works with. */
interface LinkDependencies {
  readonly store: LinkStore;
  readonly control: Pick<ControlClient, 'session'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Stops offering an order's link when a tester has ended its session: expired it by hand, or emptied
 * the sandbox. A gateway does neither within the 48 hours, and its status does not show it, so only a
 * shop with the sandbox needs this. The attempt is still checked.
 */
export async function dropDeadLink(
  { store, control, clock }: LinkDependencies,
  orderId: string,
): Promise<void> {
  const record = await store.load(orderId);
  const offered = record?.attempts.find(
    ({ state, redirectUrl }) => state === 'open' && redirectUrl !== null,
  );
  if (record === null || offered === undefined || offered.sessionId === null) return;
  if (await isPayable(control, offered.sessionId)) return;
  const { payment } = record;
  // When another process changes the payment meanwhile, this commit fails; the next click retries.
  const now = clock.now();
  const change = {
    payment: { ...payment, version: payment.version + 1, updatedAt: now },
    attempts: [{ ...offered, redirectUrl: null }],
    ledger: [],
    reviews: [],
    operations: [],
    events: [],
  };
  await store.save(saveOf(record, change, now));
}

async function isPayable(
  control: LinkDependencies['control'],
  sessionId: string,
): Promise<boolean> {
  try {
    const { session } = await control.session(sessionId);
    return session.state !== 'EXPIRED';
  } catch (error) {
    // Loaded only here: a shop with a real gateway has no stand-in in its memory.
    const { ControlError } = await import('@pay-button/gateway-sandbox');
    if (error instanceof ControlError && error.status === 404) return false;
    throw error;
  }
}
