import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasDuplicateKeys, parseJson } from './envelope.ts';

const isAmbiguous = (text: string): boolean => hasDuplicateKeys(text, JSON.parse(text));

describe('a field named twice', () => {
  it.each([
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":1,"c":2}}',
    '[{"a":1},{"b":[{"a":1 , "a" : 2}]}]',
    '{"a":1,"\\u0061":2}',
    '{"":1,"":2}',
    '{"a:{":1,"a:{":2}',
    '{"a":{"x":1},"b":2,"a":3}',
    '{"__proto__":1,"__proto__":2}',
  ])('is found, and such a text is not read: %s', (text) => {
    expect(isAmbiguous(text)).toBe(true);
    expect(parseJson(text)).toBeUndefined();
  });

  it.each([
    '{"a":1,"A":1}',
    '{"a":{"a":{"a":1}}}',
    '[{"a":1},{"a":1}]',
    '{"a":"\\"a\\":1,\\"a\\":2"}',
    '{"a":"a","b":"a"}',
    '{"a\\\\":1,"a":2}',
    '["a","a"]',
    '"a"',
    '17',
  ])('is not seen where there is none: %s', (text) => {
    expect(isAmbiguous(text)).toBe(false);
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it('is not seen in any text that JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, isSpaced) => {
        expect(isAmbiguous(JSON.stringify(value, null, isSpaced ? 2 : 0))).toBe(false);
      }),
    );
  });

  it('is seen wherever a field of an object is written once more', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (object) => {
        const [name = ''] = Object.keys(object);
        const text = `${JSON.stringify(object).slice(0, -1)},${JSON.stringify(name)}:null}`;
        expect(isAmbiguous(text)).toBe(true);
      }),
    );
  });
});

it('what is nested beyond reading is undefined, and nothing is thrown', () => {
  const depth = 32_000;
  expect(parseJson(`${'['.repeat(depth)}${']'.repeat(depth)}`)).toBeUndefined();
});

it('what is no JSON is undefined', () => {
  for (const text of ['', '{', '<html>', '{"a":1}}', 'NaN']) {
    expect(parseJson(text)).toBeUndefined();
  }
});
