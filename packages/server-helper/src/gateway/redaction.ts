import { digitsOfNumber, markCardNumbers } from './card-numbers.ts';
import { asWritten, dense, unescaped, type Reading } from './characters.ts';

const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** How much of a message is read: enough to see what went wrong, whatever the gateway sends. */
const MAX_READ = 2_048;
/**
 * The length that is read beyond that end, so that a secret or a number across the end is found
 * whole.
 */
const MARGIN = 512;

/** Longer than every text that is read, so that the rest of a longer secret cannot matter. */
const MAX_SECRET_LENGTH = 4_096;

/** A shorter secret is not searched in its encoded forms, which would be found in any text. */
const MIN_ENCODED_LENGTH = 6;

/** A cut text may end within an escape, whose characters match nothing. */
const BROKEN_ESCAPE = 64;

/** Eight digits or more in a row, in any script and however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\p{Nd}(?:[\s._()/\p{Cf}\p{Pd}]{0,3}\p{Nd}){7,}/gu;

/** An e-mail address, also percent-encoded; bounded, so that the search takes linear time. */
const EMAIL = /[^\s@"'<>]{1,64}(?:@|%40)[^\s@"'<>]{1,190}/gi;

/**
 * Cleans texts that the gateway sent, so that an error or a log may quote them: without secrets, long
 * numbers and e-mail addresses, at most ten texts of 300 characters.
 *
 * @param secrets - Texts that must not show: credentials, and the phone, e-mail and card of the
 * call.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly string[],
): readonly string[] {
  if (messages.length === 0) return [];
  const needles = [...new Set(secrets)].map(needlesOf);
  return messages
    .slice(0, MAX_MESSAGES)
    .map((message) => cleanMessage(message, needles).slice(0, MAX_LENGTH));
}

function cleanMessage(message: string, needles: readonly Needles[]): string {
  const isCut = message.length > MAX_READ + MARGIN;
  const text = isCut ? message.slice(0, MAX_READ + MARGIN) : message;
  const written = asWritten(text);
  const readings = /[%&\\]/.test(text) ? [written, unescaped(text)] : [written];
  const denseReadings = readings.map(dense);
  const hidden = new HiddenParts(text);
  for (const { literal, folded } of needles) {
    hidden.addNeedle(literal, written, isCut);
    for (const needle of folded) {
      for (const reading of denseReadings) hidden.addNeedle(needle, reading, isCut);
    }
  }
  for (const reading of readings) {
    hidden.addPattern(EMAIL, reading);
    hidden.addPattern(LONG_NUMBER, reading);
    markCardNumbers(reading, hidden.add);
  }
  return hidden.shown(isCut ? MAX_READ : text.length, MASK);
}

/** The forms of a secret to search for. None becomes a pattern, whose search could take for ever. */
interface Needles {
  /** The secret itself, where it consists of nothing but signs that folding drops; else empty. */
  readonly literal: string;
  /** Its forms in dense readings. */
  readonly folded: readonly string[];
}

function needlesOf(whole: string): Needles {
  const secret = whole.slice(0, MAX_SECRET_LENGTH);
  if (secret.trim() === '') return { literal: '', folded: [] };
  const encoded = secret.length < MIN_ENCODED_LENGTH ? [] : [inHex(secret), ...inBase64(secret)];
  const forms = [asWritten(secret), unescaped(secret), ...encoded.map(asWritten)];
  const folded = [...new Set(forms.map((form) => dense(form).text))].filter((form) => form !== '');
  return { literal: folded.length === 0 ? secret : '', folded };
}

const inHex = (secret: string): string => Buffer.from(secret).toString('hex');

/** A text inside a longer one begins at one of three places of a Base64 group. */
function inBase64(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret)]);
    const whole = Math.floor((shifted.length * 8) / 6);
    // The first and the last characters also hold bits of the text around the secret.
    const text = shifted.toString('base64').slice(Math.ceil((shift * 8) / 6), whole);
    return [text, text.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Parts of a text that must not show; adding a part costs the same however long it is. */
class HiddenParts {
  readonly #text: string;
  /** How many parts begin at a place, less how many end there. */
  readonly #changes: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.#changes = new Int32Array(text.length + 1);
  }

  readonly add = (start: number, end: number): void => {
    this.#changes[start] = (this.#changes[start] ?? 0) + 1;
    this.#changes[end] = (this.#changes[end] ?? 0) - 1;
  };

  addPattern(pattern: RegExp, { text, starts, ends }: Reading): void {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      this.add(starts[index] ?? 0, ends[index + found.length - 1] ?? 0);
    }
  }

  /** @param isCut - Whether more text followed, so that the beginning of a needle at the end counts. */
  addNeedle(needle: string, { text, starts, ends }: Reading, isCut: boolean): void {
    if (needle === '') return;
    for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
      this.add(starts[at] ?? 0, ends[at + needle.length - 1] ?? 0);
    }
    if (!isCut) return;
    const tail = Math.max(0, text.length - BROKEN_ESCAPE);
    for (let at = Math.max(0, tail - needle.length); at < text.length; at += 1) {
      if (!needle.startsWith(text.slice(at, Math.max(at + 1, tail)))) continue;
      this.add(starts[at] ?? 0, ends.at(-1) ?? 0);
      return;
    }
  }

  /** The text up to a place, with one mask for all parts that touch. */
  shown(end: number, mask: string): string {
    let shown = '';
    let depth = 0;
    for (let at = 0; at < end; at += 1) {
      const before = depth;
      depth += this.#changes[at] ?? 0;
      if (depth === 0) shown += this.#text[at] ?? '';
      else if (before === 0) shown += mask;
    }
    return shown;
  }
}

/** A card number that came in full, masked but for its first six and last four digits. */
export function maskedPan(pan: string): string {
  const reading = unescaped(pan);
  const digits = digitsOfNumber(reading);
  if (digits === undefined) {
    const hidden = new HiddenParts(pan);
    markCardNumbers(reading, hidden.add);
    return hidden.shown(pan.length, MASK);
  }
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** A key, masked but for its last four characters; a short one wholly. */
export function maskedKey(key: string): string {
  const end = key.length >= 8 ? key.slice(-4) : '';
  return `${'*'.repeat(key.length - end.length)}${end}`;
}
