import type { KnownField, KnownFields } from './known-answers.ts';
import { type Fields, isFields } from './fields.ts';

/** What was unexpected in an answer or a notification of the gateway. */
export type DriftKind =
  /** A field that neither the specification nor this kit's readings know. */
  | 'unknown_field'
  /** A word that this kit does not know, in a field that holds one of a few. */
  | 'unknown_word'
  /** A value of another type, such as a number in place of a text. */
  | 'other_type'
  /** Another envelope than the operation's, or none of the envelopes of errors. */
  | 'other_envelope'
  /** An HTTP status that the operation does not answer. */
  | 'unexpected_status'
  /** An answer that could not be read, so that its call failed; a notification that names no payment. */
  | 'unreadable_answer'
  /** A notification that none of the webhook secrets signed in the profile's form. */
  | 'refused_signature'
  /** A notification that a secret signed, or that names a link of ours, and that names too little to follow. */
  | 'unfollowed_hint';

/** Gets each unexpected thing. `name` is the gateway's own spelling of an unknown field. */
export type FieldListener = (kind: DriftKind, place: string, name?: string) => void;

const typeOf = (value: unknown): KnownField['types'][number] =>
  Array.isArray(value) ? 'list' : (typeof value as 'string' | 'number' | 'boolean' | 'object');

/**
 * Compares an object with the fields that are known at its place. Nothing below an unknown field is
 * looked at: the names there may be data, such as the keys of a map.
 *
 * @param place - JSON Pointer of the object; `*` stands for each record of a list.
 */
export function compareFields(
  value: Fields,
  fields: KnownFields,
  place: string,
  on: FieldListener,
): void {
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (field === undefined) on('unknown_field', place, name);
    else if (value[name] !== null) compareField(value[name], field, `${place}/${name}`, on);
  }
}

function compareField(value: unknown, field: KnownField, place: string, on: FieldListener): void {
  if (!field.types.includes(typeOf(value))) on('other_type', place);
  else if (typeof value === 'string') {
    if (field.words?.test(value) === false) on('unknown_word', place);
  } else if (field.fields === undefined) return;
  else if (isFields(value)) compareFields(value, field.fields, place, on);
  else for (const record of value as readonly unknown[]) compareRecord(record, field, place, on);
}

function compareRecord(record: unknown, { fields }: KnownField, place: string, on: FieldListener) {
  if (fields === undefined) return;
  if (isFields(record)) compareFields(record, fields, `${place}/*`, on);
  else on('other_type', `${place}/*`);
}
