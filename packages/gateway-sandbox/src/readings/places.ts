import { isFields } from '../domain/body-fields.ts';
import type { Fields } from '../domain/body-fields.ts';
import type { Places } from './profile.ts';

/**
 * A body with fields moved from the object at `base` to other places; a field whose place is null
 * is gone. Every field is taken away before one is put back, so that two fields can change places.
 */
export function moveFields(body: Fields, base: string, places: Places): Fields {
  const moved = structuredClone(body);
  const from = base === '' ? moved : moved[base];
  if (!isFields(from)) return moved;
  const taken = Object.entries(places).filter(
    ([name, place]) => place !== undefined && Object.hasOwn(from, name),
  );
  const values = taken.map(([name, place]) => ({ place, value: from[name] }));
  for (const [name] of taken) delete from[name];
  for (const { place, value } of values) if (typeof place === 'string') put(moved, place, value);
  return moved;
}

/**
 * A list moved to another place, and the fields of each of its records in the record. At the place
 * "" the list is the whole body.
 */
export function moveList(
  body: Fields,
  list: string,
  { [list]: place, ...places }: Places,
): Fields | readonly unknown[] {
  const records: unknown = body[list];
  const moved = Array.isArray(records)
    ? records.map((record: unknown) => (isFields(record) ? moveFields(record, '', places) : record))
    : records;
  if (place === '' && Array.isArray(moved)) return moved;
  return moveFields({ ...body, [list]: moved }, '', { [list]: place });
}

/** Puts a value at a JSON Pointer (RFC 6901), and makes the objects on the way there. */
function put(body: Fields, pointer: string, value: unknown): void {
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  let inner = body;
  for (const name of names.slice(0, -1)) {
    const next = Object.hasOwn(inner, name) ? inner[name] : null;
    const made = isFields(next) ? next : {};
    define(inner, name, made);
    inner = made;
  }
  define(inner, names.at(-1) ?? '', value);
}

/** Also a field called `__proto__` is a field. */
function define(fields: Fields, name: string, value: unknown): void {
  Object.defineProperty(fields, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
