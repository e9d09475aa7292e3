import { throwFindings } from '../errors.ts';
import { parseAmount } from '../money.ts';
import { field, group, isFunction, isListOf, option, type Part } from '../option-rules.ts';
import type { Request } from '../optional-peers.ts';
import { type KnownPerson, pathRule } from '../parts.ts';

/**
 * An action that {@link BackOfficeOptions.may} is asked about. `refund`, `capture`, `void` and `charge`
 * (a recurring charge) move money · `accept` takes the money of a review as the order's payment ·
 * `resolve` ends a review or an operation of unknown outcome, lets a stopped order be paid anew, and
 * delivers a dead letter again · `cancel` gives an order up · `rotate` changes what the gateway's portal
 * holds: keys, webhooks, tokens. Everything else is open to each person that `actor` names.
 */
export type OfficeAction =
  | 'refund'
  | 'capture'
  | 'void'
  | 'charge'
  | 'accept'
  | 'resolve'
  | 'cancel'
  | 'rotate';

/** The merchant's own words for an order. They are shown and never stored. */
export interface OrderDescription {
  /** One line, such as `"3 × Yirgacheffe 250 g"`. */
  readonly title?: string | undefined;
  /** The customer's name, or what the shop's people know them by. */
  readonly customer?: string | undefined;
  /** The order in the merchant's own admin: an http(s) address, or a path that starts with a slash. */
  readonly url?: string | undefined;
  /** What was bought, a line each. */
  readonly lines?: readonly string[] | undefined;
}

/** Who asks, as {@link BackOfficeOptions.actor} answers; `null` for nobody. */
export type OfficeActor = string | KnownPerson | null | undefined;

/** Options of {@link backOffice}. */
export interface BackOfficeOptions<Asking = Request> {
  /**
   * Says who asks, by what the merchant's own sign-in left on the request: a name in 1 to 200
   * characters, which is stored with what the person does, or an id and a name, which are stored as
   * `name (id)`. With ids, the id decides who may approve what another person proposed; without, two
   * names that differ by their letters and digits are two people. Anything else, an exception, and no
   * answer within 10 seconds are answered with 401 and nothing more. The exception goes to `onError`, `where: 'actor'`.
   */
  readonly actor: (request: Asking) => OfficeActor | Promise<OfficeActor>;
  /**
   * Whether a person may do something, by the id that `actor` gave, or else by the name. What they may
   * not is neither shown nor done. An exception, and no answer within 10 seconds, means
   * no, and goes to `onError`, `where: 'may'`.
   *
   * @defaultValue everyone may do everything
   */
  readonly may?: ((actor: string, action: OfficeAction) => boolean | Promise<boolean>) | undefined;
  /** A second person for large amounts. */
  readonly approvals?:
    | {
        /**
         * A refund waits until another person approves it, where it and the order's earlier refunds that
         * nobody approved come to more than this: `"500.00"`.
         */
        readonly refundAbove: string;
      }
    | undefined;
  /**
   * Describes an order in the merchant's words, in the language of the page, within two seconds; `null`
   * for none. An exception goes to `onError`, `where: 'describeOrder'`, and the page is shown without
   * the words.
   */
  readonly describeOrder?:
    | ((
        orderId: string,
        language: 'en' | 'ar',
      ) => OrderDescription | null | undefined | Promise<OrderDescription | null | undefined>)
    | undefined;
  /**
   * Links beside the person's name, on every page: back to the merchant's own admin, to sign out.
   *
   * @defaultValue none
   */
  readonly links?: readonly OfficeLink[] | undefined;
  /**
   * The zone of the days, and of the times as the server writes them.
   *
   * @defaultValue `'Asia/Riyadh'`
   */
  readonly timeZone?: string | undefined;
  /**
   * The path that the back office finds itself at where the framework takes no mount off, as in `handle`,
   * Koa and `node:http`. Express finds it by its own mount.
   *
   * @defaultValue `'/admin/payments'`
   */
  readonly mountPath?: string | undefined;
}

/** The options, checked and filled in. */
export interface OfficeSettings {
  readonly actor: (request: unknown) => unknown;
  readonly may: (actor: string, action: OfficeAction) => unknown;
  readonly describeOrder: ((orderId: string, language: 'en' | 'ar') => unknown) | null;
  readonly links: readonly OfficeLink[];
  /** In minor units; `null` where no refund needs a second person. */
  readonly approvedAboveMinorUnits: number | null;
  readonly timeZone: string;
  readonly mountPath: string;
}

