import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validLink } from '../testing/sandbox-for-test.ts';
import { formatAmount, readAmount } from './amount.ts';
import { readPhone } from './body-fields.ts';
import {
  readLinkRequest,
  readMoveRequest,
  readRecurringRequest,
  readSaleRequest,
  readVoidRequest,
} from './requests.ts';

function messagesFor(changes: Record<string, unknown>): string[] {
  const read = readLinkRequest({ ...validLink, ...changes });
  return 'messages' in read ? read.messages : [];
}

test.each<[string, unknown, string]>([
  ['merchantOrderId', undefined, 'merchantOrderId should not be empty'],
  ['merchantOrderId', ' ', 'merchantOrderId should not be empty'],
  ['merchantOrderId', 7, 'merchantOrderId must be a string'],
  [
    'merchantOrderId',
    'x'.repeat(256),
    'merchantOrderId must be shorter than or equal to 255 characters',
  ],
  ['amount', undefined, 'amount must be a number'],
  ['amount', '115.00', 'amount must be a number'],
  ['amount', null, 'amount must be a number'],
  ['amount', 0, 'amount must not be less than 0.01'],
  ['amount', -5, 'amount must not be less than 0.01'],
  ['amount', 0.009, 'amount must not be less than 0.01'],
  ['amount', 1.005, 'amount must have at most two decimals'],
  ['amount', 1e12, 'amount must not be greater than 9999999999.99'],
  ['currency', 'sar', 'currency must be an ISO 4217 code of three capital letters'],
  ['currency', 'KWD', 'currency KWD is not supported, because amounts carry two decimals'],
  ['currency', 'BHD', 'currency BHD is not supported, because amounts carry two decimals'],
  ['currency', 'OMR', 'currency OMR is not supported, because amounts carry two decimals'],
  ['currency', 'JOD', 'currency JOD is not supported, because amounts carry two decimals'],
  ['currency', 'TND', 'currency TND is not supported, because amounts carry two decimals'],
  ['currency', 'XYZ', 'currency must be an ISO 4217 code of a currency with two decimals'],
  ['customerName', 7, 'customerName must be a string'],
  ['customerEmail', 'nobody', 'customerEmail must be an email'],
  ['customerPhone', undefined, 'customerPhone should not be empty'],
  ['customerPhone', '', 'customerPhone should not be empty'],
  ['customerPhone', 512345678, 'customerPhone must be a string'],
  ['customerPhone', '12', 'customerPhone must be a valid mobile number'],
  ['successUrl', undefined, 'successUrl should not be empty'],
  ['successUrl', 'javascript:alert(1)', 'successUrl must be an http or https URL'],
  ['successUrl', '/thanks', 'successUrl must be an http or https URL'],
  ['failureUrl', 'https://a b', 'failureUrl must be an http or https URL'],
  ['failureUrl', 'https://shop.example/\r\nx', 'failureUrl must be an http or https URL'],
])('%s %j is refused with one message', (field, value, message) => {
  expect(messagesFor({ [field]: value })).toEqual([message]);
});

test('an empty request gets a message for each missing field, in the order of the fields', () => {
  expect(readLinkRequest({})).toEqual({
    messages: [
      'merchantOrderId should not be empty',
      'amount must be a number',
      'customerPhone should not be empty',
      'successUrl should not be empty',
      'failureUrl should not be empty',
    ],
  });
});

test('what is no object is refused as such', () => {
  for (const body of [null, [], 'text', 7]) {
    expect(readLinkRequest(body)).toEqual({ messages: ['the request body must be a JSON object'] });
  }
});

test('the currency is SAR by default, and unknown fields are ignored', () => {
  const { currency: _left, ...rest } = validLink;
  expect(readLinkRequest({ ...rest, surprise: { a: 1 } })).toMatchObject({
    request: { currency: 'SAR', amountMinor: 11_500 },
  });
});

test('every amount with two decimals is read exactly and printed as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (minor) => {
      expect(readAmount(Number(formatAmount(minor)))).toEqual({ minor });
    }),
  );
});

test.each([
  '0512345678',
  '512345678',
  '966512345678',
  '+966512345678',
  '00966512345678',
  '05 1234-5678',
  '+97150123456',
  '+12025550123',
  '447911123456',
])('the phone number %s is taken', (phone) => {
  expect(readPhone(phone)).not.toBeNull();
});

test.each([
  '051234567',
  '05123456789',
  '0112345678',
  '+966112345678',
  '5123',
  'abc',
  '+',
  '1234567',
])('the phone number %s is refused', (phone) => {
  expect(readPhone(phone)).toBeNull();
});

