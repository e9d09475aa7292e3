import { operations } from '../../gateway/operations.ts';
import { changeOf } from '../../gateway/profile.ts';
import { valueAt } from '../../gateway/translation.ts';
import { isInvalid, isNoRoute, isSuccess, toldOf, type Answer } from './gateway-line.ts';
import { listIn, namedIn, placeOf } from './places.ts';
import { logIn } from './portal-steps.ts';
import { RETURN_ADDRESS, type Step, type Visit } from './visit.ts';

const address = `${RETURN_ADDRESS}/webhook`;

const fieldNames: Readonly<Record<string, readonly string[]>> = {
  url: ['url', 'endpoint', 'endpointUrl', 'callbackUrl', 'target', 'targetUrl'],
  events: ['events', 'topics', 'eventTypes', 'types'],
  active: ['active', 'enabled', 'isActive'],
};

type Headers = Readonly<Record<string, string>>;

/** How many other names of fields are tried. */
const MOST_TRIES = 6;

/** Makes one webhook, changes it and deletes it; only when it was asked for by name (N12). */
export const webhookStep: Step = {
  name: 'webhooks',
  does: 'creates one webhook that is off, changes it and deletes it',
  missing: ({ mayWritePortal, portal }) => {
    if (!mayWritePortal) return 'it is taken only with --portal-writes';
    return portal === null ? 'the portal’s login is not set' : undefined;
  },
  async run(visit) {
    const token = await logIn(visit);
    if (token === undefined) return;
    const headers = { authorization: `Bearer ${token}` };
    const id = await create(visit, headers);
    if (id === undefined) return;
    try {
      await change(visit, headers, id);
    } finally {
      await remove(visit, headers, id);
    }
  },
};

async function create(visit: Visit, headers: Headers): Promise<string | undefined> {
  const { line, findings, profile } = visit;
  const operation = operations.createWebhook;
  const {
    body: given = {},
    add,
    path = operation.path,
    method = operation.method,
  } = changeOf(profile, 'createWebhook');
  let names: Record<string, string> = Object.fromEntries(
    Object.keys(fieldNames).map((name) => [name, given[name] ?? name]),
  );
  const send = () => {
    const fields = { url: address, events: ['Purchase'], active: false };
    const named = Object.entries(fields).map(([name, value]) => [names[name] ?? name, value]);
    return line.ask({ method, path, body: { ...add, ...Object.fromEntries(named) }, headers });
  };
  let answer = await send();
  for (let tries = 0; tries < MOST_TRIES && isInvalid(answer); tries += 1) {
    const next = renamed(names, answer.messages);
    if (next === undefined) break;
    names = next;
    answer = await send();
  }
  if (!isSuccess(answer)) {
    const isUnknown = isNoRoute(answer);
    findings.note(
      'N12',
      isUnknown ? 'contradicted' : 'not seen',
      `${method} ${path}: ${toldOf(answer)}`,
    );
    for (const message of answer.messages) findings.remark(`The portal says: ${message}`);
    return undefined;
  }
  findings.note('N12', 'confirmed', `${method} ${path} creates it`);
  for (const [name, theirs] of Object.entries(names)) {
    const place = `operations.createWebhook.body.${name}`;
    const seen = theirs === name ? 'fields under our names' : `${name} in ${theirs}`;
    findings.noteEntry('N12', { place, value: theirs, usual: name }, seen);
  }
  noteSecret(visit, answer);
  return idOf(visit, answer, headers);
}

