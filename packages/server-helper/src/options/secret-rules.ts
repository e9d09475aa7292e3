import { ConfigurationError, throwEveryMistake } from '../errors.ts';
import type { PaymentsOptions } from './payments-options.ts';
import { isGuessable, isStrong, MAKE_A_SECRET, MIN_SECRET_LENGTH } from './secret-strength.ts';

/** Words that name an environment in a key, as whole words between `_`, `-`, `.` and `:`. */
const wordsOf: Readonly<Record<'staging' | 'production', ReadonlySet<string>>> = {
  staging: new Set(['staging', 'test', 'sandbox']),
  production: new Set(['production', 'prod', 'live']),
};

/**
 * Checks that the secrets differ from each other and fit the environment.
 *
 * @throws {@link ConfigurationError} `weak_token_secret`, `weak_encryption_key`, `contradictory_options`,
 * `wrong_environment`, all at once.
 */
export function checkSecrets(
  options: Pick<PaymentsOptions<never>, 'gateway' | 'tokenSecrets' | 'encryptionKeys'>,
): void {
  const { gateway, tokenSecrets, encryptionKeys } = options;
  const secrets = textsOf(tokenSecrets);
  const encrypting = textsOf(encryptionKeys);
  const keys = textsOf(gateway?.apiKey);
  const isProduction = gateway?.environment === 'production';
  throwEveryMistake([
    () => {
      if (isProduction && secrets.some(isGuessable)) throw weak();
      if (isProduction && encrypting.some(isGuessable)) throw weakKey();
    },
    () => {
      if (encryptionKeys === undefined) return;
      const isList = Array.isArray(encryptionKeys) && encryptionKeys.length > 0;
      if (!isList || !encryptionKeys.every(isStrong)) throw weakKey();
    },
    () => {
      const others = new Set([...keys, gateway?.portal?.password, gateway?.portal?.username]);
      if ([...secrets, ...encrypting].some((secret) => others.has(secret))) throw shared();
    },
    () => checkKeys(keys, gateway?.environment),
  ]);
}

const textsOf = (given: unknown): readonly string[] =>
  (Array.isArray(given) ? given : [given]).filter((one) => typeof one === 'string');

const weak = (): ConfigurationError =>
  new ConfigurationError('weak_token_secret', {
    setting: 'tokenSecrets',
    what: 'A token secret is a placeholder, one short text again and again, or a row such as the alphabet.',
    why: 'Anyone who guesses it can make addresses that pass for ours.',
    fix: `Make one with: ${MAKE_A_SECRET}`,
  });

const weakKey = (): ConfigurationError =>
  new ConfigurationError('weak_encryption_key', {
    setting: 'encryptionKeys',
    what: `encryptionKeys needs at least one secret, and each needs ${MIN_SECRET_LENGTH} characters or more of some variety.`,
    why: 'Anyone who guesses one and reads the store can charge customers again.',
    fix: `Make one with: ${MAKE_A_SECRET} — or leave the option out, so that tokenSecrets encrypt.`,
  });

const shared = (): ConfigurationError =>
  new ConfigurationError('contradictory_options', {
    setting: 'tokenSecrets',
    what: 'A token secret is also a credential of the gateway.',
    why: 'Who learns one must not have the other, and each has its own time to be replaced.',
    fix: `Make a secret of its own with: ${MAKE_A_SECRET}`,
  });

/** The sandbox's keys say their environment, and so do many gateways'. */
function checkKeys(keys: readonly string[], environment: unknown): void {
  if (environment !== 'staging' && environment !== 'production') return;
  const other = environment === 'staging' ? 'production' : 'staging';
  const isOther = (key: string): boolean => {
    // The last word is the random part, whose letters mean nothing.
    const words = key
      .toLowerCase()
      .split(/[_.:-]/)
      .slice(0, -1);
    return (
      words.some((word) => wordsOf[other].has(word)) &&
      !words.some((word) => word !== 'sandbox' && wordsOf[environment].has(word))
    );
  };
  if (!keys.some(isOther)) return;
  throw new ConfigurationError('wrong_environment', {
    setting: 'gateway.apiKey',
    what: `An API key says that it is of ${other}, but the environment is "${environment}".`,
    why: 'The gateway refuses a key of another environment, and such a key should not travel there.',
    fix: `Take the ${environment} key from that environment’s dashboard, under Settings, API Credentials.`,
  });
}
