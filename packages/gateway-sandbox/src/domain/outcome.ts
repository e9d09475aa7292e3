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
const declineCodes = ['05', '14', '41', '43', '51', '54', '61', '91', '96', '99'] as const;

export const approvedCode = '00';

export function declineReason(code: string): string | null {
  return code === approvedCode ? null : (declineReasons.get(code) ?? 'Declined');
}

type CardScheme = 'MADA' | 'VISA' | 'MASTERCARD' | 'AMEX';

/** A test card, identified by the part of it that may be stored: never the whole number. */
export interface TestCard {
  readonly firstSix: string;
  readonly lastFour: string;
  readonly scheme: CardScheme;
  readonly mode: (typeof grammarModes)[number];
  readonly responseCode: string;
}

type CardKind = Pick<TestCard, 'scheme' | 'responseCode' | 'mode'>;

/** The published test numbers of the region, so that existing test data works. */
const published: ReadonlyMap<string, CardKind> = new Map([
  ['4201320111111010', plain('MADA')],
  ['4201320000311101', plain('MADA', '51')],
  ['4201321234411220', plain('MADA', '05')],
  ['4201320131000508', plain('MADA', '41')],
  ['4201321144311528', plain('MADA', '43')],
  ['4201322267774310', plain('MADA', '54')],
  ['4201326324640570', plain('MADA', '61')],
  ['4201320000013020', plain('MADA', '99')],
  ['4464040000000007', plain('MADA')],
  ['5297412542005689', plain('MADA')],
  ['4111111111111111', plain('VISA')],
  ['4508750015741019', { ...plain('VISA'), mode: 'challenge' }],
  ['4012001037141112', plain('VISA')],
  ['5123450000000008', plain('MASTERCARD')],
  ['5457210001000019', plain('MASTERCARD')],
  ['345678901234564', plain('AMEX', '57')],
]);

function plain(scheme: CardScheme, responseCode: string = approvedCode): CardKind {
  return { scheme, responseCode, mode: 'none' };
}

export const publishedNumbers: readonly string[] = [...published.keys()];

const grammarSchemes: Readonly<Record<string, CardScheme>> = {
  99: 'MADA',
  98: 'VISA',
  97: 'MASTERCARD',
};

/** The modes 00 to 06 of the sandbox's own grammar. */
const grammarModes = [
  'none',
  'challenge',
  'authentication-fails',
  'attempted',
  'not-enrolled',
  'directory-down',
  'never-returns',
] as const;

const grammarCodes: ReadonlySet<string> = new Set([approvedCode, ...declineCodes]);

