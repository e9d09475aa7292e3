const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** Eight digits or more in a row, however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\d(?:[ -]?\d){7,}/g;

/** An e-mail address as people write it; bounded, so that it cannot run long. */
const EMAIL = /[^\s@"'<>]{1,64}@[^\s@"'<>]{1,190}/g;

/**
 * Cleans texts that the gateway sent, so that they may stand in an error or a log: without what the
 * call was given, without long numbers, few and short.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  return messages.slice(0, MAX_MESSAGES).map((message) => {
    let clean = message.slice(0, 4 * MAX_LENGTH);
    for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, MASK);
    return clean.replaceAll(EMAIL, MASK).replaceAll(LONG_NUMBER, MASK).slice(0, MAX_LENGTH);
  });
}
