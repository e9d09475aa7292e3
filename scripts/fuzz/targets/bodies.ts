import { isDeepStrictEqual } from 'node:util';
import { decodeBody } from '../../../packages/server-helper/src/edges/body.ts';
import type { EdgeRequest } from '../../../packages/server-helper/src/edges/http.ts';
import { halves, must, type Target } from '../target.ts';

const LIMIT = 16_384;

const requestOf = (contentType: string): EdgeRequest => ({
  method: 'POST',
  mount: '/pay',
  path: '/checkout',
  query: new URLSearchParams(),
  address: undefined,
  original: undefined,
  header: (name) => (name === 'content-type' ? contentType : undefined),
  readBody: () => Promise.resolve({ kind: 'cut' }),
});

/** `decodeBody`: the body of a request to the routes. Its first line is the content type. */
export const bodies: Target = {
  name: 'bodies',
  about: 'bodies of requests: JSON, or a form of 50 fields; all others are a problem',
  seeds: [
    'application/json\n{"orderId":"1001"}',
    'application/x-www-form-urlencoded\norderId=1001&orderId=1002&__proto__=x',
    'application/problem+json; charset=utf-8\n{"__proto__":{"x":1}}',
    'multipart/form-data; boundary=x\n--x--',
    'Application/JSON ;\n[]',
    `application/x-www-form-urlencoded\n${'a=1&'.repeat(60)}`,
  ],
  words: [
    'application/json\n',
    'application/x-www-form-urlencoded\n',
    '+json',
    ';',
    '&',
    '=',
    '%00',
    '%F0',
    '+',
    'orderId=',
    '__proto__=1&',
    'constructor=',
    '{',
    '}',
    '"',
    '\u0000',
    '\uFEFF',
    '[[[[',
  ],
  check: (text) => {
    const [contentType, body] = halves(text);
    const bytes = Buffer.from(body);
    const read = decodeBody(requestOf(contentType), { kind: 'bytes', bytes }, LIMIT);
    must(Reflect.get({}, 'x') === undefined, 'no prototype changes');
    if (read.kind === 'problem') {
      must([400, 415, 422].includes(read.answer.status), 'a problem has a status of its kind');
      must(!JSON.stringify(read.answer).includes('S3cr3t'), 'a problem holds nothing of the body');
    } else if (read.kind === 'json') {
      must(isDeepStrictEqual(read.value, JSON.parse(bytes.toString())), 'JSON is read as JSON');
    } else {
      checkForm(read.value as object, bytes.toString());
    }
    const again = decodeBody(requestOf(contentType.toUpperCase()), { kind: 'bytes', bytes }, LIMIT);
    must(again.kind === read.kind || /[^ -~]/.test(contentType), 'letter case makes no other type');
  },
};

function checkForm(value: object, text: string): void {
  const written = [...new URLSearchParams(text)].slice(0, 50);
  const fields = Object.entries(value) as [string, string | string[]][];
  const read = fields.flatMap(([name, one]) => [one].flat().map((part) => [name, part]));
  must(read.length === written.length, 'each field of a form is read once, and 50 at most');
  must(Object.getPrototypeOf(value) === Object.prototype, 'a field of a form is no prototype');
  for (const [name, one] of fields) {
    const all = written.filter(([other]) => other === name).map(([, part]) => part);
    must(
      isDeepStrictEqual(one, all.length === 1 ? all[0] : all),
      'a field that comes twice is a list',
    );
  }
}
