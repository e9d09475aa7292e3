import { createHash, createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { callAfter, type Clock } from '../clock.ts';
import type { Payments } from '../index.ts';
import {
  type Answer,
  type EdgeRequest,
  languagesOf,
  type PaymentsParts,
  PERSON_ID,
  personText,
  readBody,
  withDeadline,
} from '../parts.ts';
import { nameOf } from '../errors.ts';
import type { Html, Language } from './html.ts';
import type { OfficeAction, OfficeSettings } from './options.ts';

/** What all requests share. */
export interface Office {
  readonly payments: Payments;
  readonly parts: PaymentsParts;
  readonly settings: OfficeSettings;
  /** Does it once for a person and a form, by the id of the question that it answers. */
  once(actor: string, form: string, work: () => Promise<Shown>): Promise<Shown>;
}

/** The fields of a form or of a query; a field that comes twice is left out. */
export type Fields = Readonly<Record<string, string>>;

/** One request of a person who may be here, and what its page needs. */
export interface Visit {
  readonly office: Office;
  readonly request: EdgeRequest;
  /** The person's name. */
  readonly actor: string;
  readonly language: Language;
  /** The way from this page up to the mount, such as `../`. */
  readonly base: string;
  /** The page's own address below the mount, without a slash in front. */
  readonly address: string;
  readonly query: Fields;
  /** Whether the person may do something; asked once for each action. */
  may(action: OfficeAction): Promise<boolean>;
}

/** The address of another page, relative to this one, so that any mount and any proxy will do. */
export function linkTo({ base }: Visit, address: string, query: Fields = {}): string {
  const filled = Object.entries(query).filter(([, value]) => value !== '');
  const search = new URLSearchParams(Object.fromEntries(filled)).toString();
  return `${base}${address}${search === '' ? '' : `?${search}`}`;
}

export const orderAddress = (orderId: string): string => `orders/${encodeURIComponent(orderId)}`;

/** Fields that came once. */
export function fieldsOf(entries: Iterable<readonly [string, unknown]>): Fields {
  const fields = new Map<string, unknown>();
  for (const [name, value] of entries) fields.set(name, fields.has(name) ? null : value);
  const texts = [...fields].filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Fields;
}

const MAX_ACTOR_LENGTH = 200;
/** After this time without an answer, `actor` and `may` have failed. */
const ANSWER_MS = 10_000;

/** A character that a page shows. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

export interface Actor {
  /** What is shown and stored. */
  readonly text: string;
  /** What `may` is asked about: the id, or the name where there is none. */
  readonly id: string;
}

/** Who asks; `null` for nobody, and for what is no name. */
export async function readActor(
  { settings, parts }: Office,
  { original }: EdgeRequest,
): Promise<Actor | null> {
  try {
    const given = await withDeadline(parts.clock, ANSWER_MS, async () => settings.actor(original));
    if (given === null || given === undefined || given === '') return null;
    const actor = actorOf(given);
    if (actor !== null) return actor;
    parts.notices.warn(
      { code: 'invalid_option' },
      `backOffice.actor answered what is no name, so that the person is let in nowhere: answer a text of 1 to ${MAX_ACTOR_LENGTH} characters, { id, name } with an id of A-Z a-z 0-9 . _ : @ + -, or null for nobody.`,
    );
    return null;
  } catch (error) {
    parts.reportError(error, { where: 'actor' });
    parts.logger.error({ error: nameOf(error) }, 'backOffice.actor failed: nobody is let in');
    return null;
  }
}

function actorOf(given: unknown): Actor | null {
  if (typeof given !== 'object' || given === null) {
    const name = nameIn(given);
    return name === null ? null : { text: name, id: name };
  }
  const { id, name: called } = given as { readonly id?: unknown; readonly name?: unknown };
  const name = nameIn(called);
  if (name === null || typeof id !== 'string' || !PERSON_ID.test(id)) return null;
  const text = personText({ id, name });
  return text.length <= MAX_ACTOR_LENGTH ? { text, id } : null;
}

function nameIn(given: unknown): string | null {
  const name = typeof given === 'string' ? given.trim() : '';
  const isName = VISIBLE.test(name) && name.length <= MAX_ACTOR_LENGTH && !/\p{Cc}/u.test(name);
  return isName ? name : null;
}

/** Asks the merchant's `may` once for each action. Only `true` allows. */
export function createMay(
  { settings, parts }: Office,
  { id }: Actor,
): (action: OfficeAction) => Promise<boolean> {
  const answers = new Map<OfficeAction, Promise<boolean>>();
  const ask = async (action: OfficeAction): Promise<boolean> => {
    try {
      const asked = async () => settings.may(id, action);
      return (await withDeadline(parts.clock, ANSWER_MS, asked)) === true;
    } catch (error) {
      parts.reportError(error, { where: 'may' });
      parts.logger.error({ error: nameOf(error) }, 'backOffice.may failed: it means no');
      return false;
    }
  };
  return (action) => {
    const answer = answers.get(action) ?? ask(action);
    answers.set(action, answer);
    return answer;
  };
}

const COOKIE = 'pay_office_lang';
const YEAR_SECONDS = 31_536_000;

const isLanguage = (text: unknown): text is Language => text === 'en' || text === 'ar';

/** The language that the address asks for, if it asks for one. */
export function askedLanguage({ query }: EdgeRequest): Language | null {
  const asked = query.get('lang');
  return isLanguage(asked) ? asked : null;
}