/** The test card with this number (digits only), or null: a number on neither list is refused. */
export function findTestCard(number: string): TestCard | null {
  const card = published.get(number) ?? cardOfGrammar(number);
  return card === null
    ? null
    : { firstSix: number.slice(0, 6), lastFour: number.slice(-4), ...card };
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

/** `9682 99 MM RR 00000 C`: scheme, 3-D Secure mode and response code spelled out in the number. */
function cardOfGrammar(number: string): CardKind | null {
  const parts = /^9682(9[789])(\d\d)(\d\d)00000\d$/.exec(number);
  const [, brand = '', digits = '', responseCode = ''] = parts ?? [];
  const scheme = grammarSchemes[brand];
  const mode = grammarModes[Number(digits)];
  if (parts === null || scheme === undefined || mode === undefined) return null;
  return grammarCodes.has(responseCode) && passesLuhn(number)
    ? { scheme, mode, responseCode }
    : null;
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

export const decliningCvv = '911';

/** Reads a typed card, which is good until the last millisecond (UTC) of its month. */
export function readCard(
  text: CardText,
  now: number,
): { entry: CardEntry } | { faults: CardFaults } {
  const number = plainDigits(text.number);
  const cvv = plainDigits(text.cvv);
  const isWhole = /^\d{12,19}$/.test(number);
  const card = isWhole ? findTestCard(number) : null;
  const faults: CardFaults = {};
  if (number === '') faults.number = 'missing';
  else if (card === null) faults.number = isWhole ? 'not-a-test-card' : 'malformed';
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
  const card = { firstSix: '446404', lastFour: '0007', ...plain('MADA') };
  return { card, cvvDeclines: false, goodUntil: now + lifeMs };
}

/** What a payment brings besides its result. Only magic amounts have unusual ones. */
export type SideEffects = Readonly<typeof noSideEffects>;
export const noSideEffects = {
  /** How long the answer of the call that paid is held back, in milliseconds. */
  delayMs: 0,
  cut: false,
  /** How often the webhook of the result is delivered; 0 is never. */
  copies: 1,
  /** How late the webhook is, in milliseconds of the sandbox clock. */
  lateMs: 0,
  /** Whether the webhook has to arrive before the shopper is sent back. */
  beforeRedirect: false,
  /** The first refund after it is accepted and then fails. */
  refundFails: false,
  captureFails: false,
  /** How long the status endpoint still says PENDING. */
  statusLagMs: 0,
};

/** What happens to the answer of the call that paid. */
export type AnswerPlan = Pick<SideEffects, 'delayMs' | 'cut'>;

/** The rule that decided a payment, in the sandbox's fixed order of precedence. */
export type DecidedBy = 'next' | 'choice' | 'card' | 'magic-amount' | 'default';

/** An outcome that a tester asks for, armed beforehand or chosen on the page. */
export type Outcome = 'approve' | 'decline' | `decline:${(typeof declineCodes)[number]}`;

/** The decision about a payment: an answer at once, a challenge first, or a wait for the issuer. */
export type Decision = { readonly decidedBy: DecidedBy; readonly sideEffects: SideEffects } & (
  | { readonly kind: 'answer'; readonly responseCode: string }
  | { readonly kind: 'challenge'; readonly codeAfter: string; readonly returns: boolean }
  | { readonly kind: 'wait'; readonly forMs: number; readonly responseCode: string }
);

/** A decision, or that the connection is cut before there is one. */
type Verdict = Decision | { readonly kind: 'cut' };

interface Circumstances {
  readonly armed: Outcome | null;
  readonly choice: Outcome | null;
  readonly entry: CardEntry;
  readonly amountMinor: number;
  readonly currency: string;
  readonly now: number;
}

const plainDecline = '05';
const cvvDecline = '82';
const expiredDecline = '54';

export function readOutcome(value: unknown): Outcome | null {
  if (value === 'approve' || value === 'decline') return value;
  const code = declineCodes.find((known) => value === `decline:${known}`);
  return code === undefined ? null : `decline:${code}`;
}

export function codeOf(outcome: Outcome): string {
  if (outcome === 'approve') return approvedCode;
  return outcome === 'decline' ? plainDecline : outcome.slice('decline:'.length);
}

/** The fixed precedence. A card that approves without a challenge decides nothing. */
export function decide(given: Circumstances): Verdict {
  return byTester(given) ?? byCard(given) ?? byAmount(given) ?? answer(approvedCode, 'default');
}

/** The same for a recurring charge: it has no shopper and no challenge, and no amount is magic. */
export function decideCharge(given: Circumstances): Decision {
  return byTester(given) ?? byCard(given) ?? answer(approvedCode, 'default');
}

function byTester({ armed, choice }: Circumstances): Decision | null {
  if (armed !== null) return answer(codeOf(armed), 'next');
  return choice === null ? null : answer(codeOf(choice), 'choice');
}

function byCard({ entry, now }: Circumstances): Decision | null {
  const { card, cvvDeclines, goodUntil } = entry;
  if (goodUntil <= now) return answer(expiredDecline, 'card');
  if (cvvDeclines) return answer(cvvDecline, 'card');
  const { mode, responseCode } = card;
  if (mode === 'challenge' || mode === 'never-returns') {
    return challenge(responseCode, mode === 'challenge', 'card');
  }
  if (mode === 'authentication-fails') return answer('3D', 'card');
  if (mode === 'directory-down') return answer('3U', 'card');
  return responseCode === approvedCode ? null : answer(responseCode, 'card');
}

const windowStartMinor = 990_000;
const magicCurrency = 'SAR';
const secondMs = 1000;
const minuteMs = 60 * secondMs;

/** The verdict of a magic amount, or null when this is none; 9905.02 and the like say nothing. */
export function byAmount({
  amountMinor,
  currency,
}: Pick<Circumstances, 'amountMinor' | 'currency'>): Verdict | null {
  if (currency !== magicCurrency) return null;
  const rule = magicRules[Math.floor((amountMinor - windowStartMinor) / 100)];
  return rule?.(amountMinor % 100) ?? null;
}

/** The rules of the window, 9900 to 9909 in this order, by the halalas of the amount. */
const magicRules: readonly ((halalas: number) => Verdict | null | undefined)[] = [
  (code) => answer(String(code).padStart(2, '0'), 'magic-amount'),
  (code) => challenge(String(code).padStart(2, '0'), true, 'magic-amount'),
  (minutes) => wait(minutes, approvedCode),
  (minutes) => wait(minutes, plainDecline),
  (seconds) => approval({ delayMs: seconds * secondMs }),
  (when) => [{ kind: 'cut' } as const, approval({ cut: true })][when],
  (copies) => approval({ copies }),
  // Before the redirect, never, or so many minutes late.
  (minutes) => {
    if (minutes === 0) return approval({ beforeRedirect: true });
    return approval(minutes === 99 ? { copies: 0 } : { lateMs: minutes * minuteMs });
  },
  (what) => [null, approval({ refundFails: true }), approval({ captureFails: true })][what],
  (seconds) => approval({ statusLagMs: seconds * secondMs }),
];

function approval(changes: Partial<SideEffects>): Decision {
  return answer(approvedCode, 'magic-amount', changes);
}

function wait(minutes: number, responseCode: string): Decision {
  const waiting = { kind: 'wait', forMs: minutes * minuteMs, responseCode } as const;
  return { ...waiting, decidedBy: 'magic-amount', sideEffects: noSideEffects };
}

function answer(
  responseCode: string,
  decidedBy: DecidedBy,
  changes: Partial<SideEffects> = {},
): Decision {
  const sideEffects = { ...noSideEffects, ...changes };
  return { kind: 'answer', responseCode, decidedBy, sideEffects };
}

function challenge(codeAfter: string, returns: boolean, decidedBy: DecidedBy): Decision {
  return { kind: 'challenge', codeAfter, returns, decidedBy, sideEffects: noSideEffects };
}
