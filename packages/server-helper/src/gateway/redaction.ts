import { digitsOfNumber, markCardNumbers } from './card-numbers.ts';
import { unescaped, type Characters } from './characters.ts';
import type { Mark } from './needle.ts';
import { readMessage, type Secret } from './secret.ts';

const MASK = '[redacted]';
const MAX_MESSAGES = 10;
const MAX_LENGTH = 300;

/** How much of a message is read: enough to tell what went wrong, whatever the gateway sends. */
const MAX_READ = 2_048;
/** What is read behind it, so that nothing is cut in two that a pattern finds whole. */
const MARGIN = 512;

/** Eight digits or more in a row, in any script and however spaced, may be a phone or a card number. */
const LONG_NUMBER = /\p{Nd}(?:[\s._()/\p{Cf}\p{Pd}]{0,3}\p{Nd}){7,}/gu;

/** An e-mail address as people or addresses write it; bounded, so that it cannot run long. */
const EMAIL = /[^\s@"'<>]{1,64}(?:@|%40)[^\s@"'<>]{1,190}/gi;

/**
 * Cleans texts that the gateway sent, so that they may stand in an error or a log: without what the
 * call was given, without long numbers, few and short.
 */
export function cleanMessages(
  messages: readonly string[],
  secrets: readonly Secret[],
): readonly string[] {
  return messages
    .slice(0, MAX_MESSAGES)
    .map((message) => cleanMessage(message, secrets).slice(0, MAX_LENGTH));
}

function cleanMessage(message: string, secrets: readonly Secret[]): string {
  const isCut = message.length > MAX_READ + MARGIN;
  const text = isCut ? message.slice(0, MAX_READ + MARGIN) : message;
  const read = readMessage(text, isCut);
  const hidden = new HiddenParts(text);
  for (const secret of secrets) secret.markIn(read, hidden.add);
  for (const characters of read.readings) {
    markPatterns(characters, hidden.add);
    markCardNumbers(characters, hidden.add);
  }
  return hidden.shown(isCut ? MAX_READ : text.length, MASK);
}

function markPatterns({ codes, starts, ends }: Characters, mark: Mark): void {
  const units = codes.map((code) => String.fromCodePoint(code));
  // Which character each unit of the text belongs to.
  const owners = units.flatMap((unit, at) => Array.from({ length: unit.length }, () => at));
  const text = units.join('');
  for (const pattern of [EMAIL, LONG_NUMBER]) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      const [first = 0, last = 0] = [owners[index], owners[index + found.length - 1]];
      mark(starts[first] ?? 0, ends[last] ?? 0);
    }
  }
}

/** Parts of a text that must not show; marking one costs the same however long it is. */
class HiddenParts {
  readonly #text: string;
  /** How many parts begin at a place, less how many end there. */
  readonly #turns: Int32Array;

  constructor(text: string) {
    this.#text = text;
    this.#turns = new Int32Array(text.length + 1);
  }

  readonly add: Mark = (start, end) => {
    this.#turns[start] = (this.#turns[start] ?? 0) + 1;
    this.#turns[end] = (this.#turns[end] ?? 0) - 1;
  };

  /** The text up to a place, with the mask once for all parts that touch. */
  shown(end: number, mask: string): string {
    let shown = '';
    let depth = 0;
    for (let at = 0; at < end; at += 1) {
      const before = depth;
      depth += this.#turns[at] ?? 0;
      if (depth === 0) shown += this.#text[at] ?? '';
      else if (before === 0) shown += mask;
    }
    return shown;
  }
}

/** A card number that came whole, masked but for its first six and last four digits. */
export function maskedPan(pan: string): string {
  const digits = digitsOfNumber(unescaped(pan));
  if (digits === undefined) {
    const hidden = new HiddenParts(pan);
    markCardNumbers(unescaped(pan), hidden.add);
    return hidden.shown(pan.length, MASK);
  }
  return `${digits.slice(0, 6)}${'*'.repeat(digits.length - 10)}${digits.slice(-4)}`;
}

/** A key, masked but for its last four characters. */
export const maskedKey = (key: string): string => `${'*'.repeat(key.length - 4)}${key.slice(-4)}`;