/** The reader's language: by the address, by what they chose before, or by their browser. */
export function languageOf(request: EdgeRequest): Language {
  const cookies = (request.header('cookie') ?? '').split(';').map((one) => one.trim());
  const chosen = cookies.find((one) => one.startsWith(`${COOKIE}=`))?.slice(COOKIE.length + 1);
  const [preferred = 'en'] = languagesOf(request.header('accept-language'));
  return askedLanguage(request) ?? (isLanguage(chosen) ? chosen : preferred);
}

/**
 * Remembers a language.
 *
 * @param path - Where, without a slash at its end; without a path the browser takes the folder of the
 * address that it asked for, which it knows better than we do where a proxy takes a part off. Both name
 * one path, so that the browser keeps one cookie.
 */
export const remembered = (language: Language, path?: string): Record<string, string> => ({
  'set-cookie': `${COOKIE}=${language}; Max-Age=${YEAR_SECONDS}; SameSite=Lax; HttpOnly${path === undefined ? '' : `; Path=${path}`}`,
});

/** A relative address of ours: it can lead to no other site. */
const OWN_ADDRESS = /^[\w.~%!$&'()*+,;=:@/?-]{0,1000}$/;

/**
 * Answers the language switch: it stands right below the mount, so that a cookie without a path holds
 * for all pages, and leads back to the page where the person was.
 */
export function switchLanguage(request: EdgeRequest): Answer {
  const back = request.query.get('to') ?? '';
  const location = `./${OWN_ADDRESS.test(back) ? back : ''}`;
  const language = askedLanguage(request);
  const headers = { location, ...(language === null ? {} : remembered(language)) };
  return { status: 303, headers };
}

const MAX_BODY_BYTES = 65_536;
export const TOKEN_FIELD = 'form';

/** The fields of a form that one of our pages sent, or the problem that it is refused by. */
export async function readForm(
  visit: Visit,
): Promise<Fields | 'foreign_form' | 'bad_form' | 'stale_form'> {
  const { office, request, actor } = visit;
  if (!isSameOrigin(office, request)) return 'foreign_form';
  const read = await readBody(request, MAX_BODY_BYTES);
  if (read.kind !== 'form' || typeof read.value !== 'object' || read.value === null)
    return 'bad_form';
  const fields = fieldsOf(Object.entries(read.value));
  return isValidToken(office, fields[TOKEN_FIELD] ?? '', actor) ? fields : 'stale_form';
}

/**
 * Whether a page of this same origin sent the form. Browsers say so by `Sec-Fetch-Site`; one that does
 * not, as over plain http, names its page's origin, which must be the address that the browser asked or
 * the shop's own.
 */
function isSameOrigin({ parts }: Office, request: EdgeRequest): boolean {
  const site = request.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const origin = URL.parse(request.header('origin') ?? '');
  if (origin === null) return false;
  // No page can choose these headers of a browser's request; a proxy puts the browser's host in one.
  const hosts = [request.header('host'), request.header('x-forwarded-host')?.split(',', 1)[0]];
  return (
    hosts.some((host) => host?.trim().toLowerCase() === origin.host) ||
    origin.origin === new URL(parts.publicUrl).origin
  );
}

/** How long a page may stay open before its forms are refused. */
const LIFETIME_MS = 12 * 3_600_000;

/** A token for the forms on a page that a person is shown. Nobody else can make one. */
export function issueToken({ parts }: Office, actor: string): string {
  const [secret = ''] = parts.tokenSecrets;
  const endsAt = parts.clock.now() + LIFETIME_MS;
  return `${endsAt}.${signature(secret, actor, endsAt).toString('base64url')}`;
}

/** All secrets verify, so that one can be replaced without an outage. */
function isValidToken({ parts }: Office, token: string, actor: string): boolean {
  const now = parts.clock.now();
  const [, end = '', given = ''] = /^(\d{1,15})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? [];
  const endsAt = Number(end);
  if (end === '' || now >= endsAt || endsAt > now + LIFETIME_MS) return false;
  const bytes = Buffer.from(given, 'base64url');
  return parts.tokenSecrets.some((secret) =>
    timingSafeEqual(bytes, signature(secret, actor, endsAt)),
  );
}

const signature = (secret: string, actor: string, endsAt: number): Buffer =>
  createHmac('sha256', secret).update(`back-office form\0${endsAt}\0${actor}`).digest();

/** Whether a field of a form holds the id of a question that was asked. */
export const isRequestId = (text: string): boolean => /^office-[0-9a-f-]{36}$/.test(text);

/**
 * The id of one confirmation.
 *
 * @param state - Names what is asked, and the state that it is asked in: the same gets the same id.
 * @defaultValue a state of its own
 */
export function idOfQuestion(state: string = randomUUID()): string {
  const hex = createHash('sha256').update(`back-office request\0${state}`).digest('hex');
  return `office-${hex.slice(0, 36)}`;
}

/** How long a repeat of a form gets the first answer. */
const KEPT_MS = 30_000;

/**
 * Gives the repeat of a form the answer of its first press. A browser shows the answer to the last press
 * only, and a secret that the gateway gives once would be lost by a double press. A failure is not kept.
 */
export function keepAnswers(clock: Clock): Office['once'] {
  const answers = new Map<string, Promise<Shown>>();
  return (actor, form, work) => {
    const key = `${form} ${actor}`;
    const known = answers.get(key);
    if (known !== undefined) return known;
    const forget = (): void => void answers.delete(key);
    const answer = work();
    answers.set(key, answer);
    answer.then(() => callAfter(clock, KEPT_MS, forget), forget);
    return answer;
  };
}

/** A page in the answer to the form itself, for what may stand in no address, such as a secret. */
export interface Shown {
  readonly status: number;
  readonly title: string;
  readonly main: Html;
}
