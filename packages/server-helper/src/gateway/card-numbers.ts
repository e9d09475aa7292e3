import type { Characters } from './characters.ts';
import type { Mark } from './needle.ts';

const FEWEST_DIGITS = 12;
const MOST_DIGITS = 19;
/** What may stand between two groups of digits, besides what nobody sees. */
const LONGEST_GAP = 3;

/** A letter or the sign of a masked digit ends a number; so does a digit that is none of ten. */
const NO_GAP = /[\p{L}\p{N}\p{M}*•●]/u;
const UNSEEN = /[\s\p{Cc}\p{Cf}]/u;

interface Group {
  digits: string;
  readonly start: number;
  end: number;
  /** Whether it belongs to one number with the group before. */
  readonly isNext: boolean;
}

/**
 * Marks what may be card numbers: 12 to 19 digits of any script whose check digit fits (Luhn),
 * whole groups of digits however they are separated. Each group is looked at once for each of the
 * few groups that a number can have.
 */
export function markCardNumbers(characters: Characters, mark: Mark): void {
  const groups = groupsIn(characters);
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

/** The digits of a text that is a number and nothing else, or `undefined`. */
export function digitsOfNumber(characters: Characters): string | undefined {
  if (characters.codes.some((code) => isNoGap(code) && digitOf(code) < 0)) return undefined;
  const digits = groupsIn(characters)
    .map((group) => group.digits)
    .join('');
  return digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS ? digits : undefined;
}

function groupsIn({ codes, starts, ends }: Characters): readonly Group[] {
  const groups: Group[] = [];
  let gap = Infinity;
  let isTouching = false;
  for (const [at, code] of codes.entries()) {
    const digit = digitOf(code);
    const [start = 0, end = 0] = [starts[at], ends[at]];
    const group = groups.at(-1);
    if (digit >= 0 && group !== undefined && isTouching) {
      group.digits += digit;
      group.end = end;
    } else if (digit >= 0) {
      groups.push({ digits: String(digit), start, end, isNext: gap <= LONGEST_GAP });
    } else if (isNoGap(code)) gap = Infinity;
    else gap += isUnseen(code) ? 0 : 1;
    isTouching = digit >= 0;
    if (isTouching) gap = 0;
  }
  return groups;
}

const isNoGap = (code: number): boolean => kindOf(code) === 'no-gap';
const isUnseen = (code: number): boolean => kindOf(code) === 'unseen';

function kindOf(code: number): 'no-gap' | 'unseen' | 'gap' {
  // Nearly all characters are lower case letters of ASCII.
  if (code >= 0x61 && code <= 0x7a) return 'no-gap';
  const text = String.fromCodePoint(code);
  return NO_GAP.test(text) ? 'no-gap' : UNSEEN.test(text) ? 'unseen' : 'gap';
}

const DIGIT = /\p{Nd}/u;

/** The value of a decimal digit of any script, which Unicode lists by tens; -1 for anything else. */
function digitOf(code: number): number {
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
