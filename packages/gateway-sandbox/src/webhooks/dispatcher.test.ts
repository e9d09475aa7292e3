import dns from 'node:dns';
import type { ServerResponse } from 'node:http';
import { expect, test, afterEach, vi } from 'vitest';
import type { SandboxOptions } from '../options.ts';
import { PortalForTest } from '../testing/portal-for-test.ts';
import { ReceiverForTest, signed, subscribed } from '../testing/receiver-for-test.ts';
import { cards, startForTest } from '../testing/sandbox-for-test.ts';
import type { SandboxForTest } from '../testing/sandbox-for-test.ts';

let paidOrders = 0;

/** Pays an order of its own with a card; answers its merchantOrderId. */
async function pay(sandbox: SandboxForTest, number = cards.mada): Promise<string> {
  const merchantOrderId = `order-${(paidOrders += 1)}`;
  await sandbox.payOrder(merchantOrderId, 115, number);
  return merchantOrderId;
}

const attemptsOf = async (sandbox: SandboxForTest) =>
  (await sandbox.control.deliveries()).map(({ state, attempts }) =>
    [state, ...attempts.map(({ outcome, status }) => status ?? outcome)].join(' '),
  );

// Pins: transition.webhook.signed, transition.webhook.told
test('a payment and a decline are reported to the webhook once, flat, signed over their exact bytes', async () => {
  const { sandbox, receiver, webhook } = await subscribed();
  await sandbox.control.advanceClock({ to: '2030-01-01T00:00:00Z' });
  const { transaction } = await sandbox.payOrder('a', 115.5);
  const [webhookCall] = await receiver.has(1);
  expect(webhookCall?.event).toEqual({
    transactionId: transaction.transactionId,
    orderId: 'a',
    merchantOrderId: 'a',
    amount: 115.5,
    currencyCode: '682',
    cardScheme: 'MADA',
    cardNumber: '420132******1010',
    status: 'Approved',
    type: 'Purchase',
    createdAt: '2030-01-01T00:00:00.000Z',
    finishedAt: '2030-01-01T00:00:00.000Z',
    rrn: transaction.rrn,
    reason: null,
  });
  expect(webhookCall?.headers).toMatchObject({
    'content-type': 'application/json',
    'x-signature': signed(webhook.secret, webhookCall?.text),
  });
  await pay(sandbox, cards.poor);
  await receiver.has(2);
  const decline = receiver.events('type', 'status', 'reason').at(-1);
  expect(decline).toEqual(['Purchase', 'Declined', 'Insufficient funds']);
  await sandbox.control.advanceClock({ by: 'PT1H' });
  expect(receiver.received).toHaveLength(2);
  expect(await attemptsOf(sandbox)).toEqual(['delivered 200', 'delivered 200']);
});

test('no webhook gets an event that it did not subscribe to: none, another event, switched off, another environment', async () => {
  const sandbox = await startForTest();
  await pay(sandbox);
  const receiver = await ReceiverForTest.start();
  const portal = await PortalForTest.logIn(sandbox);
  const production = await PortalForTest.logIn(sandbox, sandbox.productionBaseUrl);
  const { url } = receiver;
  await portal.answerOf('POST', 'webhooks', { url, events: ['Refund'] });
  await portal.answerOf('POST', 'webhooks', { url, active: false });
  await production.answerOf('POST', 'webhooks', { url });
  await pay(sandbox);
  expect(await sandbox.control.deliveries()).toEqual([]);
  expect(receiver.received).toEqual([]);
});

// Pins: transition.webhook.retried
test('without HTTP 200 it is tried again three times, thirty seconds apart on the sandbox clock', async () => {
  const { sandbox, receiver } = await subscribed();
  const answers = [500, 201, 302];
  receiver.answer = (response, number) => {
    const status = answers[number - 1];
    if (status === undefined) response.destroy();
    else response.writeHead(status, { location: '/elsewhere' }).end();
  };
  await pay(sandbox);
  await receiver.has(1);
  const early = await sandbox.control.advanceClock({ by: 'PT29.999S' });
  expect([early.fired, receiver.received.length]).toEqual([[], 1]);
  const { fired } = await sandbox.control.advanceClock({ by: 'PT10M' });
  const start = Date.parse(early.now) - 29_999;
  const retries = fired.map(({ at, kind }) => `${kind} ${Date.parse(at) - start}`);
  expect(retries).toEqual(['webhook-due 30000', 'webhook-due 60000', 'webhook-due 90000']);
  expect(receiver.received).toHaveLength(4);
  expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  expect(new Set(receiver.received.map(({ headers }) => headers['x-signature'])).size).toBe(1);
  expect(receiver.events('path')).not.toContainEqual(['/elsewhere']);
  expect(await attemptsOf(sandbox)).toEqual(['failed 500 201 302 unreachable']);
});

test('an endpoint that is slow to answer is given up', async () => {
  const { sandbox, receiver } = await subscribed({ webhookTimeoutMs: 150 });
  receiver.answer = () => {};
  await pay(sandbox);
  await pay(sandbox);
  await sandbox.settle();
  expect(await attemptsOf(sandbox)).toEqual(['waiting timed-out', 'waiting timed-out']);
});

test('one webhook gets one delivery after another, in the order in which they fell due', async () => {
  const { sandbox, receiver } = await subscribed();
  const happened: string[] = [];
  receiver.answer = (response, number) => {
    happened.push(`arrived ${number}`);
    setTimeout(() => {
      happened.push(`answered ${number}`);
      response.end();
    }, 20);
  };
  const paid: string[] = [];
  for (let count = 0; count < 3; count += 1) paid.push(await pay(sandbox));
  await sandbox.settle();
  expect(receiver.events('merchantOrderId').flat()).toEqual(paid);
  const turns = [1, 2, 3].flatMap((number) => [`arrived ${number}`, `answered ${number}`]);
  expect(happened).toEqual(turns);
});

