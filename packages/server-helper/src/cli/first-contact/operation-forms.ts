import type { OperationName } from '../../gateway/gateway-error.ts';
import type { OperationProfile } from '../../gateway/operation.ts';
import { changeOf, type Profile } from '../../gateway/profile.ts';
import type { TransportRequest } from '../../gateway/transport.ts';
import {
  type Answer,
  type Fields,
  isInvalid,
  isNoRoute,
  isSuccess,
  type Question,
} from './gateway-line.ts';
import { namedIn } from './places.ts';
import type { ReadingId } from './readings.ts';
import type { Visit } from './visit.ts';

/** A method and a path. */
export type Route = readonly [method: TransportRequest['method'], path: string];

/** An operation that the specification leaves open, with the forms of it that circulate. */
export interface OpenOperation {
  readonly reading: ReadingId;
  /** Its name in a profile. */
  readonly name: OperationName | 'login';
  readonly route: Route;
  /** Other routes, in the order in which they are tried after a 404. */
  readonly otherRoutes: readonly Route[];
  /** The parts of the route that a profile can change. */
  readonly changes: readonly ('method' | 'path')[];
  /** Other names of the fields of the request, by ours. */
  readonly request?: Readonly<Record<string, readonly string[]>>;
  /** The name of the list, where the answer is a list of records. */
  readonly list?: string;
  /** The fields of the answer, or of each record. */
  readonly answer?: Readonly<Record<string, AnswerField>>;
  /** Whether an answer of 2xx answers the question. @defaultValue always */
  readonly isAnswered?: (answer: Answer) => boolean;
}

/** A field of an answer. */
export interface AnswerField {
  /** Names that circulate. */
  readonly names: readonly string[];
  readonly fits: (value: unknown) => boolean;
  /** The places that need no entry in a profile. @defaultValue our name at the top */
  readonly usual?: readonly string[];
  /** Whether a profile says so where the answer has no such field. */
  readonly isNeeded?: true;
  /** Whether its value must not be shown. */
  readonly isSecret?: true;
}

/** What is sent in whichever form. */
export interface Request {
  readonly values: Fields;
  readonly credential?: Readonly<Record<string, string>> | undefined;
  /** The id in the path. */
  readonly id?: string;
}

/** The form of an operation that the gateway knows, and its last answer. */
export interface Form {
  readonly route: Route;
  /** The gateway's names of the fields of the request, by ours. */
  readonly names: Readonly<Record<string, string>>;
  readonly answer: Answer;
}

/** The profile's part about an operation. The login has a part of its own. */
export function givenOf(profile: Profile, name: OpenOperation['name']): OperationProfile {
  if (name !== 'login') return changeOf(profile, name);
  const { path, body, token, expiresInSeconds } = profile.login;
  return { path, body, answer: { token, expiresInSeconds } };
}

/**
 * Finds the form of an operation that the gateway knows: the profile's first, another route after a
 * 404, another name of a field after a 400. Any other refusal ends the search at once, since more
 * tries could lock an account.
 *
 * @returns `undefined` where the gateway knows none.
 */
export async function findForm(
  visit: Visit,
  operation: OpenOperation,
  request: Request,
): Promise<Form | undefined> {
  const { name, route, otherRoutes, isAnswered = () => true } = operation;
  const { method, path } = givenOf(visit.profile, name);
  const inUse: Route = [method ?? route[0], path ?? route[1]];
  const tried = new Set<string>();
  for (const next of [inUse, route, ...otherRoutes]) {
    if (tried.has(next.join(' '))) continue;
    tried.add(next.join(' '));
    const form = await tryRoute(visit, operation, next, request);
    const isOther = isSuccess(form.answer) && !isAnswered(form.answer);
    if (!isNoRoute(form.answer) && !isOther) return form;
  }
  return undefined;
}

/** How many times the names of the fields are changed on one route. */
const MOST_TRIES = 8;

async function tryRoute(
  { line, profile }: Visit,
  operation: OpenOperation,
  route: Route,
  request: Request,
): Promise<Form> {
  const { body = {}, add } = givenOf(profile, operation.name);
  let names = Object.fromEntries(
    Object.keys(request.values).map((name) => [name, body[name] ?? name]),
  );
  const tried = new Set<string>();
  for (let tries = 0; ; tries += 1) {
    for (const [ours, theirs] of Object.entries(names)) tried.add(`${ours} ${theirs}`);
    const named = Object.entries(request.values).map(([name, value]) => [names[name], value]);
    const fields = { ...add, ...(Object.fromEntries(named) as Fields) };
    const answer = await line.ask(questionOf(route, fields, request));
    const next = isInvalid(answer) ? renamed(operation, names, answer.messages, tried) : undefined;
    if (next === undefined || tries === MOST_TRIES) return { route, names, answer };
    names = next;
  }
}

function questionOf([method, path]: Route, fields: Fields, request: Request): Question {
  const { id = '', credential } = request;
  const target = { method, path: path.replace('{id}', encodeURIComponent(id)) };
  const question = credential === undefined ? target : { ...target, credential };
  if (Object.keys(fields).length === 0) return question;
  if (method !== 'GET') return { ...question, body: fields };
  const query = Object.entries(fields).map(([name, value]) => [name, String(value)] as const);
  return { ...question, query: Object.fromEntries(query) };
}

type Names = Readonly<Record<string, string>>;

/**
 * The names with those that a 400 asks for, and with the next ones of the fields that it misses. A 400
 * that names no field leaves it to the first field that has another name.
 */
function renamed(
  { request = {} }: OpenOperation,
  names: Names,
  messages: readonly string[],
  tried: ReadonlySet<string>,
): Record<string, string> | undefined {
  const untried = Object.entries(request).map(([name, others]) => ({
    name,
    others: [name, ...others].filter((one) => !tried.has(`${name} ${one}`)),
  }));
  const named = untried.flatMap(({ name, others }) => {
    const asked = namedIn(messages, others);
    const isMissed = namedIn(messages, [name, names[name] ?? name]) !== undefined;
    const next = asked ?? (isMissed ? others[0] : undefined);
    return next === undefined ? [] : [[name, next] as const];
  });
  if (named.length > 0) return { ...names, ...Object.fromEntries(named) };
  const first = untried.find(({ others }) => others.length > 0);
  return first && { ...names, [first.name]: first.others[0] ?? first.name };
}
