import { createTokens } from '../../../packages/server-helper/src/edges/tokens.ts';
import { must, wellFormed, type Target } from '../target.ts';

const secrets = ['9f2b4c6d8e0a1357bd24680ace13579b', '71c0d2e4f6a8b9c3d5e7f1a2b4c6d8e0'];
const purposes = ['return', 'status'] as const;
/** A token of each purpose and of each secret; the seed makes them the same in each run. */
const issued = new Map(
  secrets.flatMap((secret) => {
    const tokens = createTokens([secret]);
    return purposes.map((purpose) => [tokens.issue(purpose, '1001', 'seed'), purpose] as const);
  }),
);

/** The tokens in return and status addresses. */
export const tokens: Target = {
  name: 'tokens',
  about: 'tokens in our addresses: only those that we issued are read, for their purpose alone',
  seeds: [...issued.keys(), '1001', 'a@b+c:d', ''],
  words: ['A', 'g', '=', '==', '-', '_', '+', '/', '.', '%2F', ...issued.keys()],
  check: (text) => {
    const reader = createTokens(secrets);
    for (const purpose of purposes) {
      const isIssued = issued.get(text) === purpose;
      for (const _time of [1, 2]) {
        must(
          reader.read(purpose, text) === (isIssued ? '1001' : null),
          'only an issued token is read',
        );
      }
    }
    for (const [token, purpose] of issued) {
      const other = token.slice(0, -1) + text.slice(0, 1);
      const isIssued = issued.get(other) === purpose;
      must((reader.read(purpose, other) === null) !== isIssued, 'a token has one spelling');
    }
    const orderId = wellFormed(text.slice(0, 100));
    if (orderId === '' || Buffer.byteLength(orderId) > 200) return;
    const token = createTokens(secrets.toReversed()).issue('status', orderId);
    must(reader.read('status', token) === orderId, 'a token of an older secret is read');
    must(reader.read('return', token) === null, 'a token is read for its purpose alone');
  },
};
