const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** Eight digits or more in a row, however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\d(?:[ .()/-]{0,2}\d){7,}/g;

/** An e-mail address as people or addresses write it; bounded, so that it cannot run long. */
const EMAIL = /[^\s@"'<>]{1,64}(?:@|%40)[^\s@"'<>]{1,190}/gi;

/**
 * Cleans texts that the gateway sent, so that they may stand in an error or a log: without what the
 * call was given, without long numbers, few and short.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  const known = secrets.filter((secret) => secret !== '').flatMap(spellings);
  return messages.slice(0, MAX_MESSAGES).map((message) => {
    // Cut last: a secret that is cut in two is no longer found.
    let clean = message;
    for (const spelling of known) clean = clean.replaceAll(spelling, MASK);
    return clean.replaceAll(EMAIL, MASK).replaceAll(LONG_NUMBER, MASK).slice(0, MAX_LENGTH);
  });
}

/** A secret as it may be echoed: as given, in an address, in any case of letters. */
function spellings(secret: string): readonly RegExp[] {
  return [...new Set([secret, encodeURIComponent(secret)])].map(
    (text) => new RegExp(text.replaceAll(/[^A-Za-z0-9]/g, String.raw`\$&`), 'gi'),
  );
}
