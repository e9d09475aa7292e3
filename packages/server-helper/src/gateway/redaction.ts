const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** Eight digits or more in a row, in any script and however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\p{Nd}(?:[\s._()/\p{Pd}]{0,3}\p{Nd}){7,}/gu;

/** An e-mail address as people or addresses write it; bounded, so that it cannot run long. */
const EMAIL = /[^\s@"'<>]{1,64}(?:@|%40)[^\s@"'<>]{1,190}/gi;

/** Below this, an encoded secret is so short that it would be found in any text. */
const MIN_ENCODED_LENGTH = 6;

/**
 * Cleans texts that the gateway sent, so that they may stand in an error or a log: without what the
 * call was given, without long numbers, few and short.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  if (messages.length === 0) return [];
  const known = [...new Set(secrets)].filter((secret) => secret.trim() !== '').flatMap(spellings);
  return messages.slice(0, MAX_MESSAGES).map((message) => {
    // Cut last: a secret that is cut in two is no longer found.
    let clean = message;
    for (const spelling of known) clean = clean.replaceAll(spelling, MASK);
    return clean.replaceAll(EMAIL, MASK).replaceAll(LONG_NUMBER, MASK).slice(0, MAX_LENGTH);
  });
}

/** A card number that came whole, masked but for its first six and last four digits. */
export function maskedPan(pan: string): string {
  const digits = pan.replaceAll(/[\s-]/g, '');
  if (!/^\d{12,19}$/.test(digits)) return pan;
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** A key, masked but for its last four characters. */
export const maskedKey = (key: string): string => `${'*'.repeat(key.length - 4)}${key.slice(-4)}`;

/** A secret as it may be echoed. */
function spellings(secret: string): readonly RegExp[] {
  const spelt = new RegExp(spelledOut(secret), 'giu');
  if (secret.length < MIN_ENCODED_LENGTH) return [spelt];
  const encoded = [Buffer.from(secret).toString('hex'), ...inBase64(secret)];
  return [spelt, ...encoded.map((text) => new RegExp(escaped(text), 'gi'))];
}

/**
 * Each character as itself or escaped the way of an address, JSON or HTML, in either case of
 * letters, with gaps between them where the secret has some and where it has none. Gaps are bounded,
 * so that no hostile text takes long.
 */
function spelledOut(secret: string): string {
  const parts = secret.split(GAPS).filter((part) => part !== '');
  if (parts.length === 0) return escaped(secret);
  const written = parts.map((part) =>
    Array.from(part, (character) => `(?:${waysToWrite(character).join('|')})`).join(NARROW_GAP),
  );
  return written.join(WIDE_GAP);
}

const GAPS = /[\s.-]+/;
const NARROW_GAP = String.raw`[\s.\-]{0,2}`;
const WIDE_GAP = String.raw`(?:[\s.\-+]|%[0-9a-f]{2}|\\+u00[0-9a-f]{2}|&#x?[0-9a-f]{1,6};){0,12}`;

function waysToWrite(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const inUtf8 = [...Buffer.from(character)].map(
    (byte) => `%${byte.toString(16).padStart(2, '0')}`,
  );
  const inUtf16 = Array.from({ length: character.length }, (_, index) =>
    character.charCodeAt(index).toString(16).padStart(4, '0'),
  );
  // JSON escapes these by backslashes, and once more where it stands inside JSON.
  const isEscaped = /["\\/]/.test(character);
  return [
    isEscaped ? String.raw`\\{0,7}` + escaped(character) : escaped(character),
    inUtf8.join(''),
    inUtf16.map((unit) => String.raw`\\{1,4}u${unit}`).join(''),
    `&#0*(?:${code}|x0*${hex});`,
  ];
}

/** A text inside a longer one begins at one of three places of a Base64 group. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const bytes = Buffer.from(secret);
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]);
    const whole = Math.floor((shifted.length * 8) / 6);
    // The first and the last characters also hold bits of what stands beside the secret.
    const text = shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), whole);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
