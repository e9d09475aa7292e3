import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { SandboxError } from '../sandbox-error.ts';
import { usualProfile, type Profile } from './readings.ts';

/**
 * Reads a profile once, at start: an object, or the name of a JSON file that holds one. The schema
 * of the contract, which the package carries, says what a profile may hold.
 *
 * @throws SandboxError `invalid_profile` with every mistake
 */
export async function readProfile(given: object | string | undefined): Promise<Profile> {
  if (given === undefined) return usualProfile;
  const { fromJSONSchema } = await import('zod');
  const path = new URL('../../assets/gateway-profile.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(path, 'utf8')) as z.core.JSONSchema.JSONSchema;
  const value = typeof given === 'string' ? contentOf(given) : given;
  const { data, error } = fromJSONSchema(schema).safeParse(value);
  if (error === undefined) return data as Profile;
  const mistakes = error.issues.flatMap(mistakesOf).join('; ');
  const message = `The profile is wrong: ${mistakes}. See contract/gateway-profile.schema.json.`;
  throw new SandboxError('invalid_profile', message);
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const what = cause instanceof SyntaxError ? 'is no JSON' : 'cannot be read';
    const message = `The profile ${JSON.stringify(file)} ${what}.`;
    throw new SandboxError('invalid_profile', message, { cause });
  }
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
