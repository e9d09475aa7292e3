import { takeOperation } from '../note-form.ts';
import type { OpenOperation, Route } from '../operation-forms.ts';
import { listIn } from '../places.ts';
import { made, RETURN_ADDRESS, type Step, type Visit } from '../visit.ts';
import { logIn } from './portal.ts';

const paths = [
  '/merchant/account/webhooks',
  '/merchant/account/webhook',
  '/merchant/account/hooks',
  '/merchant/webhooks',
  '/webhooks',
];

const [path = '', ...otherPaths] = paths;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const isId = (value: unknown): boolean => isText(value) || typeof value === 'number';

const fieldNames = {
  url: ['endpoint', 'endpointUrl', 'callbackUrl', 'target', 'targetUrl'],
  events: ['topics', 'eventTypes', 'types'],
  active: ['enabled', 'isActive'],
};

const createWebhook: OpenOperation = {
  reading: 'N12',
  name: 'createWebhook',
  route: ['POST', path],
  otherRoutes: otherPaths.map((other) => ['POST', other]),
  changes: ['method', 'path'],
  request: fieldNames,
  answer: {
    id: { names: ['webhookId', 'hookId', 'uuid'], fits: isId, isNeeded: true },
    secret: {
      names: ['signingSecret', 'webhookSecret', 'signingKey', 'secretKey'],
      fits: isText,
      isNeeded: true,
      isSecret: true,
    },
  },
};

const updateWebhook: OpenOperation = {
  reading: 'N12',
  name: 'updateWebhook',
  route: ['PATCH', `${path}/{id}`],
  otherRoutes: paths.flatMap((one): readonly Route[] => [
    ['PATCH', `${one}/{id}`],
    ['PUT', `${one}/{id}`],
    ['POST', `${one}/{id}`],
  ]),
  changes: ['method', 'path'],
  request: { url: fieldNames.url },
};

const deleteWebhook: OpenOperation = {
  reading: 'N12',
  name: 'deleteWebhook',
  route: ['DELETE', `${path}/{id}`],
  otherRoutes: [
    ...paths.map((one): Route => ['DELETE', `${one}/{id}`]),
    ...paths.map((one): Route => ['POST', `${one}/{id}/delete`]),
  ],
  changes: ['method', 'path'],
};

/** Makes one webhook and changes it (N12); the end of the run deletes it. */
export const webhooksStep: Step = {
  name: 'webhooks',
  does: 'creates a webhook and changes it; the end of the run deletes it',
  missing: ({ mayWritePortal, portal }) => {
    if (!mayWritePortal) return 'it is taken only with --portal-writes';
    return portal === null ? 'the portal’s login is not set' : undefined;
  },
  async run(visit) {
    const { listener } = visit;
    const url = listener?.url ?? `${RETURN_ADDRESS}/webhook`;
    const credential = await logIn(visit);
    if (credential === undefined) return;
    // A webhook to an address that does not exist is off.
    const values = { url, events: ['Purchase'], active: listener !== null };
    const created = await takeOperation(visit, createWebhook, { values, credential });
    if (created === undefined) return;
    made(visit, `a webhook to ${url}`, 'it is still there: delete it in the dashboard');
    const [secret] = created['secret'] ?? [];
    if (isText(secret)) listener?.secrets.push(secret);
    const [id = await idInList(visit, url)] = created['id'] ?? [];
    if (!isId(id)) return;
    visit.webhook = { id: String(id), url };
    const request = { values: { url }, credential, id: visit.webhook.id };
    await takeOperation(visit, updateWebhook, request);
  },
};

/** The id of a new webhook whose answer has none. */
async function idInList({ line, portalCredential }: Visit, url: string): Promise<unknown> {
  const credential = portalCredential ?? {};
  const { body } = await line.ask({ method: 'GET', path, credential });
  return listIn(body)?.records.find((record) => record['url'] === url)?.['id'];
}

/** Deletes the webhook of the run, if there is one. */
export async function removeWebhook(visit: Visit): Promise<void> {
  const { webhook, portalCredential: credential } = visit;
  if (webhook === undefined) return;
  const deleted = await takeOperation(visit, deleteWebhook, {
    values: {},
    credential,
    id: webhook.id,
  });
  if (deleted !== undefined) made(visit, `a webhook to ${webhook.url}`, 'deleted');
}
