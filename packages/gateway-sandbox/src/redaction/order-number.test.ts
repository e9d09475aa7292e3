import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { dataOf, post, sell } from '../testing/embedded-for-test.ts';
import {
  approvingCard,
  createLink,
  send,
  startForTest,
  statusContent,
  validLink,
} from '../testing/sandbox-for-test.ts';

let data: string;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'sandbox-order-number-'));
});
afterEach(() => rm(data, { recursive: true }));

const journal = () => readFile(join(data, 'journal.jsonl'), 'utf8');
const likeCard =
  'must not look like a card number: an order number is kept unchanged, a card number never; ' +
  'use another order number';
const cardNumbers = [
  '4539578763621486',
  'order 4539 5787 6362 1486',
  '4539-5787-6362-1486~1',
  '4539\uFE0F5787\uFE0F6362\uFE0F1486',
  '5966577726042391~1',
  '5966577726122391~1',
];

test.each(cardNumbers)(
  'an order number that looks like a card number is refused in every call, and kept nowhere: %s',
  async (number) => {
    const sandbox = await startForTest({ data });
    const paid = dataOf(await sell(sandbox, { recurringInit: 'Y' }));
    const answers = [
      [
        'merchantOrderId',
        await post(sandbox, '/payment/checkout/intiate', { ...validLink, merchantOrderId: number }),
      ],
      ['orderId', await sell(sandbox, { orderId: number })],
      [
        'order.number',
        await post(sandbox, '/payment/checkout/recurring', {
          transactionId: paid['transactionId'],
          recurringToken: paid['recurringToken'],
          amount: 50,
          order: { number, amount: 50, currency: 'SAR', description: 'November' },
        }),
      ],
    ] as const;
    for (const [field, { status, body, headers }] of answers) {
      expect([status, body, headers.get('x-sandbox-tier')]).toEqual([
        400,
        { statusCode: 400, message: [`${field} ${likeCard}`], error: 'Bad Request' },
        'sandbox',
      ]);
    }
    const armed = sandbox.control.next({ outcome: 'approve', merchantOrderId: number });
    await expect(armed).rejects.toMatchObject({ code: 'invalid_order_id', status: 400 });
    const requests = JSON.stringify(await sandbox.control.requests());
    const har = (await send(`${sandbox.url}/_sandbox/v1/requests.har`)).text;
    await sandbox.close();
    for (const kept of [await journal(), requests, har]) {
      expect(kept.replaceAll(/[\s\uFE0F-]/g, '')).not.toMatch(/4539578763621486|5966577726\d/);
    }
  },
);

const orderNumbers = [
  '5966577726042392~1',
  '412345678905~2',
  '12345678901234567',
  'd41d8cd98f004539578763621486f8427e',
  'SHOP4539578763621486',
  '56554791-4555-4260-8640-3964f70946e3',
];

test.each(orderNumbers)(
  'an order number that is none of a card is kept exactly: %s',
  async (id) => {
    const sandbox = await startForTest({ data });
    await sandbox.control.next({ outcome: 'decline:51', merchantOrderId: id });
    const link = await createLink(sandbox, { merchantOrderId: id });
    const { decidedBy } = await sandbox.control.pay(link.id, { card: { number: approvingCard } });
    expect(decidedBy).toBe('next');
    const [row] = await statusContent(sandbox, link.id);
    expect([row?.['merchantOrderId'], row?.['orderId']]).toEqual([id, id]);
    const asked = await sandbox.control.requests({ merchantOrderId: id });
    expect(asked.map(({ operation }) => operation)).toContain('createPaymentLink');
    await sandbox.close();
    expect(await journal()).toContain(JSON.stringify(id));
  },
);
