import type { Reading } from './characters.ts';

const FEWEST_DIGITS = 12;
const MOST_DIGITS = 19;
/** The most signs between two groups of digits, besides those that take no room. */
const LONGEST_GAP = 8;

/** A letter ends a number; so does a number sign that is no decimal digit. */
const OF_WORD = /[\p{L}\p{N}]/u;
/** The sign of a masked digit: one separates two groups, several replace hidden digits. */
const OF_MASK = /[*•●]/u;
const ROOMLESS = /[\s\p{Cc}]/u;
/** Invisible between other characters: marks, fillers, the tatweel between letters. */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Cf}\u0640]/u;

/**
 * A sign as a text may write it: an HTML space without its semicolon, an escape of JavaScript, a
 * tag, or any single character. Digits behind such a space do not belong to the space's number.
 */
const WRITTEN =
  /&#(?:x0*(?:200[a-f]|20[25]f|20|a0|a?d|2d|[9a])|0*(?:82\d\d|160|173|32|45|1[03]|9));?|&#(?:x3\d|4[89]|5[0-7])|&(?:nbsp|shy|(?:en|em|thin)sp|zwn?j);?|(?<!\\)\\+(?:u\{[\da-f]{1,6}\}|x[\da-f]{2}|[nrtvfb])|<\/?[a-z]{1,10}\d?(?![a-z\d])[^<>\p{Nd}]{0,64}>|./gisu;

interface Group {
  digits: string;
  readonly start: number;
  end: number;
  /** Whether it continues the number of the group before. */
  readonly isNext: boolean;
}

/**
 * Marks possible card numbers: 12 to 19 digits of any script whose check digit fits (Luhn), in whole
 * groups of digits, however they are separated. The work is in proportion to the text, since a
 * number has few groups.
 */
export function markCardNumbers(
  reading: Reading,
  mark: (start: number, end: number) => void,
): void {
  const groups = groupsOf(signsOf(reading));
  for (const [at, { start }] of groups.entries()) {
    let digits = '';
    for (const group of groups.slice(at, at + MOST_DIGITS)) {
      if (digits !== '' && !group.isNext) break;
      digits += group.digits;
      if (digits.length > MOST_DIGITS) break;
      if (digits.length >= FEWEST_DIGITS && passesLuhn(digits)) mark(start, group.end);
    }
  }
}

/** The digits of a text that holds one number and nothing else, or `undefined`. */
export function digitsOfNumber(reading: Reading): string | undefined {
  const signs = signsOf(reading);
  if (signs.some(({ text }) => isLetter(text) && digitOf(text) < 0)) return undefined;
  const groups = groupsOf(signs);
  if (groups.some(({ isNext }, at) => at > 0 && !isNext)) return undefined;
  const digits = groups.map((group) => group.digits).join('');
  return digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS ? digits : undefined;
}

const isLetter = (text: string): boolean => !UNSEEN.test(text) && OF_WORD.test(text);

function groupsOf(signs: readonly Sign[]): readonly Group[] {
  const groups: Group[] = [];
  let gap = Infinity;
  let masks = 0;
  let isTouching = false;
  for (const { text, start, end } of signs) {
    const digit = digitOf(text);
    const group = groups.at(-1);
    if (digit >= 0 && group !== undefined && isTouching) {
      group.digits += digit;
      group.end = end;
    } else if (digit >= 0) {
      groups.push({ digits: String(digit), start, end, isNext: gap <= LONGEST_GAP });
    } else if (!UNSEEN.test(text)) {
      masks += OF_MASK.test(text) ? 1 : 0;
      if (masks > 1 || OF_WORD.test(text)) gap = Infinity;
      else gap += ROOMLESS.test(text) ? 0 : 1;
    }
    isTouching = digit >= 0;
    if (isTouching) [gap, masks] = [0, 0];
  }
  return groups;
}

/** A character and the part of the text that it was read from. */
interface Sign {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

function signsOf({ text, starts, ends }: Reading): readonly Sign[] {
  return Array.from(text.matchAll(WRITTEN), ({ 0: found, index }) => ({
    text: readWritten(found),
    start: starts[index] ?? 0,
    end: ends[index + found.length - 1] ?? 0,
  }));
}

/** The character that an escape means; a named escape and a tag count as a space. */
function readWritten(found: string): string {
  if (found.length === 1 || !/^[<&\\]/.test(found)) return found;
  const [, hex, decimal] = /(?:[xu]\{?([\da-f]+)\}?|#(\d+));?$/i.exec(found) ?? [];
  if (hex === undefined && decimal === undefined) return ' ';
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : ' ';
}

const DIGIT = /\p{Nd}/u;

/** The value of a decimal digit of any script, which Unicode lists by tens; -1 for anything else. */
function digitOf(text: string): number {
  const code = text.codePointAt(0) ?? 0;
  if (code < 0x80) return code >= 0x30 && code <= 0x39 ? code - 0x30 : -1;
  let before = 0;
  while (DIGIT.test(String.fromCodePoint(code - before))) before += 1;
  return before === 0 ? -1 : (before - 1) % 10;
}

/** The check digit rule of ISO/IEC 7812. */
function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < number.length; fromRight += 1) {
    const digit = number.charCodeAt(number.length - 1 - fromRight) - 0x30;
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
