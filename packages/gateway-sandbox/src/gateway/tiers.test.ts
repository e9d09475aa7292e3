import { expect, test } from 'vitest';
import type { Sandbox } from '../start-sandbox.ts';
import { payLink, post, sell, dataOf } from '../testing/embedded-for-test.ts';
import { postLink, send, startForTest, validLink } from '../testing/sandbox-for-test.ts';
import type { WireAnswer } from '../testing/sandbox-for-test.ts';

const tierOf = ({ headers }: WireAnswer) => headers.get('x-sandbox-tier');

const order = { number: '2001', amount: 5, currency: 'SAR', description: 'November' };

async function charge(sandbox: Sandbox, path: string, changes: object = {}) {
  const data = dataOf(await sell(sandbox, { recurringInit: 'Y' }));
  const { transactionId, recurringToken } = data;
  return post(sandbox, path, { transactionId, recurringToken, amount: 5, order, ...changes });
}

test('the other names of X1, X3 and X4 say that they are contradictions', async () => {
  const sandbox = await startForTest();
  const { sessionId, transactionId } = await payLink(sandbox);
  const alias = `${sandbox.baseUrl}/payment/checkout/status?sessionId=${sessionId}`;
  const asked = await send(alias, { headers: { 'x-api-key': sandbox.apiKey } });
  const refunded = await post(sandbox, '/payment/refund', { transactionId, amount: 5 });
  const charged = await charge(sandbox, '/payment/s2s/recurring');
  expect([asked, refunded, charged].map(tierOf)).toEqual([
    'contradiction X1',
    'contradiction X3',
    'contradiction X4',
  ]);
});

test('what the specification cannot carry is assumed, and our own rules are the sandbox’s', async () => {
  const sandbox = await startForTest();
  const currency = await postLink(sandbox, { ...validLink, currency: 'KWD' });
  const decimals = await postLink(sandbox, { ...validLink, amount: 1.005 });
  const stated = await postLink(sandbox, { ...validLink, customerPhone: '' });
  const differing = await charge(sandbox, '/payment/checkout/recurring', { amount: 6 });
  expect(differing.body).toMatchObject({ message: ['order.amount must be equal to amount'] });
  expect([currency, decimals, stated, differing].map(tierOf)).toEqual([
    'assumed N23',
    'assumed N23',
    'spec 4.1',
    'sandbox',
  ]);
});
