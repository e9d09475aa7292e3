import { expect, test } from 'vitest';
import { signatureVectors } from '../../../../contract/vectors.ts';
import { signatureOf } from './payload.ts';

test.each(signatureVectors.signatures)(
  'the signature of $name is the one of the contract',
  ({ secret, body, signature }) => {
    expect(signatureOf(secret, body)).toBe(signature);
  },
);
