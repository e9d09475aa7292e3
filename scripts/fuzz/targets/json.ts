import { isDeepStrictEqual } from 'node:util';
import { parseJson } from '../../../packages/server-helper/src/gateway/envelope.ts';
import { must, type Target } from '../target.ts';

/** `parseJson`: the text of a gateway's answer. */
export const json: Target = {
  name: 'json',
  about: 'JSON of the gateway: read as JSON.parse does, never when a field comes twice',
  seeds: [
    '{"code":200,"message":"ok","errorCode":null,"data":{"content":[{"amount":"1.00"}]}}',
    '{"a":{"a":[{"a":1},{"a":"\\u0061"}]},"b":":"}',
    '[1,-2.5e3,true,null,"\\"\\\\",""]',
    '{"__proto__":{"x":1},"constructor":[]}',
  ],
  words: ['"a":', '"\\u0061":1', ',"a":1', '{', '}', '[', ']', '"', '\\', ':', ',', 'null', '1e9'],
  check: (text) => {
    const value = parseJson(text);
    const read = readUsually(text);
    must(value === undefined || isDeepStrictEqual(value, read), 'it is what JSON.parse reads');
    must(
      parseJson(JSON.stringify(read) ?? null) !== undefined || read === undefined,
      'what JSON.stringify writes is read',
    );
    for (const again of ['"a":1', '"\\u0061":1']) {
      must(
        parseJson(`{"a":${text},${again}}`) === undefined,
        'a field that comes twice is refused',
      );
    }
    const inside = parseJson(`{"x y":${text}}`);
    must(
      isDeepStrictEqual(inside, value === undefined ? undefined : { 'x y': value }) ||
        read === undefined,
      'it is read alike in a field',
    );
  },
};

function readUsually(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
