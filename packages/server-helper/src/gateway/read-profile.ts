import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import {
  ConfigurationError,
  guideAddress,
  nameOf,
  throwEveryMistake,
  type Mistake,
} from '../errors.ts';
import { gatewayProfile, type GatewayProfile, type Profile } from './profile.ts';

const WHY = 'Calls would be sent, or answers read, in a way that the gateway does not have.';
const FIX = `Leave it out for this kit’s reading, or see ${guideAddress('gateway-client.md#profile')}`;

/**
 * Reads a profile once, at start: an object, or the name of a JSON file that holds one.
 *
 * @throws {@link ConfigurationError} `invalid_profile` with everything that is wrong with it.
 */
export function readProfile(given: GatewayProfile | string | undefined): Profile {
  const value = typeof given === 'string' ? contentOf(given) : (given ?? {});
  const { data, error } = gatewayProfile.safeParse(value);
  if (data !== undefined) return data;
  throwEveryMistake(
    error.issues.flatMap(mistakesOf).map((mistake) => () => {
      throw new ConfigurationError('invalid_profile', mistake);
    }),
  );
  throw error;
}

/**
 * Puts the content of a profile's file in the place of its name, so that all parts of a shop go by the
 * same content even if the file changes meanwhile. A file that cannot be read stays a name, which the
 * checks at start report beside all other mistakes.
 */
export function withProfileRead<Options extends { readonly gateway: GivenProfile }>(
  options: Options,
): Options {
  const { profile } = options?.gateway ?? {};
  if (typeof profile !== 'string') return options;
  try {
    const content = contentOf(profile);
    if (typeof content !== 'object') return options;
    return { ...options, gateway: { ...options.gateway, profile: content as GatewayProfile } };
  } catch {
    return options;
  }
}

interface GivenProfile {
  readonly profile?: GatewayProfile | string | undefined;
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${nameOf(error)})`;
    throw new ConfigurationError('invalid_profile', {
      setting: 'gateway.profile',
      what: `The gateway profile ${JSON.stringify(file)} ${what}.`,
      why: 'Without it payments would be read by other readings than yours.',
      fix: 'Give the name of a JSON file, or leave the profile out.',
    });
  }
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Mistake[] {
  const place = ['gateway.profile', ...issue.path].join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => mistake(`${place}.${key}`, 'has no place in a profile'));
  }
  const isText = issue.message.startsWith('must ');
  return [mistake(place, isText ? issue.message : 'has not the form that a profile needs')];
}

const mistake = (setting: string, what: string): Mistake => ({
  setting: setting.slice(0, 200),
  what: `${setting.slice(0, 200)} ${what}.`,
  why: WHY,
  fix: FIX,
});
