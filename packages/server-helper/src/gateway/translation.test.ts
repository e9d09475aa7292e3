import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ConfigurationError } from '../errors.ts';
import { readProfile } from './profile.ts';
import { valueAt } from './operation.ts';

const names = fc.oneof(
  fc.constantFrom(
    'operations',
    'refund',
    'answer',
    'status',
    'body',
    'toString',
    '__proto__',
    '/~',
  ),
  fc.string(),
);
const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(null, true, 7, '', '/data/0'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(names, tie('tree'), { maxKeys: 4 }),
  ),
}));

const segmentOf = (name: string): string => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

it('a pointer finds each own value of an answer, and nothing that the answer inherits', () => {
  const visit = (document: unknown, value: unknown, pointer: string): void => {
    expect(valueAt(document, pointer)).toBe(value);
    for (const inherited of ['/toString', '/constructor', '/__proto__', '/length', '/01']) {
      const isOwn = Object.hasOwn(Object(value) as object, inherited.slice(1));
      if (!isOwn || Array.isArray(value) || typeof value === 'string') {
        expect(valueAt(document, pointer + inherited)).toBeUndefined();
      }
    }
    if (typeof value !== 'object' || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      visit(document, inner, pointer + segmentOf(name));
    }
  };
  fc.assert(fc.property(tree, (document) => visit(document, document, '')));
});

it('a profile is read, or refused in our words', () => {
  fc.assert(
    fc.property(fc.dictionary(names, tree), (given) => {
      try {
        readProfile(given);
      } catch (error) {
        const mistakes: readonly unknown[] =
          error instanceof AggregateError ? error.errors : [error];
        for (const mistake of mistakes) expect(mistake).toBeInstanceOf(ConfigurationError);
      }
    }),
  );
});
