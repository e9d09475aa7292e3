import { maskNumber, passesLuhn } from '../domain/cards.ts';
import { readSigns } from './read-signs.ts';
import type { Sign } from './read-signs.ts';

const fewestDigits = 12;
const mostDigits = 19;
/** The signs that may separate two groups of digits, besides invisible signs. */
const longestGap = 8;

/** Digits without anything between them. */
interface Group {
  digits: string;
  readonly start: number;
  end: number;
  /** Whether it may be of one number with the group before. */
  readonly isNext: boolean;
  /** Whether a letter is beside it. */
  touches: boolean;
  /** Whether the word that it is of holds other digits too, as that of a hash does. */
  isMixed: boolean;
}

/** Groups that make up a card number. */
interface Found {
  readonly digits: string;
  readonly first: number;
  readonly last: number;
}

type Rule = (digits: string, groups: readonly Group[]) => boolean;

/** How long the numbers of a scheme are, by what they begin with. */
const schemes =
  /^(?:4\d{12}(?:\d{3}){0,2}|(?:5\d|6\d|35|96|97|2[2-7])\d{14}|3[47]\d{13}|3[0689]\d{12}|62\d{17})$/;
/** A day and a time of day, which begin like one scheme's numbers do. */
const dated = /^2\d(?:0[1-9]|1[0-2])(?:[012]\d|3[01])/;

const isOfScheme: Rule = (digits, groups) =>
  schemes.test(digits) && passesLuhn(digits) && !(groups.length === 1 && dated.test(digits));

/** The words of ids and tokens end in digits by chance, so that they are put together with no others. */
const isStray: Rule = (digits, groups) =>
  isOfScheme(digits, groups) &&
  (groups.length === 1
    ? groups.every(({ isMixed }) => !isMixed)
    : groups.every(({ touches }) => !touches));

/** Shops count attempts behind a number, so that one or two digits beside a longer group are no part of it. */
const isOrdered: Rule = (digits, groups) =>
  isOfScheme(digits, groups) &&
  groups.every(({ touches }) => !touches) &&
  (groups.every((group) => group.digits.length > 2) ||
    groups.every((group) => group.digits.length < 3));

/**
 * The text with every card number reduced to its first six and last four digits, however it is
 * separated or escaped, in the digits of any script. For shown texts.
 */
export function withoutCardNumbers(text: string): string {
  return masked(text, [isOfScheme, passesLuhn]);
}

/**
 * The same for stored and answered texts: only numbers of a card scheme, since the ids and
 * addresses of shops hold other numbers that pass the check digit by chance.
 */
export function withoutStrayCards(text: string): string {
  return masked(text, [isStray]);
}

/**
 * The same for a merchant's order number, which is compared exactly and so is refused or stored whole:
 * only a number that no letter touches.
 */
export function withoutCardForOrder(text: string): string {
  return masked(text, [isOrdered]);
}

/**
 * The digits of a UUID are never part of a card number; letters of the same length replace them.
 */
const uuid =
  /(?:(?<![\da-z])|(?<=%(?:25){0,8}[\da-f]{2}))[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}(?![\da-z])/gi;

function masked(text: string, rules: readonly Rule[]): string {
  if (!mayHoldNumber(text)) return text;
  const plain = text.replaceAll(uuid, (id) => 'x'.repeat(id.length));
  if (!mayHoldNumber(plain)) return text;
  const groups = groupsIn(readSigns(plain));
  const found: Found[] = [];
  for (const rule of rules) found.push(...numbersIn(groups, rule, found));
  let clean = '';
  let at = 0;
  for (const { digits, first, last } of found.toSorted((one, other) => one.first - other.first)) {
    clean += text.slice(at, groups[first]?.start) + maskNumber(digits);
    at = groups[last]?.end ?? at;
  }
  return clean + text.slice(at);
}

/** Nearly all texts hold too few digits, and this is cheap. */
function mayHoldNumber(text: string): boolean {
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code >= 0x30 && code <= 0x39) || code > 0x7f) digits += 1;
  }
  return digits >= fewestDigits;
}

/** Whole groups whose digits fit the rule, from left to right, the longest first. */
function numbersIn(groups: readonly Group[], rule: Rule, known: readonly Found[]): Found[] {
  const found: Found[] = [];
  for (let first = 0; first < groups.length; first += 1) {
    const number = longestAt(groups, first, rule, known);
    if (number === null) continue;
    found.push(number);
    first = number.last;
  }
  return found;
}

function longestAt(
  groups: readonly Group[],
  first: number,
  rule: Rule,
  known: readonly Found[],
): Found | null {
  let longest: Found | null = null;
  let digits = '';
  for (let last = first; last < groups.length; last += 1) {
    const group = groups[last];
    const isTaken = known.some((one) => last >= one.first && last <= one.last);
    if (group === undefined || isTaken || (last > first && !group.isNext)) break;
    digits += group.digits;
    if (digits.length > mostDigits) break;
    const isNumber = digits.length >= fewestDigits && rule(digits, groups.slice(first, last + 1));
    if (isNumber) longest = { digits, first, last };
  }
  return longest;
}

/** Not seen between others: marks, fillers, the tatweel between letters. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{M}\p{Cf}\u0640]/u;
const roomless = /[\s\p{Cc}]/u;
const ofWord = /[\p{L}\p{N}]/u;
/** The sign of a masked digit: one parts two groups, several are hidden digits. */
const ofMask = /[*•●]/u;

function groupsIn(signs: readonly Sign[]): readonly Group[] {
  const groups: Group[] = [];
  let gap = Number.POSITIVE_INFINITY;
  let masks = 0;
  /** The group before, while its word goes on, and what follows it. */
  let worded: Group | null = null;
  let behind: 'digits' | 'unseen' | 'letters' = 'digits';
  let isBehindLetter = false;
  for (const { char, start, end } of signs) {
    const digit = digitOf(char);
    if (digit !== null && worded !== null && behind === 'digits') {
      worded.digits += digit;
      worded.end = end;
    } else if (digit !== null) {
      const isMixed: boolean = worded !== null && behind === 'letters';
      if (worded !== null && isMixed) worded.isMixed = true;
      const isNext: boolean = gap <= longestGap;
      worded = { digits: String(digit), start, end, isNext, touches: isBehindLetter, isMixed };
      groups.push(worded);
    } else if (unseen.test(char)) {
      if (behind === 'digits') behind = 'unseen';
      continue;
    } else if (ofWord.test(char)) {
      if (worded !== null && behind !== 'letters') worded.touches = true;
      gap = Number.POSITIVE_INFINITY;
    } else {
      worded = null;
      masks += ofMask.test(char) ? 1 : 0;
      gap = masks > 1 ? Number.POSITIVE_INFINITY : gap + (roomless.test(char) ? 0 : 1);
    }
    isBehindLetter = digit === null && ofWord.test(char);
    behind = isBehindLetter ? 'letters' : 'digits';
    if (digit !== null) [gap, masks] = [0, 0];
  }
  return groups;
}

/** The value of a decimal digit of any script; Unicode lists them by tens. */
function digitOf(char: string): number | null {
  if (char >= '0' && char <= '9') return Number(char);
  let code = char.codePointAt(0) ?? 0;
  if (code < 0x80 || !/\p{Nd}/u.test(char)) return null;
  let before = 0;
  for (; /\p{Nd}/u.test(String.fromCodePoint(code - 1)); code -= 1) before += 1;
  return before % 10;
}
