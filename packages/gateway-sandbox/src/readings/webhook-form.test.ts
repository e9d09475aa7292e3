import { expect, test } from 'vitest';
import { signatureVectors } from '../../../../contract/vectors.ts';
import { usualProfile } from './profile.ts';
import { signatureOf } from './on-wire.ts';

test.each(signatureVectors.signatures)(
  'the signature of $name is the one of the contract',
  ({ secret, body, signature }) => {
    expect(signatureOf(usualProfile, secret, body, 0)).toBe(signature);
  },
);
