import dns from 'node:dns';
import { afterEach, expect, test, vi } from 'vitest';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { ReceiverForTest } from '../testing/receiver-for-test.ts';
import { startForTest } from '../testing/sandbox-for-test.ts';
import { payOrder } from '../testing/shop-for-test.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A name of any zone may lead here, as that of the machine itself does. */
function leadEveryNameHere(): void {
  const lookUp = ((
    _name: string,
    options: dns.LookupOptions,
    done: (...found: unknown[]) => void,
  ) =>
    options.all === true
      ? done(null, [{ address: '127.0.0.1', family: 4 }])
      : done(null, '127.0.0.1', 4)) as unknown as typeof dns.lookup;
  vi.spyOn(dns, 'lookup').mockImplementation(lookUp);
}

test.each([
  ['0.0.0.0', 'blocked', 0],
  ['127.0.0.1', 'acknowledged', 1],
])(
  'bound to %s, a webhook to a name that leads to this machine is %s',
  async (host, outcome, arrived) => {
    const sandbox = await startForTest({ host, allowRemoteWebhooks: true });
    const receiver = await ReceiverForTest.start();
    const { port } = new URL(receiver.url);
    const portal = await PortalForTest.logIn(sandbox);
    leadEveryNameHere();
    await portal.answerOf('POST', 'webhooks', { url: `http://shop.example:${port}/` });
    await payOrder(sandbox, 'order-1', 115);
    await sandbox.control.advanceClock({ by: 'PT0S' });
    const [delivery] = await sandbox.control.deliveries();
    expect(delivery?.attempts.map((attempt) => attempt.outcome)).toEqual([outcome]);
    expect(receiver.received).toHaveLength(arrived);
  },
);

test('a name that is none is unreachable where others can reach the sandbox', async () => {
  const sandbox = await startForTest({ host: '0.0.0.0', allowRemoteWebhooks: true });
  const portal = await PortalForTest.logIn(sandbox);
  const failing = ((_name: string, _options: object, done: (error: Error) => void) =>
    done(new Error('ENOTFOUND'))) as unknown as typeof dns.lookup;
  vi.spyOn(dns, 'lookup').mockImplementation(failing);
  await portal.answerOf('POST', 'webhooks', { url: 'http://shop.example:9/' });
  await payOrder(sandbox, 'order-1', 115);
  await sandbox.control.advanceClock({ by: 'PT0S' });
  const [delivery] = await sandbox.control.deliveries();
  expect(delivery?.attempts.map((attempt) => attempt.outcome)).toEqual(['unreachable']);
});
