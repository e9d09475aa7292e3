import type { OperationName } from '../operations.ts';
import { isFields } from '../domain/body-fields.ts';
import type { Fields } from '../domain/body-fields.ts';
import { readingOf } from './profile.ts';
import type { Profile } from './profile.ts';

/**
 * A request's fields by our names, and what is wrong with them in the gateway of this profile. Where
 * the gateway has another name for a field, ours means nothing to it.
 */
export function requestFromWire(
  profile: Profile,
  operation: OperationName,
  { body, isQuery }: { readonly body: unknown; readonly isQuery: boolean },
): { body: unknown; messages: readonly string[] } {
  const { body: names = {}, add = {} } = readingOf(profile, operation);
  const renamed = Object.entries(names).filter(([, theirs]) => theirs !== undefined);
  const required = Object.entries(add);
  if ((renamed.length === 0 && required.length === 0) || !isFields(body)) {
    return { body, messages: [] };
  }
  const messages = required
    .filter(([name, value]) => body[name] !== (isQuery ? String(value) : value))
    .map(([name, value]) => `${name} must be ${JSON.stringify(value)}`);
  const fields: Fields = { ...body };
  for (const [ours] of renamed) delete fields[ours];
  for (const [ours, theirs = ''] of renamed) {
    if (Object.hasOwn(body, theirs)) fields[ours] = body[theirs];
  }
  return { body: fields, messages };
}

/** Messages that name fields in their middle; all others begin with the name. */
const NAMES_INSIDE = /^(?:each value in|at least one of) /;

/** Messages of a validation with the gateway's names in place of ours: the sender knows no others. */
export function inTheirNames(
  profile: Profile,
  operation: OperationName,
  messages: readonly string[],
): readonly string[] {
  const { body: names = {} } = readingOf(profile, operation);
  return messages.map((message) => {
    const name = NAMES_INSIDE.test(message) ? /[A-Za-z]+/g : /^[A-Za-z]+/;
    return message.replace(
      name,
      (ours) => (Object.hasOwn(names, ours) ? names[ours] : null) ?? ours,
    );
  });
}
