import type { Sandbox } from '../start-sandbox.ts';
import { PortalForTest } from './portal-for-test.ts';
import { ReceiverForTest } from './receiver-for-test.ts';
import { approvingCard, createLink, startForTest } from './sandbox-for-test.ts';

/** A shop with a webhook, at a sandbox whose clock is stopped until the test moves it. */
export async function subscribed(options: Parameters<typeof startForTest>[0] = {}) {
  const sandbox = await startForTest(options);
  await sandbox.control.freezeClock();
  const receiver = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(sandbox);
  const webhook = await portal.answerOf<{ id: string; secret: string }>('POST', 'webhooks', {
    url: receiver.url,
  });
  return { sandbox, receiver, portal, webhook };
}

/** Pays an order of this name. */
export async function payOrder(
  sandbox: Sandbox,
  merchantOrderId: string,
  amount = 115,
  number = approvingCard,
): Promise<void> {
  const { id } = await createLink(sandbox, { merchantOrderId, amount });
  await sandbox.control.pay(id, { card: { number } });
}

/** Lets everything that is due happen, and waits for its outcome. */
export const settle = (sandbox: Sandbox) => sandbox.control.advanceClock({ by: 'PT0S' });

/** The orders that webhooks reported to the shop, in the order of arrival. */
export const ordersReported = (receiver: ReceiverForTest) =>
  receiver.events('merchantOrderId').flat();
