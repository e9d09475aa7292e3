import { readFileSync } from 'node:fs';
import { fromJSONSchema } from 'zod';
import type { z } from 'zod';
import type { Profile } from './profile.ts';

/** The profile, or what is wrong with it. The contract's schema says what a profile may hold. */
export function checkProfile(
  value: unknown,
): { readonly profile: Profile } | { readonly mistakes: readonly string[] } {
  const path = new URL('../../assets/gateway-profile.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as z.core.JSONSchema.JSONSchema;
  const { data, error } = fromJSONSchema(schema).safeParse(value);
  return error === undefined
    ? { profile: data as Profile }
    : { mistakes: error.issues.flatMap(mistakesOf) };
}

/** The place of each mistake, and the rule; never the value. */
function mistakesOf(issue: z.core.$ZodIssue): string[] {
  const place = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${[...place, key].join('.')} has no place in a profile`);
  }
  const name = place.length === 0 ? 'the profile' : place.join('.');
  if (issue.code === 'invalid_value') {
    return [`${name} must be one of ${issue.values.map(String).join(', ')}`];
  }
  if (issue.code === 'invalid_type') return [`${name} must be of type ${issue.expected}`];
  if (issue.code === 'invalid_format' && 'pattern' in issue) {
    return [`${name} must match ${issue.pattern}`];
  }
  return [`${name} has not the form that a profile needs`];
}
