import { maskNumber, passesLuhn } from './cards.ts';
import { readSigns } from './read-signs.ts';
import type { Sign } from './read-signs.ts';

const fewestDigits = 12;
const mostDigits = 19;
/** What may stand between two groups of digits, besides what takes no room. */
const longestGap = 3;
/** A longer word with digits in it is a token or a hash. */
const longestWord = 28;

/** Digits without anything between them. */
interface Group {
  digits: string;
  readonly start: number;
  end: number;
  /** Whether it may be of one number with the group before. */
  readonly isNext: boolean;
  /** How many letters and digits stand together with it, itself included. */
  readonly word: number;
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
  schemes.test(digits) &&
  passesLuhn(digits) &&
  !(groups.length === 1 && dated.test(digits)) &&
  groups.every(({ word }) => word <= longestWord);

/**
 * The text with every card number in it reduced to its first six and last four digits, however it
 * is separated or escaped, in the digits of any script. For what is shown.
 */
export function withoutCardNumbers(text: string): string {
  return masked(text, [isOfScheme, passesLuhn]);
}

/**
 * The same for what is kept and answered: only numbers that are like those of a card scheme, since
 * the ids and addresses of shops hold others that pass the check digit by chance.
 */
export function withoutStrayCards(text: string): string {
  return masked(text, [isOfScheme]);
}

function masked(text: string, rules: readonly Rule[]): string {
  if (text.length < fewestDigits || !mayHoldNumber(text)) return text;
  const groups = groupsIn(readSigns(text));
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

const unseen = /[\s\p{Cc}\p{Cf}]/u;
const ofWord = /[\p{L}\p{N}\p{M}]/u;
/** The signs of masked digits end a number too. */
const noGap = /[\p{L}\p{N}\p{M}*•●]/u;

function groupsIn(signs: readonly Sign[]): readonly Group[] {
  const groups: Group[] = [];
  let gap = Number.POSITIVE_INFINITY;
  for (const [at, { char, start, end }] of signs.entries()) {
    const digit = digitOf(char);
    const open = groups.at(-1);
    if (digit === null) {
      gap = noGap.test(char) ? Number.POSITIVE_INFINITY : gap + (unseen.test(char) ? 0 : 1);
      continue;
    }
    if (open !== undefined && at > 0 && digitOf(signs[at - 1]?.char ?? '') !== null) {
      open.digits += digit;
      open.end = end;
    } else {
      const word = wordAround(signs, at);
      groups.push({ digits: String(digit), start, end, isNext: gap <= longestGap, word });
    }
    gap = 0;
  }
  return groups;
}

/** How long the word around a place is; of a longer one than matters, no more is counted. */
function wordAround(signs: readonly Sign[], at: number): number {
  const isOfWord = (place: number): boolean => ofWord.test(signs[place]?.char ?? '');
  let [before, behind] = [at, at];
  while (at - before <= longestWord && isOfWord(before - 1)) before -= 1;
  while (behind - at <= longestWord && isOfWord(behind + 1)) behind += 1;
  return behind - before + 1;
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
