import { expect, test } from 'vitest';
import { readSaleRequest } from '../transaction/sale-request.ts';
import { readMoveRequest, readRecurringRequest, readVoidRequest } from './money-requests.ts';

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

// Pins: error.refund.smallest, field.RefundRequest.amount, field.CaptureRequest.amount,
// field.RecurringRequest.amount
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
