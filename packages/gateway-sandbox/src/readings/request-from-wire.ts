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
