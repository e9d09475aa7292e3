import { expect, test } from 'vitest';
import {
  createLink,
  getStatus,
  send,
  startForTest,
  validLink,
} from '../testing/sandbox-for-test.ts';
import { redactRequest } from './redaction.ts';

test('only the fields of a request that name no person are stored', () => {
  expect(
    redactRequest({
      ...validLink,
      card: { number: '4539578763621486' },
      note: 'call me',
      amount: 115,
    }),
  ).toEqual({
    merchantOrderId: 'order-1',
    amount: 115,
    currency: 'SAR',
    customerName: '[not kept]',
    customerEmail: '[not kept]',
    customerPhone: '[not kept]',
    successUrl: 'https://shop.example/…',
    failureUrl: 'https://shop.example/…',
    card: '[not kept]',
    note: '[not kept]',
  });
  for (const body of [null, [], 'text', 7]) expect(redactRequest(body)).toEqual({});
});

test('a card number in a stored field or in the name of a field is masked', () => {
  expect(
    redactRequest({
      merchantOrderId: 'card 4539 5787 6362 1486!',
      amount: 4_539_578_763_621_486,
      '4539578763621486': 1,
    }),
  ).toEqual({
    merchantOrderId: 'card 453957******1486!',
    amount: '[not kept]',
    '453957******1486': '[not kept]',
  });
});

test('neither the requests list nor the inspector’s tables show keys, phones or e-mail addresses', async () => {
  const sandbox = await startForTest();
  const { id } = await createLink(sandbox);
  await getStatus(sandbox, id);
  await send(`${sandbox.baseUrl}/payment/checkout/status?id=x`, {
    headers: { 'x-api-key': 'planted-key-7' },
  });
  const list = (await send(`${sandbox.url}/_sandbox/v1/requests`)).text;
  const inspector = (await send(`${sandbox.url}/_sandbox`)).text;
  for (const text of [list, inspector]) {
    for (const secret of ['planted-key-7', validLink.customerPhone, validLink.customerEmail]) {
      expect(text).not.toContain(secret);
    }
  }
  expect(list).not.toContain(sandbox.apiKey);
  expect(inspector).toContain('createPaymentLink');
  expect(inspector).toContain('spec §4.1');
});
