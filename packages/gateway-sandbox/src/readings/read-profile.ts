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
  const file = new URL('../../assets/gateway-profile.schema.json', import.meta.url);
  const schema = JSON.parse(readFileSync(file, 'utf8')) as z.core.JSONSchema.JSONSchema;
  const value = typeof given === 'string' ? contentOf(given) : given;
  const { data, error } = fromJSONSchema(schema).safeParse(value);
  if (error === undefined) return data as Profile;
  // The place and the rule of each mistake; zod tells no value.
  const mistakes = error.issues.map(
    ({ path, message: rule }) => `${['profile', ...path].join('.')}: ${rule}`,
  );
  const message = `The profile is wrong. ${mistakes.join('; ')}. See contract/gateway-profile.schema.json.`;
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
