import { type Fields, isFields } from './fields.ts';
import type { Operation } from './operations.ts';
import type { OperationProfile } from './profile.ts';

const INDEX = /^(?:0|[1-9]\d*)$/;

/** The value at a JSON Pointer (RFC 6901); `undefined` where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const hasField = Array.isArray(value) ? INDEX.test(name) : isFields(value);
    if (!hasField || !Object.hasOwn(value as object, name)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

/** A request's fields under the gateway's names, with the profile's own beside them. Ours win. */
export function translateFields(fields: object, { body = {}, add }: OperationProfile): Fields {
  const renamed = Object.entries(fields).map(([name, value]) => [body[name] ?? name, value]);
  return { ...add, ...Object.fromEntries(renamed) };
}

/**
 * Puts an answer's fields where this kit looks for them: inside envelope A, in each record of a list,
 * or at the top. An envelope stays as it came, so that one that is missing stays missing.
 */
export function translateAnswer(
  body: unknown,
  { envelope, list }: Pick<Operation, 'envelope' | 'list'>,
  { answer }: OperationProfile,
): unknown {
  if (answer === undefined) return body;
  if (list !== undefined) return translateList(body, list, answer);
  if (envelope !== 'A') return translateRecord(body, body, answer);
  if (!isFields(body) || !isFields(body['data'])) return body;
  return { ...body, data: translateRecord(body['data'], body, answer) };
}

type Pointers = NonNullable<OperationProfile['answer']>;

function translateList(body: unknown, list: string, answer: Pointers): unknown {
  const { [list]: place, ...fields } = answer;
  const records = valueAt(body, place ?? `/${list}`);
  const translated = Array.isArray(records)
    ? records.map((record) => translateRecord(record, record, fields))
    : records;
  return { ...(isFields(body) ? body : {}), [list]: translated };
}

/** A pointer that finds nothing leaves its field out; `null` says that the gateway has none. */
function translateRecord(record: unknown, document: unknown, pointers: Pointers): unknown {
  const found = Object.entries(pointers)
    .filter(([, pointer]) => pointer !== undefined)
    .map(([name, pointer = null]) => [name, pointer && valueAt(document, pointer)]);
  return { ...(isFields(record) ? record : {}), ...Object.fromEntries(found) };
}
