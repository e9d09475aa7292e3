import { changeOf, type OperationName, operations } from '../../parts.ts';
import { type Asked, isInvalid, isNoRoute, isSuccess, saysNothing, summaryOf } from './line.ts';
import type { ReadingId } from './readings.ts';
import { made, RETURN_ADDRESS, needs, type Visit } from './visit.ts';

/** The login and the lists of the portal: it changes nothing there (N16, N17, N19, §4.9). */
export async function takePortal(visit: Visit): Promise<void> {
  needs(visit.hasPortal, 'GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD are not set');
  const { line } = visit;
  const webhooks = await line.ask((client) => client.listWebhooks());
  if (!noteLogin(visit, webhooks)) return;
  noteTaken(visit, '§4.9', 'listWebhooks', webhooks);
  await noteKeys(visit);
  noteTaken(visit, 'N19', 'listSdkTokens', await line.ask((client) => client.listSdkTokens()));
}

/** N16: whether the first call of the portal came past its login; else the login is what was asked last. */
function noteLogin(visit: Visit, { answer, error }: Asked<unknown>): boolean {
  const { findings, profile } = visit;
  const route = `POST ${profile.login.path}`;
  visit.isLoggedIn = answer.path !== profile.login.path;
  if (visit.isLoggedIn) {
    findings.note('N16', 'confirmed', route);
    return true;
  }
  const place = isNoRoute(answer) ? 'path' : isInvalid(answer) ? 'body' : 'token';
  const seen = `${route}: ${summaryOf(answer)}`;
  if (saysNothing(answer)) findings.note('N16', 'not seen', seen);
  else findings.note('N16', 'contradicted', `${seen} (${error?.code}); see login.${place}`);
  findings.remark(`${route} failed: ${findings.wordsOf(answer)}`);
  return false;
}

/**
 * Notes an operation of the portal. The names and places of a gateway that does it otherwise are in its
 * documents: the row says how the client failed, and where in a profile they belong.
 */
function noteTaken(
  { findings, profile }: Visit,
  reading: ReadingId,
  operation: OperationName,
  { answer, error }: Asked<unknown>,
): void {
  const { method, path } = { ...operations[operation], ...changeOf(profile, operation) };
  if (error === undefined) findings.note(reading, 'confirmed', `${method} ${path}`);
  else if (saysNothing(answer)) {
    findings.note(reading, 'not seen', `${method} ${path}: ${summaryOf(answer)}`);
  } else findings.note(reading, 'contradicted', `${method} ${path}: ${error.message}`);
  if (error !== undefined) findings.remark(`${operation} failed: ${findings.wordsOf(answer)}`);
}

/** Notes that an answer lacks a field where this kit and the profile look for it. */
function noteField(
  { findings, profile }: Visit,
  reading: ReadingId,
  operation: OperationName,
  field: string,
): void {
  const { answer = {} } = changeOf(profile, operation);
  if (answer[field] === null) return;
  const place = `operations.${operation}.answer.${field}`;
  const seen = `no ${field} at ${answer[field] ?? `/${field}`}: ${place} says where it is, or null`;
  findings.note(reading, 'contradicted', seen);
}

/** N17: whether listed keys are masked; a key itself is never shown. */
async function noteKeys(visit: Visit): Promise<void> {
  const { findings, line } = visit;
  const operation = 'retrieveCredentials';
  const keys = await line.ask((client) => client.retrieveCredentials());
  noteTaken(visit, 'N17', operation, keys);
  const { credentials = [] } = keys.value ?? {};
  for (const field of ['id', 'apiKey'] as const) {
    if (credentials.some((one) => one[field] === '')) noteField(visit, 'N17', operation, field);
  }
  const listed = credentials.map(({ apiKey }) => apiKey).filter((key) => key !== '');
  if (listed.length === 0) return;
  for (const key of listed) findings.hide(key);
  const isFull = listed.some((key) => !/[*•●…]|([xX#_.-])\1{3}/u.test(key));
  const seen = isFull ? 'keys in full' : 'masked keys';
  findings.check('N17', !isFull, seen, 'different');
  if (isFull) {
    findings.remark('Listed keys come in full: the client gives them to your code as they are.');
  }
}

/** Makes one webhook and changes it (N12); the end of the run deletes it. */
export async function takeWebhooks(visit: Visit): Promise<void> {
  needs(visit.mayWritePortal, 'it is taken only with --portal-writes');
  needs(visit.hasPortal, 'the portal’s login is not set');
  needs(visit.isLoggedIn !== false, 'the portal’s login failed');
  const { findings, line, listener } = visit;
  const url = listener?.url ?? `${RETURN_ADDRESS}/webhook`;
  // A webhook to an address that does not exist is off.
  const input = { url, events: ['Purchase'], active: listener !== null };
  const created = await line.ask((client) => client.createWebhook(input));
  if (!noteLogin(visit, created)) return;
  noteTaken(visit, 'N12', 'createWebhook', created);
  if (!isSuccess(created.answer)) return;
  made(visit, `a webhook to ${url}`, 'it is still there: delete it in the dashboard');
  const { value } = created;
  if (value?.secret === null) noteField(visit, 'N12', 'createWebhook', 'secret');
  if (value?.secret) {
    findings.hide(value.secret);
    listener?.secrets.push(value.secret);
  }
  if (value?.id === '') noteField(visit, 'N12', 'createWebhook', 'id');
  const list = value?.id ? undefined : await line.ask((client) => client.listWebhooks());
  const id = value?.id || list?.value?.webhooks.find((one) => one.url === url)?.id;
  if (!id) return;
  visit.webhook = { id, url };
  const updated = await line.ask((client) => client.updateWebhook({ id, url }));
  noteTaken(visit, 'N12', 'updateWebhook', updated);
}

export async function removeWebhook(visit: Visit): Promise<void> {
  const { line, webhook } = visit;
  if (webhook === undefined) return;
  const deleted = await line.ask((client) => client.deleteWebhook({ id: webhook.id }));
  noteTaken(visit, 'N12', 'deleteWebhook', deleted);
  if (deleted.error === undefined) made(visit, `a webhook to ${webhook.url}`, 'deleted');
}