const rules = group({
  actor: field((actor) => {
    if (typeof actor === 'function') return undefined;
    return {
      code: actor === undefined ? 'missing_setting' : 'invalid_option',
      what: 'backOffice needs the option actor, a function that names the person who asks.',
      why: 'Without it, anyone who finds the address could see payments and move money.',
      fix: 'Write actor: (request) => request.user?.name, or read the name that your sign-in left on the request.',
    };
  }),
  may: option(
    isFunction,
    'The option may of backOffice is no function.',
    'It is called while a page is made.',
    'Write for example may: (actor, action) => action !== "refund", or leave it out.',
  ),
  describeOrder: option(
    isFunction,
    'The option describeOrder of backOffice is no function.',
    'It is called while a page is made.',
    'Write for example describeOrder: (orderId) => ({ title: "3 × coffee", customer: "Noura" }), or leave it out.',
  ),
  approvals: option(
    areApprovals,
    'approvals must be { refundAbove } with an amount of two decimals, and nothing else.',
    'A refund above it waits for a second person; another form would let every refund through.',
    'Write approvals: { refundAbove: "500.00" }, or leave it out.',
  ),
  links: option(
    isListOf(isLink),
    'The option links of backOffice must be a list of { text: { en, ar }, url }.',
    'Each page shows the links in its language, and leads to http(s) addresses and paths only.',
    'Write for example links: [{ text: { en: "Sign out", ar: "خروج" }, url: "/sign-out" }].',
  ),
  timeZone: option(
    isTimeZone,
    'The option timeZone of backOffice names no time zone.',
    'It decides where a day begins.',
    'Give a name of the IANA database, such as "Asia/Riyadh".',
  ),
  mountPath: field(pathRule),
} satisfies Record<keyof BackOfficeOptions, Part>);

/**
 * Checks the options and fills them in.
 *
 * @throws {@link ConfigurationError} with every mistake.
 */
export function readOptions<Asking>(given: BackOfficeOptions<Asking>): OfficeSettings {
  const options: Partial<BackOfficeOptions<Asking>> = given ?? {};
  const { actor, may, describeOrder, approvals, links = [] } = options;
  const { timeZone = 'Asia/Riyadh', mountPath = '/admin/payments' } = options;
  const path = typeof mountPath === 'string' ? mountPath.replace(/\/$/, '') : mountPath;
  throwFindings(rules({ ...options, mountPath: path }, 'backOffice'));
  return {
    actor: actor as OfficeSettings['actor'],
    may: may ?? (() => true),
    describeOrder: describeOrder ?? null,
    links,
    approvedAboveMinorUnits: parseAmount(approvals?.refundAbove) ?? null,
    timeZone,
    mountPath: path,
  };
}

function areApprovals(approvals: unknown): boolean {
  if (typeof approvals !== 'object' || approvals === null || !('refundAbove' in approvals)) {
    return false;
  }
  return Object.keys(approvals).length === 1 && parseAmount(approvals.refundAbove) !== undefined;
}

function isTimeZone(timeZone: unknown): boolean {
  try {
    return typeof timeZone === 'string' && Intl.DateTimeFormat('en', { timeZone }) !== null;
  } catch {
    return false;
  }
}

/** A link beside the person's name, such as to the merchant's own admin, or to sign out. */
export interface OfficeLink {
  /** Its words, in each language of the pages. */
  readonly text: Readonly<Record<'en' | 'ar', string>>;
  /** An http(s) address, or a path that starts with a slash. */
  readonly url: string;
}

function isLink(link: unknown): boolean {
  if (typeof link !== 'object' || link === null) return false;
  const { text, url } = link as Readonly<Record<string, unknown>>;
  if (typeof text !== 'object' || text === null || !isSafeAddress(url)) return false;
  const { en, ar } = text as Readonly<Record<string, unknown>>;
  return [en, ar].every((words) => typeof words === 'string' && words.trim() !== '');
}

/** Browsers leave these out of an address, so that a slash on each side of one starts another site's. */
const LEFT_OUT = /[\t\n\r]/;

/** Whether a page may link an address of the merchant's: http(s), or a path of the same site. */
export const isSafeAddress = (address: unknown): address is string =>
  typeof address === 'string' &&
  !LEFT_OUT.test(address) &&
  (/^\/(?![/\\])/.test(address) || /^https?:$/.test(URL.parse(address)?.protocol ?? ''));
