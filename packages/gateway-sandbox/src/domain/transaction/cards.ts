import { approvedCode, issuerDeclineCodes } from './response-codes.ts';

export type CardScheme = 'MADA' | 'VISA' | 'MASTERCARD' | 'AMEX';

/** What 3-D Secure does with a card: the modes 00 to 06 of the sandbox's own grammar. */
export type ChallengeMode =
  | 'none'
  | 'challenge'
  | 'authentication-fails'
  | 'attempted'
  | 'not-enrolled'
  | 'directory-down'
  | 'never-returns';

/** A test card, identified by the part of it that may be stored: never the whole number. */
export interface TestCard {
  readonly firstSix: string;
  readonly lastFour: string;
  readonly scheme: CardScheme;
  readonly mode: ChallengeMode;
  readonly responseCode: string;
}

interface PublishedCard {
  readonly number: string;
  readonly scheme: CardScheme;
  readonly responseCode: string;
  readonly mode: ChallengeMode;
}

/** The published test numbers of the region, so that existing test data works. */
export const publishedCards: readonly PublishedCard[] = [
  published('4201320111111010', 'MADA', approvedCode),
  published('4201320000311101', 'MADA', '51'),
  published('4201321234411220', 'MADA', '05'),
  published('4201320131000508', 'MADA', '41'),
  published('4201321144311528', 'MADA', '43'),
  published('4201322267774310', 'MADA', '54'),
  published('4201326324640570', 'MADA', '61'),
  published('4201320000013020', 'MADA', '99'),
  published('4464040000000007', 'MADA', approvedCode),
  published('5297412542005689', 'MADA', approvedCode),
  published('4111111111111111', 'VISA', approvedCode),
  published('4508750015741019', 'VISA', approvedCode, 'challenge'),
  published('4012001037141112', 'VISA', approvedCode),
  published('5123450000000008', 'MASTERCARD', approvedCode),
  published('5457210001000019', 'MASTERCARD', approvedCode),
  published('345678901234564', 'AMEX', '57'),
];

const publishedByNumber: ReadonlyMap<string, PublishedCard> = new Map(
  publishedCards.map((card) => [card.number, card]),
);

const grammarSchemes: ReadonlyMap<string, CardScheme> = new Map([
  ['99', 'MADA'],
  ['98', 'VISA'],
  ['97', 'MASTERCARD'],
]);

const grammarModes: ReadonlyMap<string, ChallengeMode> = new Map([
  ['00', 'none'],
  ['01', 'challenge'],
  ['02', 'authentication-fails'],
  ['03', 'attempted'],
  ['04', 'not-enrolled'],
  ['05', 'directory-down'],
  ['06', 'never-returns'],
]);

const grammarCodes: ReadonlySet<string> = new Set([approvedCode, ...issuerDeclineCodes]);

/** The test card with this number (digits only), or null: a number on neither list is refused. */
export function findTestCard(number: string): TestCard | null {
  const card = publishedByNumber.get(number) ?? cardOfGrammar(number);
  if (card === null) return null;
  return {
    firstSix: number.slice(0, 6),
    lastFour: number.slice(-4),
    scheme: card.scheme,
    mode: card.mode,
    responseCode: card.responseCode,
  };
}

/** The sandbox's own numbers differ in their middle, which mode and code follow from. */
export function isSameCard(one: TestCard, other: TestCard): boolean {
  return (
    one.firstSix === other.firstSix &&
    one.lastFour === other.lastFour &&
    one.mode === other.mode &&
    one.responseCode === other.responseCode
  );
}

/** The part of an unknown card number that may be stored. */
export function maskNumber(number: string): string {
  const { length } = number;
  if (length < 11) return '*'.repeat(length);
  return number.slice(0, 6) + '*'.repeat(length - 10) + number.slice(-4);
}

/** The check digit rule of ISO/IEC 7812. */
export function passesLuhn(number: string): boolean {
  let sum = 0;
  for (let fromRight = 0; fromRight < number.length; fromRight += 1) {
    const digit = number.charCodeAt(number.length - 1 - fromRight) - 48;
    const doubled = fromRight % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

function published(
  number: string,
  scheme: CardScheme,
  responseCode: string,
  mode: ChallengeMode = 'none',
): PublishedCard {
  return { number, scheme, responseCode, mode };
}

/** `9682 99 MM RR 00000 C`: scheme, 3-D Secure mode and response code spelled out in the number. */
function cardOfGrammar(number: string): Omit<PublishedCard, 'number'> | null {
  const parts = /^9682(9[789])(\d\d)(\d\d)00000\d$/.exec(number);
  if (parts === null || !passesLuhn(number)) return null;
  const scheme = grammarSchemes.get(parts[1] ?? '');
  const mode = grammarModes.get(parts[2] ?? '');
  const responseCode = parts[3] ?? '';
  if (scheme === undefined || mode === undefined || !grammarCodes.has(responseCode)) return null;
  return { scheme, mode, responseCode };
}
