import { isFields, isInvalid, isNoRoute, isSuccess, toldOf, type Answer } from './gateway-line.ts';
import { listIn, namedIn, placeOf } from './places.ts';
import { noteList } from './portal-lists.ts';
import type { Step, Visit } from './visit.ts';
import { valueAt } from '../../gateway/translation.ts';

const loginPaths = [
  '/auth/login',
  '/portal/auth/login',
  '/merchant/auth/login',
  '/portal/login',
  '/merchant/login',
  '/login',
  '/auth/token',
];
const usernameNames = ['username', 'email', 'userName', 'login'];
const passwordNames = ['password', 'passwd', 'secret'];
const usualTokens = ['/accessToken', '/access_token', '/token'];
const usualLifetimes = ['/expiresIn', '/expires_in'];

/** The login and the lists of the portal: it changes nothing there. */
export const portalStep: Step = {
  name: 'portal',
  does: 'logs in to the portal, and lists webhooks, API keys and SDK tokens',
  missing: ({ portal }) =>
    portal === null ? 'GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD are not set' : undefined,
  async run(visit) {
    const token = await logIn(visit);
    if (token === undefined) return;
    const { line, findings } = visit;
    const headers = { authorization: `Bearer ${token}` };
    const listed = await line.ask({ method: 'GET', path: '/merchant/account/webhooks', headers });
    const holds = isFields(listed.body) && Array.isArray(listed.body['webhooks']);
    const where = listIn(listed.body)?.pointer;
    const seen = `${toldOf(listed)}${where === undefined ? '' : `, a list at "${where}"`}`;
    findings.state('§4.9', 'webhooks are listed in webhooks', isSuccess(listed) && holds, seen);
    await noteList(visit, 'retrieveCredentials', headers);
    await noteList(visit, 'listSdkTokens', headers);
  },
};

interface Login {
  readonly path: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Finds the login: another path after a 404, other names after a 400. A refused password ends the
 * search at once, since more tries could lock the account.
 */
export async function logIn(visit: Visit): Promise<string | undefined> {
  const { profile, findings } = visit;
  const { username = 'username', password = 'password' } = profile.login.body ?? {};
  for (const path of new Set([profile.login.path, ...loginPaths])) {
    const { names, answer } = await tryNames(visit, path, { username, password });
    if (isNoRoute(answer)) continue;
    if (isSuccess(answer)) return noteLogin(visit, { path, ...names }, answer);
    findings.remark(
      `The login at ${path} failed: ${[toldOf(answer), ...answer.messages].join('; ')}`,
    );
    return undefined;
  }
  findings.note('N16', 'contradicted', `no login at ${loginPaths.join(', ')}`);
  return undefined;
}

type Names = Omit<Login, 'path'>;

async function tryNames(visit: Visit, path: string, usual: Names) {
  let names = usual;
  let answer = await sendLogin(visit, path, names);
  for (let tries = 0; tries < 2 && isInvalid(answer); tries += 1) {
    const { messages } = answer;
    const next = {
      username: namedIn(messages, othersOf(usernameNames, names.username)) ?? names.username,
      password: namedIn(messages, othersOf(passwordNames, names.password)) ?? names.password,
    };
    if (next.username === names.username && next.password === names.password) {
      return tryEachName(visit, path, names, answer);
    }
    names = next;
    answer = await sendLogin(visit, path, names);
  }
  return { names, answer };
}

/** Where the messages do not name the field, each usual name of the username once. */
async function tryEachName(visit: Visit, path: string, names: Names, refused: Answer) {
  for (const username of othersOf(usernameNames, names.username)) {
    const answer = await sendLogin(visit, path, { ...names, username });
    if (!isInvalid(answer)) return { names: { ...names, username }, answer };
  }
  return { names, answer: refused };
}

const othersOf = (names: readonly string[], one: string) => names.filter((name) => name !== one);

const sendLogin = ({ line, portal }: Visit, path: string, names: Names): Promise<Answer> =>
  line.ask({
    method: 'POST',
    path,
    body: { [names.username]: portal?.username, [names.password]: portal?.password },
  });

const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7E]{8,8192}$/.test(value);

const isLifetime = (value: unknown): boolean => Number(value) >= 1 && typeof value !== 'boolean';

function noteLogin({ findings, profile }: Visit, login: Login, { body }: Answer) {
  const { token: givenToken, expiresInSeconds: givenLifetime } = profile.login;
  const token = placeFor(body, givenToken, usualTokens, isToken, [
    'jwt',
    'bearer',
    'idToken',
    'token',
  ]);
  const lifetime = placeFor(body, givenLifetime, usualLifetimes, isLifetime, [
    'expiresIn',
    'expiresInSeconds',
    'expires',
    'ttl',
    'lifetime',
  ]);
  const value = token === undefined ? undefined : valueAt(body, token.pointer);
  if (token === undefined || !isToken(value)) {
    findings.note('N16', 'contradicted', `POST ${login.path} answers no token`);
    return undefined;
  }
  findings.hide(value);
  const note = (place: string, one: unknown, usual: unknown, seen: string) =>
    findings.noteEntry('N16', { place, value: one, usual }, seen);
  note('login.path', login.path, '/auth/login', `POST ${login.path}`);
  for (const name of ['username', 'password'] as const) {
    note(`login.body.${name}`, login[name], name, `the ${name} in ${login[name]}`);
  }
  note('login.token', token.entry, undefined, `the token at ${token.pointer}`);
  if (lifetime !== undefined) {
    const seen = `its lifetime at ${lifetime.pointer}`;
    note('login.expiresInSeconds', lifetime.entry, undefined, seen);
  }
  return value;
}

/** Where a field of the login is, and the profile's entry for that; none for a usual place. */
function placeFor(
  body: unknown,
  given: string | undefined,
  usual: readonly string[],
  fits: (value: unknown) => boolean,
  names: readonly string[],
): { pointer: string; entry: string | undefined } | undefined {
  if (given !== undefined && fits(valueAt(body, given))) return { pointer: given, entry: given };
  const pointer = usual.find((place) => fits(valueAt(body, place)));
  if (pointer !== undefined) return { pointer, entry: undefined };
  const others = [...names, ...usual.map((place) => place.slice(1))];
  const place = placeOf(body, others, fits);
  return place && { pointer: place.pointer, entry: place.pointer };
}