test('a webhook that was deleted or switched off gets no retry, and a moved one gets it at its new address', async () => {
  const { sandbox, receiver, webhook, portal } = await subscribed();
  const other = await ReceiverForTest.start();
  receiver.answer = (response) => response.writeHead(503).end();
  await pay(sandbox);
  await receiver.has(1);
  await portal.answerOf('PATCH', `webhooks/${webhook.id}`, { url: other.url });
  await sandbox.control.advanceClock({ by: 'PT30S' });
  expect([receiver.received.length, other.received.length]).toEqual([1, 1]);
  await portal.answerOf('PATCH', `webhooks/${webhook.id}`, { url: receiver.url });
  await pay(sandbox);
  await receiver.has(2);
  await portal.call('DELETE', `webhooks/${webhook.id}`);
  await sandbox.control.advanceClock({ by: 'PT5M' });
  expect(await attemptsOf(sandbox)).toEqual(['delivered 503 200', 'cancelled 503']);
  expect([receiver.received.length, other.received.length]).toEqual([2, 1]);
});

const loopback =
  '127.0.0.1 localhost shop.localhost [::1] [::ffff:127.0.0.1] 0.0.0.0 [::] 2130706433';
const wide = { host: '0.0.0.0', allowRemoteWebhooks: true };

const loopbackUrls = loopback.split(' ').map((host) => `http://${host}:9/`);
const farUrls = ['https://shop.example/', 'http://10.0.0.1/hook', 'http://localhost.evil.example/'];

test.each<[string, SandboxOptions, string[]]>([
  ['to another machine without leave', {}, farUrls],
  ['to this machine where others can reach the sandbox', wide, loopbackUrls],
  ['to the sandbox itself', { allowRemoteWebhooks: true }, ['SANDBOX/_sandbox/v1/reset']],
])('nothing is sent %s', async (_where, options, urls) => {
  const sandbox = await startForTest(options);
  const portal = await PortalForTest.logIn(sandbox);
  for (const url of urls) {
    await portal.answerOf('POST', 'webhooks', { url: url.replace('SANDBOX', sandbox.url) });
  }
  await pay(sandbox);
  await sandbox.settle();
  expect(await attemptsOf(sandbox)).toEqual(urls.map(() => 'waiting blocked'));
});

test('the same seed and calls give byte-identical webhooks, however long their endpoint takes', async () => {
  const runs = [];
  for (const isPrompt of [true, false]) {
    const sandbox = await startForTest({ seed: 'twins', clock: () => Date.UTC(2030, 0, 1) });
    const receiver = await ReceiverForTest.start();
    const unanswered: ServerResponse[] = [];
    if (!isPrompt) receiver.answer = (response) => void unanswered.push(response);
    const portal = await PortalForTest.logIn(sandbox);
    await portal.answerOf('POST', 'webhooks', { url: receiver.url });
    for (const merchantOrderId of ['a', 'b', 'c']) {
      await sandbox.payLink({ merchantOrderId });
      // In the prompt run each attempt is recorded before the next call, in the other none is.
      if (!isPrompt) continue;
      await expect.poll(async () => (await attemptsOf(sandbox)).at(-1)).toBe('delivered 200');
    }
    await receiver.has(1);
    receiver.answer = (response) => response.end();
    for (const response of unanswered) response.end();
    await receiver.has(3);
    const deliveries = await sandbox.control.deliveries();
    runs.push(deliveries.map(({ id, body, signature }) => [id, body, signature]));
    expect(receiver.received.map(({ text }) => text)).toEqual(deliveries.map(({ body }) => body));
  }
  expect(runs[0]).toEqual(runs[1]);
});

afterEach(() => vi.restoreAllMocks());

type Done = (error: Error | null, ...found: unknown[]) => void;

/** A name of any zone may lead here, as that of the machine itself does. */
const lookUps = {
  'leads to this machine': (_name: string, { all }: dns.LookupOptions, done: Done) =>
    all === true ? done(null, [{ address: '127.0.0.1', family: 4 }]) : done(null, '127.0.0.1', 4),
  'is none': (_name: string, _options: object, done: Done) => done(new Error('ENOTFOUND')),
};

test.each([
  ['0.0.0.0', 'leads to this machine', 'blocked', 0],
  ['127.0.0.1', 'leads to this machine', 'acknowledged', 1],
  ['0.0.0.0', 'is none', 'unreachable', 0],
] as const)('bound to %s, a webhook whose name %s is %s', async (host, name, outcome, arrived) => {
  const sandbox = await startForTest({ ...wide, host });
  const receiver = await ReceiverForTest.start();
  const { port } = new URL(receiver.url);
  const portal = await PortalForTest.logIn(sandbox);
  vi.spyOn(dns, 'lookup').mockImplementation(lookUps[name] as unknown as typeof dns.lookup);
  await portal.answerOf('POST', 'webhooks', { url: `http://shop.example:${port}/` });
  await sandbox.payOrder('order-1', 115);
  await sandbox.settle();
  const [delivery] = await sandbox.control.deliveries();
  expect(delivery?.attempts.map((attempt) => attempt.outcome)).toEqual([outcome]);
  expect(receiver.received).toHaveLength(arrived);
});
