/** The meaning of an issuer's response code, in the words that `declineReason` carries. */
const declineReasons: ReadonlyMap<string, string> = new Map([
  ['05', 'Do not honour'],
  ['14', 'Invalid card number'],
  ['41', 'Lost card'],
  ['43', 'Stolen card'],
  ['51', 'Insufficient funds'],
  ['54', 'Expired card'],
  ['57', 'Unsupported card scheme'],
  ['61', 'Exceeds withdrawal limit'],
  ['82', 'CVV check failed'],
  ['91', 'Issuer unavailable'],
  ['96', 'System malfunction'],
  ['99', 'Unspecified failure'],
  ['3D', '3-D Secure authentication failed'],
  ['3U', '3-D Secure directory unavailable'],
  ['3C', '3-D Secure cancelled by the shopper'],
  ['3I', '3-D Secure issuer error'],
  ['3T', '3-D Secure time limit passed'],
  ['3P', 'Checkout session already paid'],
  ['3X', 'Checkout session expired'],
]);

/** The response codes that a test card's number and an armed decline can ask for. */
export const issuerDeclineCodes = [
  '05',
  '14',
  '41',
  '43',
  '51',
  '54',
  '61',
  '91',
  '96',
  '99',
] as const;

export const approvedCode = '00';

/** The reason of a decline; null for an approval. */
export function declineReason(code: string): string | null {
  return code === approvedCode ? null : (declineReasons.get(code) ?? 'Declined');
}

type CardScheme = 'MADA' | 'VISA' | 'MASTERCARD' | 'AMEX';

/** What 3-D Secure does with a card: the modes 00 to 06 of the sandbox's own grammar. */
type ChallengeMode =
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

/** A card as typed by a shopper; the texts may hold spaces, dashes and Arabic digits. */
export interface CardText {
  readonly number: string;
  /** `MM/YY`, `MM/YYYY` or the digits alone. */
  readonly expiry: string;
  readonly cvv: string;
}

/** A card that may be charged: no full number and no CVV in it, so it may be written down. */
export interface CardEntry {
  readonly card: TestCard;
  /** True for the reserved CVV 911, which declines. */
  readonly cvvDeclines: boolean;
  /** Epoch milliseconds; from this instant on the card has expired. */
  readonly goodUntil: number;
}

export type CardField = 'number' | 'expiry' | 'cvv';
type CardFault = 'missing' | 'malformed' | 'not-a-test-card' | 'expired';
export type CardFaults = Partial<Record<CardField, CardFault>>;

/** The reserved CVV that makes every card decline. */
export const decliningCvv = '911';

/**
 * Reads a typed card. `now` is the sandbox clock in epoch milliseconds: a card is good until the
 * last millisecond (UTC) of its month.
 */
export function readCard(
  text: CardText,
  now: number,
): { entry: CardEntry } | { faults: CardFaults } {
  const number = plainDigits(text.number);
  const cvv = plainDigits(text.cvv);
  const card = /^\d{12,19}$/.test(number) ? findTestCard(number) : null;
  const faults: CardFaults = {};
  if (card === null) faults.number = numberFault(number);
  const expiry = readExpiry(plainDigits(text.expiry));
  if ('fault' in expiry) faults.expiry = expiry.fault;
  else if (expiry.goodUntil <= now) faults.expiry = 'expired';
  if (!/^\d{3,4}$/.test(cvv)) faults.cvv = cvv === '' ? 'missing' : 'malformed';
  if (card === null || 'fault' in expiry || Object.keys(faults).length > 0) return { faults };
  return { entry: { card, cvvDeclines: cvv === decliningCvv, goodUntil: expiry.goodUntil } };
}

/** Digits of any keyboard as 0 to 9, without the spaces and dashes that people put between them. */
export function plainDigits(text: string): string {
  return westernDigits(text).replace(/[\s\u200e\u200f-]/g, '');
}

/** Digits of any keyboard as 0 to 9; all else stays. */
export function westernDigits(text: string): string {
  return text
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x0660))
    .replace(/[\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) - 0x06f0));
}

function numberFault(number: string): CardFault {
  if (number === '') return 'missing';
  return /^\d{12,19}$/.test(number) ? 'not-a-test-card' : 'malformed';
}

/** A card is good until its month ends (UTC). */
function readExpiry(text: string): { goodUntil: number } | { fault: CardFault } {
  if (text === '') return { fault: 'missing' };
  const parts = /^(0?[1-9]|1[0-2])(?:\/|(?=\d{2}$)|(?=\d{4}$))(\d{2}|20\d{2})$/.exec(text);
  if (parts === null) return { fault: 'malformed' };
  const month = Number(parts[1]);
  const year = Number(parts[2]?.slice(-2)) + 2000;
  return { goodUntil: Date.UTC(year, month) };
}

const lifeMs = 365 * 24 * 60 * 60 * 1000;

/** The simulated sheet's device card: it approves, so what decides is everything but the card. */
export function applePayEntry(now: number): CardEntry {
  return {
    card: {
      firstSix: '446404',
      lastFour: '0007',
      scheme: 'MADA',
      mode: 'none',
      responseCode: '00',
    },
    cvvDeclines: false,
    goodUntil: now + lifeMs,
  };
}
