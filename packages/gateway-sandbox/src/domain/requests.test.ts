import fc from 'fast-check';
import { expect, test } from 'vitest';
import { saleHashVectors } from '../../../../contract/vectors.ts';
import { plainDigits } from './outcome.ts';
import { formatAmount, linkBody, readAmount, readBody, saleHash } from './requests.ts';
import { validLink } from '../testing/sandbox-for-test.ts';

function messagesFor(changes: Record<string, unknown>): readonly string[] {
  const read = readBody({ ...validLink, ...changes }, linkBody);
  return 'messages' in read ? read.messages : [];
}

const tooLong = 'equal to 255 characters';
test.each<[string, unknown, string]>([
  ['merchantOrderId', undefined, 'merchantOrderId should not be empty'],
  ['merchantOrderId', ' ', 'merchantOrderId should not be empty'],
  ['merchantOrderId', 7, 'merchantOrderId must be a string'],
  ['merchantOrderId', 'x'.repeat(256), `merchantOrderId must be shorter than or ${tooLong}`],
  ['amount', undefined, 'amount must be a number'],
  ['amount', '115.00', 'amount must be a number'],
  ['amount', null, 'amount must be a number'],
  ['amount', 0, 'amount must not be less than 0.01'],
  ['amount', 0.009, 'amount must not be less than 0.01'],
  ['amount', 1.005, 'amount must have at most two decimals'],
  ['amount', 1e12, 'amount must not be greater than 9999999999.99'],
  ['currency', 'sar', 'currency must be an ISO 4217 code of three capital letters'],
  ['currency', 'KWD', 'currency KWD is not supported, because amounts carry two decimals'],
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
  ['failureUrl', undefined, 'failureUrl should not be empty'],
  ['failureUrl', 'https://a b', 'failureUrl must be an http or https URL'],
  ['failureUrl', 'https://shop.example/\r\nx', 'failureUrl must be an http or https URL'],
])('%s %j is refused with one message', (field, value, message) => {
  expect(messagesFor({ [field]: value })).toEqual([message]);
});

test('what is no object is refused as such', () => {
  const messages = ['the request body must be a JSON object'];
  for (const body of [null, [], 'text', 7]) expect(readBody(body, linkBody)).toEqual({ messages });
});

// Pins: field.PaymentLinkRequest.currency
test('the currency is SAR by default, a name and an email may be left out, and unknown fields are ignored', () => {
  const { currency: _c, customerName: _n, customerEmail: _e, ...rest } = validLink;
  const value = { currency: 'SAR', amountMinor: 11_500 };
  expect(readBody({ ...rest, surprise: { a: 1 } }, linkBody)).toMatchObject({ value });
});

test('every amount with two decimals is read exactly and printed as it was', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (minor) => {
      expect(readAmount(Number(formatAmount(minor)))).toEqual({ value: minor });
    }),
  );
});

test.each(saleHashVectors.hashes)('the contract hashes $email, $cardNumber alike', (vector) => {
  const { email, password, cardNumber, hash } = vector;
  expect(saleHash(email, password, plainDigits(cardNumber))).toBe(hash);
});
