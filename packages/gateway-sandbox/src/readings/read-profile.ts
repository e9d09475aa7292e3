import { readFileSync } from 'node:fs';
import { SandboxError } from '../sandbox-error.ts';
import { usualProfile } from './profile.ts';
import type { Profile } from './profile.ts';

/**
 * Reads a profile once, at start: an object, or the name of a JSON file that holds one. The schema
 * of the contract, which the package carries, says what a profile may hold.
 *
 * @throws SandboxError `invalid_profile` with every mistake
 */
export async function readProfile(given: object | string | undefined): Promise<Profile> {
  if (given === undefined) return usualProfile;
  const value = typeof given === 'string' ? contentOf(given) : given;
  const { checkProfile } = await import('./check-profile.ts');
  const checked = checkProfile(value);
  if ('profile' in checked) return checked.profile;
  throw new SandboxError(
    'invalid_profile',
    `The profile is wrong: ${checked.mistakes.join('; ')}. See contract/gateway-profile.schema.json.`,
  );
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
