import { expect, it } from 'vitest';
import { phoneVectors } from '../../../contract/vectors.ts';
import { readPhone } from './basket.ts';

it.each([
  '0512345678',
  '512345678',
  '966512345678',
  '+966 51 234 5678',
  '00966-51-234-5678',
  '٠٥١٢٣٤٥٦٧٨',
])('reads %s as a Saudi mobile', (text) => {
  expect(readPhone(text)).toBe('0512345678');
});

it.each(['+201001234567', '97150123456'])('leaves the foreign number %s as it is', (text) => {
  expect(readPhone(text)).toBe(text);
});

it.each(['', '12345', 'phone', '0512345678x', '+', '1234567890123456'])(
  'takes %j for no phone number',
  (text) => {
    expect(readPhone(text)).toBeUndefined();
  },
);

it.each(phoneVectors.phones.filter(({ given }) => !/[٠-٩]/.test(given)))(
  'reads $given as the gateway does',
  ({ given, sent }) => {
    expect(readPhone(given) ?? null).toBe(sent);
  },
);
