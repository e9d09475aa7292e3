/** A command that prints a good secret. */
export const MAKE_A_SECRET = `node -p "crypto.randomBytes(32).toString('hex')"`;

/** The least length of a secret that we ask for, in characters. */
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

/** One short text again and again. */
const REPETITION = /^(.{1,8})\1{3,}.{0,7}$/s;

/** Whether a secret of ours is long enough, and of some variety. */
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
export const isGuessable = (secret: string): boolean =>
  PLACEHOLDER.test(secret) || REPETITION.test(secret) || isInSequence(secret);

const isVaried = (secret: string): boolean => new Set(secret).size >= MIN_VARIETY;

function isInSequence(secret: string): boolean {
  const codes = Array.from(secret.toLowerCase(), (character) => character.codePointAt(0) ?? 0);
  const steps = codes.filter((code, at) => Math.abs(code - (codes[at - 1] ?? -1)) !== 1);
  return steps.length < MIN_STEPS;
}
