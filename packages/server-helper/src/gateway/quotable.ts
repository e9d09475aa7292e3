/** Texts of the gateway, as an error, a log or the back office may quote them. */

const MASK = '[redacted]';
const MAX_LENGTH = 300;

/** More is read than is quoted, so that an address or a number across the end is found whole. */
const MAX_READ = 600;

/** So much of a secret is compared, so that a token of any length costs little. */
const MAX_SECRET = 4_096;

/** A shorter secret is not searched in its encoded forms, which would be found in any text. */
const MIN_ENCODED = 6;

/** The letters and signs in which English and Arabic are written, all visible and of usual width. */
const PLAIN =
  /^(?:[\t\n\r -~\u00C0-\u024F،؛؟«»‘’“”–—…•●]|[\u0621-\u063A\u0641-\u064A][\u064B-\u0652]*)*$/u;

/** What stands for other characters: an escape of a program, an address or HTML; or a tag. */
const ESCAPE = /\\|%u?[\da-f]{2}|&#?\w+(?![\w=])|<[a-z/!]/i;

/** An e-mail address, 12 digits or more however separated, or 7 as a phone number is written. */
const PERSONAL =
  /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,190}|\d(?:[^\p{L}\d]{0,12}\d){11,}|\d(?:[\s._()/\p{Pd}]{0,3}\d){6,}/u;

/** Long numbers of nobody: a UUID, a date, an amount. */
const HARMLESS =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|20\d\d-\d\d-\d\d(?!\d)|\d{1,7}\.\d\d(?![\d.])/i;

const PARTS = new RegExp(`(?<harmless>${HARMLESS.source})|${PERSONAL.source}`, 'giu');

/**
 * A text of the gateway as it may be quoted, 300 characters at most. An unusual way of writing hides
 * the whole text, for no list of such ways is ever complete.
 *
 * @param secrets - Texts that must not show: credentials, and the phone, e-mail and card of the call.
 */
export function quotable(text: string, secrets: readonly string[]): string {
  const read = text.slice(0, MAX_READ);
  const isShown = PLAIN.test(read) && !ESCAPE.test(read) && !holdsSecret(read, secrets);
  if (!isShown) return `a message of ${text.length} characters`;
  return withoutPersonal(read).slice(0, MAX_LENGTH);
}

/** A text without e-mail addresses and long numbers. */
export function withoutPersonal(text: string): string {
  return text.replaceAll(PARTS, (_found, harmless?: string) => harmless ?? MASK);
}

/**
 * Whether a text holds a secret or a piece of one: 8 letters and digits in a row. Pieces of letters
 * alone have 12, since `merchant` is in many an e-mail address and in many a message.
 */
function holdsSecret(text: string, secrets: readonly string[]): boolean {
  const forms = secrets.flatMap(formsOf);
  const dense = folded(text);
  if (forms.some((form) => dense.includes(form) || text.includes(form))) return true;
  const all = forms.join('\n');
  for (let at = 0; at < dense.length; at += 1) {
    const length = /\d/.test(dense.slice(at, at + 8)) ? 8 : 12;
    const piece = dense.slice(at, at + length);
    if (piece.length === length && all.includes(piece)) return true;
  }
  return false;
}

/** A text without the differences that leave a secret readable: case, width, and all signs. */
const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The folded forms in which a gateway may give a secret back: plain, in hexadecimal, in Base64. */
function formsOf(whole: string): readonly string[] {
  const secret = whole.slice(0, MAX_SECRET);
  if (secret.trim() === '') return [];
  // A secret of nothing but signs is searched as it is.
  const plain = folded(secret) || secret;
  if (secret.length < MIN_ENCODED) return [plain];
  const inHex = Buffer.from(secret).toString('hex');
  return [plain, ...[inHex, ...inBase64(secret)].map(folded)];
}

/** A text inside a longer one begins at one of three places of a Base64 group. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const whole = Math.floor((shifted.length * 8) / 6);
    // The first and the last characters also hold bits of the text around the secret.
    return shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), whole);
  });
}

/** A card number, masked but for its first six and last four digits. */
export function maskedPan(pan: string): string {
  const digits = pan.replaceAll(/\D/g, '');
  const isMasked = digits.length <= 10 || (digits.length <= 12 && /[*•●x]{2}/i.test(pan));
  if (isMasked) return PLAIN.test(pan) && !ESCAPE.test(pan) ? pan : MASK;
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** A key, masked but for its last four characters; a short one wholly. */
export function maskedKey(key: string): string {
  const end = key.length >= 8 ? key.slice(-4) : '';
  return `${'*'.repeat(key.length - end.length)}${end}`;
}
