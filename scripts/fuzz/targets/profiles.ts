import { ConfigurationError } from '../../../packages/server-helper/src/errors.ts';
import { parseJson } from '../../../packages/server-helper/src/gateway/envelope.ts';
import { readProfile } from '../../../packages/server-helper/src/gateway/read-profile.ts';
import {
  translateAnswer,
  translateFields,
  valueAt,
} from '../../../packages/server-helper/src/gateway/translation.ts';
import { halves, must, type Target } from '../target.ts';

const kinds = [
  { envelope: 'A' },
  { envelope: 'bare' },
  { envelope: 'bare', list: 'credentials' },
] as const;

/** Pointers into answers, and profiles of gateways. The first line is a pointer, the rest JSON. */
export const profiles: Target = {
  name: 'profiles',
  about:
    'profiles and pointers: own values of the answer alone; a profile is read or refused in words',
  seeds: [
    '/toString\n{}',
    '/data/list/0/a~1b\n{"data":{"list":[{"a/b":1,"~":"x"}]}}',
    '\n[{"id":"1"},{"id":"2"}]',
    '/constructor/name\n{"credentials":[{"id":"1"}],"__proto__":{"x":1}}',
    '/length\n{"status":{"asksFor":"transaction"},"operations":{"sale":{"answer":{"html":"/acs"}}}}',
    '/x\n{"webhook":{"signature":{"algorithm":"sha1","prefix":"a"}},"login":{"path":"/auth"}}',
  ],
  words: [
    '/',
    '~0',
    '~1',
    '~',
    '/0',
    '/00',
    '/-1',
    '/__proto__',
    '/constructor',
    '/toString',
    '\n',
    '{',
    '}',
    '[',
    ']',
    '"operations":',
    '"status":',
    '"answer":',
    '"body":',
    '"add":',
    '"data":',
    '"credentials":',
    'null',
    ':',
    ',',
    '"',
  ],
  check: (text) => {
    const [pointer, body] = halves(text);
    const document = parseJson(body);
    const values = valuesIn(document);
    must(
      valueAt(document, pointer) === undefined || values.has(valueAt(document, pointer)),
      'a pointer finds own values of the document alone',
    );
    for (const [value, place] of values) {
      must(value === valueAt(document, place), 'the pointer to a value finds it');
    }
    const answer = { id: pointer, apiKey: null, __proto__: pointer };
    for (const kind of kinds) {
      const translated = translateAnswer(document, kind, { answer });
      const isRecord = typeof translated === 'object' && translated !== null;
      const usual: readonly unknown[] = [Object.prototype, Array.prototype];
      must(
        !isRecord || usual.includes(Object.getPrototypeOf(translated)),
        'no prototype comes from an answer',
      );
    }
    const sent = translateFields({ orderId: 1 }, { body: { orderId: pointer } });
    must(Object.hasOwn(sent, pointer) && Object.keys(sent).length === 1, 'a name is a name');
    readsOrRefuses(document);
    must(Reflect.get({}, 'x') === undefined, 'no prototype changes');
  },
};

/** Each value of a document and the pointer to it, the last one where there are several. */
function valuesIn(document: unknown): ReadonlyMap<unknown, string> {
  const values = new Map<unknown, string>();
  const visit = (value: unknown, place: string, depth: number): void => {
    values.set(value, place);
    if (typeof value !== 'object' || value === null || depth > 50) return;
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, `${place}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1);
    }
  };
  visit(document, '', 0);
  return values;
}

function readsOrRefuses(document: unknown): void {
  if (typeof document !== 'object' || document === null) return;
  try {
    readProfile(document);
  } catch (error) {
    const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
    must(
      errors.every((one) => one instanceof ConfigurationError),
      'a profile is refused in our words',
    );
  }
}
