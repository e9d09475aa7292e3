import { isFields, isPlainName, type Fields } from './gateway-line.ts';

/** A value somewhere in an answer, by its JSON Pointer. */
export interface Place {
  readonly pointer: string;
  readonly name: string;
  readonly value: unknown;
}

const DEEPEST = 3;

/** Every value of an answer that a pointer of plain names leads to, the nearest ones first. */
export function placesIn(body: unknown): readonly Place[] {
  const found: Place[] = [];
  let level: readonly Place[] = [{ pointer: '', name: '', value: body }];
  for (let depth = 0; depth < DEEPEST && level.length > 0; depth += 1) {
    level = level.flatMap(({ pointer, value }) =>
      isFields(value)
        ? Object.entries(value)
            .filter(([name]) => isPlainName(name))
            .map(([name, inner]) => ({ pointer: `${pointer}/${name}`, name, value: inner }))
        : [],
    );
    found.push(...level);
  }
  return found;
}

const isList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.every(isFields);

/** Where a list of records is: the body itself, or the first list in it. */
export function listIn(body: unknown): { pointer: string; records: readonly Fields[] } | null {
  const first = [{ pointer: '', value: body }, ...placesIn(body)].find(({ value }) =>
    isList(value),
  );
  return first !== undefined && isList(first.value)
    ? { pointer: first.pointer, records: first.value }
    : null;
}

/** A name without its case and punctuation, so that `created_at` and `createdAt` are one. */
const bare = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();

/** Where a field is under another of its usual names; `undefined` where none is. */
export const placeOf = (
  body: unknown,
  names: readonly string[],
  fits: (value: unknown) => boolean,
): Place | undefined => {
  const wanted = new Set(names.map(bare));
  return placesIn(body).find(({ name, value }) => wanted.has(bare(name)) && fits(value));
};

/** Names out of a list that the messages of an answer speak of. */
export const namedIn = (
  messages: readonly string[],
  names: readonly string[],
): string | undefined =>
  names.find((name) => messages.some((message) => message.split(/[^\w$-]+/).includes(name)));