/** The names with one that a 400 asks for, or with the next one for a field that it misses. */
function renamed(
  names: Readonly<Record<string, string>>,
  messages: readonly string[],
): Record<string, string> | undefined {
  for (const [name, all] of Object.entries(fieldNames)) {
    const current = names[name] ?? name;
    const others = all.slice(all.indexOf(current) + 1);
    const wanted = namedIn(messages, others);
    const next = wanted ?? (namedIn(messages, [name, current]) && others[0]);
    if (next !== undefined) return { ...names, [name]: next };
  }
  return undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const secretNames = ['secret', 'signingSecret', 'webhookSecret', 'signingKey', 'secretKey'];

function noteSecret({ findings, profile }: Visit, { body }: Answer): void {
  const given = changeOf(profile, 'createWebhook').answer?.['secret'];
  const atGiven = typeof given === 'string' ? valueAt(body, given) : undefined;
  const found = isText(atGiven)
    ? { pointer: given ?? '', value: atGiven }
    : placeOf(body, secretNames, isText);
  if (isText(found?.value)) findings.hide(found.value);
  const seen = found === undefined ? 'no secret is told' : `the secret at ${found.pointer}`;
  const place = 'operations.createWebhook.answer.secret';
  findings.noteEntry('N12', { place, value: found?.pointer ?? null, usual: '/secret' }, seen);
}

const isId = (value: unknown): boolean => isText(value) || typeof value === 'number';

/** The new webhook's id, from the answer or, where it bears none, from the list. */
async function idOf(visit: Visit, { body }: Answer, headers: Headers): Promise<string | undefined> {
  const { findings, line, profile } = visit;
  const given = changeOf(profile, 'createWebhook').answer?.['id'];
  const atGiven = typeof given === 'string' ? valueAt(body, given) : undefined;
  const found = isId(atGiven)
    ? { pointer: given ?? '', value: atGiven }
    : placeOf(body, ['id', 'webhookId', 'uuid'], isId);
  if (found !== undefined) {
    const place = 'operations.createWebhook.answer.id';
    const seen = found.pointer === '/id' ? 'fields under our names' : `its id at ${found.pointer}`;
    findings.noteEntry('N12', { place, value: found.pointer, usual: '/id' }, seen);
    return String(found.value);
  }
  const path = operations.listWebhooks.path;
  const listed = await line.ask({ method: 'GET', path, headers });
  const own = listIn(listed.body)?.records.find(({ url }) => url === address);
  if (own !== undefined && isId(own['id'])) return String(own['id']);
  findings.remark(
    `A webhook to ${address} was created and its id is not known: delete it in the dashboard.`,
  );
  return undefined;
}

async function change({ line, findings, profile }: Visit, headers: Headers, id: string) {
  const usual = operations.updateWebhook;
  const {
    method: inUse = usual.method,
    path = usual.path,
    body: names = {},
    add,
  } = changeOf(profile, 'updateWebhook');
  const body = { ...add, [names['url'] ?? 'url']: `${address}/changed` };
  for (const method of new Set([inUse, 'PATCH', 'PUT', 'POST'] as const)) {
    const answer = await line.ask({ method, path: withId(path, id), body, headers });
    if (isNoRoute(answer)) continue;
    const place = 'operations.updateWebhook.method';
    const seen = `${method} changes it (${toldOf(answer)})`;
    if (isSuccess(answer)) {
      findings.noteEntry('N12', { place, value: method, usual: usual.method }, seen);
    } else findings.remark(`The webhook was not changed by ${method}: ${toldOf(answer)}`);
    return;
  }
  findings.note('N12', 'contradicted', `no method changes ${path}`);
}

const withId = (path: string, id: string) => path.replace('{id}', encodeURIComponent(id));

async function remove({ line, findings, profile }: Visit, headers: Headers, id: string) {
  const usual = operations.deleteWebhook;
  const { method = usual.method, path = usual.path } = changeOf(profile, 'deleteWebhook');
  const answer = await line.ask({ method, path: withId(path, id), headers });
  if (isSuccess(answer)) {
    findings.note('N12', 'confirmed', `${method} deletes it`);
    return;
  }
  findings.note('N12', 'contradicted', `${method} does not delete it (${toldOf(answer)})`);
  findings.remark(`A webhook to ${address} was left behind: delete it in the dashboard.`);
}
