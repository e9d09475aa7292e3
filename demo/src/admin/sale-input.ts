import type { SaleRequest } from '@pay-button/server-helper';
import { type BodyFields, bodyFields } from './body-fields.ts';

/** What a test card has when nothing else is said: valid for long. */
const usual = { expiryMonth: '12', expiryYear: '2039', cvv: '123', holderName: 'Test Card' };

/** How `auth` may be spelt: in words, or as the gateway's flag (§4.4). */
const auths: ReadonlyMap<unknown, SaleRequest['auth']> = new Map([
  ['authorize', 'authorize'],
  ['capture', 'capture'],
  ['Y', 'authorize'],
  ['N', 'capture'],
]);

/**
 * Reads a server-to-server sale. What is wrong is left for the kit to refuse, which names the field.
 *
 * @returns `undefined` when `auth` is none of its words.
 */
export function readSale(body: BodyFields): SaleRequest | undefined {
  const auth = auths.get(body.value('auth'));
  if (auth === undefined) return undefined;
  const card = bodyFields(body.value('card'));
  const part = (name: keyof typeof usual): string => card.text(name) || usual[name];
  const recurring = body.value('recurringInit');
  return {
    auth,
    recurring: recurring === true || recurring === 'Y',
    requestId: body.text('requestId'),
    card: {
      number: card.text('number'),
      expiryMonth: part('expiryMonth'),
      expiryYear: part('expiryYear'),
      cvv: part('cvv'),
      holderName: part('holderName'),
    },
  };
}