const transactionId = 'f2d5b7c0-0000-4000-8000-000000000001';
const card = {
  number: '5123 4500 0000 0008',
  expiryMonth: '12',
  expiryYear: '39',
  cvv: '123',
  holderName: 'Noura',
};
const sale = {
  orderId: '1001',
  amount: 115,
  currency: 'SAR',
  paymentMethod: 'card',
  auth: 'N',
  card,
  customerDetails: { name: 'Noura', email: 'payer@example.com', phone: '0501234567' },
  successUrl: 'https://shop.example/s',
  failureUrl: 'https://shop.example/f',
};
const charge = {
  transactionId,
  recurringToken: 'rt_1',
  amount: 50,
  order: { number: '2001', amount: 50, currency: 'SAR', description: 'November' },
};

test.each([
  [0.01, 1],
  [99.95, 9995],
  [1.1, 110],
])('the amount %s is %s minor units', (amount, amountMinor) => {
  expect(readMoveRequest({ transactionId, amount, note: 'ignored' })).toEqual({
    request: { transactionId, amountMinor },
  });
});

test.each([
  [{ amount: '20.00' }, ['amount must be a number']],
  [{ amount: 0 }, ['amount must not be less than 0.01']],
  [{ amount: 0.009 }, ['amount must not be less than 0.01']],
  [{ amount: 1.001 }, ['amount must have at most two decimals']],
  [
    { amount: null, transactionId: '' },
    ['transactionId should not be empty', 'amount must be a number'],
  ],
  [{ transactionId: {} }, ['transactionId must be a string']],
])('a movement with %j gets a message for each mistake', (changes, messages) => {
  expect(readMoveRequest({ transactionId, amount: 20, ...changes })).toEqual({ messages });
});

const unsigned = { password: 'secret-password', isRequired: false };

test('a payment id sent as a number is read as the unknown id that it is', () => {
  expect(readVoidRequest({ transactionId: 100_200 })).toEqual({
    request: { transactionId: '100200' },
  });
  expect(readVoidRequest([])).toEqual({ messages: ['the request body must be a JSON object'] });
});

test('a recurring charge names its transaction, its token and one amount', () => {
  expect(readRecurringRequest(charge)).toEqual({
    request: {
      transactionId,
      recurringToken: 'rt_1',
      amountMinor: 5000,
      order: { number: '2001', currency: 'SAR' },
    },
  });
  expect(readRecurringRequest({ ...charge, amount: 51 })).toEqual({
    messages: ['order.amount must be equal to amount'],
  });
  expect(readRecurringRequest({ ...charge, order: undefined })).toEqual({
    messages: ['order should not be empty'],
  });
  expect(readRecurringRequest({ ...charge, order: { ...charge.order, number: '' } })).toEqual({
    messages: ['order.number should not be empty'],
  });
});

test('no number, no CVV, no phone and no e-mail of a sale is stored', () => {
  const kept = JSON.stringify(readSaleRequest(sale, unsigned));
  expect(kept).toContain('"auth":"N"');
  expect(kept).toContain('"recurringInit":"N"');
  for (const secret of ['51234500', '"123"', '501234567', 'payer@example.com']) {
    expect(kept).not.toContain(secret);
  }
});

test.each([
  [{ auth: 'X' }, ['auth must be Y or N']],
  [{ auth: undefined }, ['auth must be Y or N']],
  [{ paymentMethod: 'cash' }, ['paymentMethod must be card']],
  [{ card: undefined }, ['card should not be empty']],
  [
    { card: { ...card, expiryMonth: '13', cvv: 'x' } },
    ['card.expiryMonth must be 01 to 12', 'card.cvv must have three or four digits'],
  ],
  [{ customerDetails: { phone: '123' } }, ['customerDetails.phone must be a valid mobile number']],
  [{ amount: '115' }, ['amount must be a number']],
])('a sale with %j is told what is wrong with it', (changes, messages) => {
  expect(readSaleRequest({ ...sale, ...changes }, unsigned)).toEqual({ messages });
});

test('a number that is on no list is refused, whatever else it would need', () => {
  const unlisted = { ...sale, card: { ...card, number: '4539578763621486' } };
  expect(readSaleRequest(unlisted, unsigned)).toEqual({ refusal: 'not-a-test-card' });
});

test('where hashes are checked, the one of the test vector passes and any other is refused', () => {
  const password = 'secret-password';
  const hash = '7560fcfeb9fc079050e87306ae3d3f7c';
  expect(readSaleRequest({ ...sale, hash }, { password, isRequired: true })).toHaveProperty(
    'entry',
  );
  expect(
    readSaleRequest({ ...sale, hash: hash.replace('7', '8') }, { password, isRequired: false }),
  ).toEqual({
    refusal: 'hash-invalid',
  });
  expect(readSaleRequest(sale, { password, isRequired: true })).toEqual({
    refusal: 'hash-missing',
  });
});
