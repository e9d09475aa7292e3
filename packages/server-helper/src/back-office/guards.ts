import { nameOf } from '../errors.ts';
import type { EdgeRequest } from '../edges/http.ts';
import type { Office } from './office.ts';
import { PERSON_ID, personText } from '../payments/money-decision.ts';
import type { OfficeAction } from './options.ts';

const MAX_ACTOR_LENGTH = 200;

/** A character that a page shows. */
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** The person who asks. */
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
    const given = await settings.actor(original);
    if (given === null || given === undefined || given === '') return null;
    const actor = actorOf(given);
    if (actor !== null) return actor;
    parts.logger.warn(
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
      return (await settings.may(id, action)) === true;
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

/**
 * Whether a page of this same origin sent the form. Browsers say so by `Sec-Fetch-Site`; one that does
 * not, as over plain http, names its page's origin, which must be the address that the browser asked or
 * the shop's own.
 */
export function isSameOrigin({ parts }: Office, request: EdgeRequest): boolean {
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
