import type { ConfigurationErrorCode } from '../errors.ts';
import type { Environment } from '../gateway/settings.ts';
import type { PaymentsOptions } from './payments-options.ts';
import { field, isListOf, type Mistaken, must, optional, type Rule } from '../option-rules.ts';

export const MAKE_A_SECRET = `node -p "crypto.randomBytes(32).toString('hex')"`;

export const MIN_SECRET_LENGTH = 32;

/** The least length of a secret that another program may have made: 128 bits. */
export const MIN_FOREIGN_BYTES = 16;

/** Fewer different characters are no random text. */
const MIN_VARIETY = 6;

/** A random text of 16 characters has nearly twice as many that do not follow on the one before. */
const MIN_STEPS = 8;

/** Words of examples and templates, which no secret contains. */
const PLACEHOLDER =
  /change[-_ ]?(?:me|this|it)|replace[-_ ]?(?:me|this|it)|place[-_ ]?holder|your[-_ ]|example|insert[-_ ]/i;

const REPETITION = /^(.{1,8})\1{3,}.{0,7}$/s;

export function isStrong(secret: unknown): boolean {
  return typeof secret === 'string' && secret.length >= MIN_SECRET_LENGTH && isVaried(secret);
}

/** The same for a secret that another program may have made. */
export function isStrongEnough(secret: unknown): boolean {
  return (
    typeof secret === 'string' &&
    Buffer.byteLength(secret.trim()) >= MIN_FOREIGN_BYTES &&
    isVaried(secret) &&
    !isGuessable(secret)
  );
}

/** Whether a secret is a placeholder, one short text again and again, or a row such as the alphabet. */
export function isGuessable(secret: string): boolean {
  const codes = Array.from(secret.toLowerCase(), (character) => character.codePointAt(0) ?? 0);
  const steps = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? -1)) !== 1);
  return PLACEHOLDER.test(secret) || REPETITION.test(secret) || steps.length < MIN_STEPS;
}

const isVaried = (secret: string): boolean => new Set(secret).size >= MIN_VARIETY;

type SecretOptions = Pick<
  PaymentsOptions<never, never>,
  'gateway' | 'tokenSecrets' | 'encryptionKeys'
>;

/** Secrets are strong, differ from each other, and fit the environment. */
export function secretRules({ gateway, tokenSecrets, encryptionKeys }: SecretOptions) {
  const { apiKey, environment, portal }: Partial<SecretOptions['gateway']> = gateway ?? {};
  const isGuessed = (given: unknown): boolean =>
    environment === 'production' && textsOf(given).some(isGuessable);
  const credentials = new Set([...textsOf(apiKey), portal?.password, portal?.username]);
  const isShared = [tokenSecrets, encryptionKeys]
    .flatMap(textsOf)
    .some((secret) => credentials.has(secret));
  const strong = (code: ConfigurationErrorCode, why: string, orElse = ''): Rule =>
    must(
      (secrets) => isListOf(isStrong, 1)(secrets) && !isGuessed(secrets),
      `<setting> needs at least one secret, and each needs ${MIN_SECRET_LENGTH} characters or more of some variety; in production none is a placeholder, one short text again and again, or a row such as the alphabet.`,
      why,
      `Make one with: ${MAKE_A_SECRET}${orElse}`,
      code,
    );
  return {
    gateway: field(() => foreignKey(textsOf(apiKey), environment)),
    tokenSecrets: field(
      strong('weak_token_secret', 'Anyone who guesses one can make addresses that pass for ours.'),
      must(
        () => !isShared,
        'A token secret is also a credential of the gateway.',
        'Who learns one must not have the other, and each has its own time to be replaced.',
        `Make a secret of its own with: ${MAKE_A_SECRET}`,
        'contradictory_options',
      ),
    ),
    encryptionKeys: optional(
      field(
        strong(
          'weak_encryption_key',
          'Anyone who guesses one and reads the store can charge customers again.',
          ' — or leave the option out, so that tokenSecrets encrypt.',
        ),
      ),
    ),
  };
}

const textsOf = (given: unknown): readonly string[] =>
  [given].flat().filter((one) => typeof one === 'string');

/** Words that name an environment in a key, as whole words between `_`, `-`, `.` and `:`. */
const wordsOf: Readonly<Record<Environment, ReadonlySet<string>>> = {
  staging: new Set(['staging', 'test', 'sandbox']),
  production: new Set(['production', 'prod', 'live']),
};

/** The sandbox's keys say their environment, and so do many gateways'. */
function foreignKey(keys: readonly string[], environment: unknown): Mistaken | undefined {
  if (environment !== 'staging' && environment !== 'production') return undefined;
  const other = environment === 'staging' ? 'production' : 'staging';
  const isForeign = (key: string): boolean => {
    // The last word is the random part, whose letters mean nothing.
    const words = key
      .toLowerCase()
      .split(/[_.:-]/)
      .slice(0, -1);
    const own = words.filter((word) => word !== 'sandbox' && wordsOf[environment].has(word));
    return own.length === 0 && words.some((word) => wordsOf[other].has(word));
  };
  if (!keys.some(isForeign)) return undefined;
  return {
    code: 'wrong_environment',
    setting: 'gateway.apiKey',
    what: `An API key says that it is of ${other}, but the environment is "${environment}".`,
    why: 'The gateway refuses a key of another environment, and such a key should not travel there.',
    fix: `Take the ${environment} key from that environment’s dashboard, under Settings, API Credentials.`,
  };
}
