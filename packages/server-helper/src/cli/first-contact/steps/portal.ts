import { isFields, isSuccess, summaryOf, formOf } from '../gateway-line.ts';
import { takeOperation, type Values } from '../note-form.ts';
import type { AnswerField, OpenOperation } from '../operation-forms.ts';
import { listIn } from '../places.ts';
import type { Step, Visit } from '../visit.ts';

/** A token as a header carries it. */
const isToken = (value: unknown): value is string =>
  typeof value === 'string' && /^[\x21-\x7E]{8,8192}$/.test(value);

const isSeconds = (value: unknown): boolean => Number(value) >= 1 && typeof value !== 'boolean';

const isSimple = (value: unknown): boolean => value !== undefined && typeof value !== 'object';

const loginPaths = [
  '/portal/auth/login',
  '/merchant/auth/login',
  '/portal/login',
  '/merchant/login',
  '/login',
  '/auth/token',
];

const login: OpenOperation = {
  reading: 'N16',
  name: 'login',
  route: ['POST', '/auth/login'],
  otherRoutes: loginPaths.map((path) => ['POST', path]),
  changes: ['path'],
  request: {
    username: ['email', 'userName', 'login'],
    password: ['pass', 'passwd', 'secret'],
  },
  answer: {
    token: {
      names: ['accessToken', 'jwt', 'bearer', 'idToken'],
      fits: isToken,
      usual: ['/accessToken', '/access_token', '/token'],
      isSecret: true,
    },
    expiresInSeconds: {
      names: ['expiresIn', 'expires', 'ttl', 'lifetime'],
      fits: isSeconds,
      usual: ['/expiresIn', '/expires_in'],
    },
  },
};

/** A field of a record, under names that circulate. */
const field = (...names: readonly string[]): AnswerField => ({ names, fits: isSimple });

const recordFields = {
  status: field('state'),
  createdAt: field('created', 'createdOn', 'creationDate'),
  expiresAt: field('expires', 'expiry', 'expiryDate', 'validUntil'),
};

const retrieveCredentials: OpenOperation = {
  reading: 'N17',
  name: 'retrieveCredentials',
  route: ['GET', '/merchant/account/credentials'],
  otherRoutes: [], // The specification states the route.
  changes: [],
  list: 'credentials',
  answer: {
    ...recordFields,
    id: { ...field('_id', 'uuid', 'keyId'), isNeeded: true },
    apiKey: { ...field('key', 'maskedKey', 'value'), isNeeded: true, isSecret: true },
    environment: field('env', 'mode'),
  },
};

const sdkTokenPaths = [
  '/merchant/account/sdk/tokens',
  '/merchant/sdk-tokens',
  '/merchant/account/tokens',
];

const listSdkTokens: OpenOperation = {
  reading: 'N19',
  name: 'listSdkTokens',
  route: ['GET', '/merchant/account/sdk-tokens'],
  otherRoutes: sdkTokenPaths.map((path) => ['GET', path]),
  changes: ['path'],
  list: 'sdkTokens',
  answer: {
    ...recordFields,
    id: { ...field('_id', 'uuid', 'tokenId'), isNeeded: true },
    name: field('label', 'title'),
    type: field('kind', 'product'),
    terminalId: field('terminal', 'tid'),
  },
};

/** The login and the lists of the portal: it changes nothing there (N16, N17, N19, §4.9). */
export const portalStep: Step = {
  name: 'portal',
  does: 'logs in to the portal, and lists webhooks, API keys and SDK tokens',
  missing: ({ portal }) =>
    portal === null ? 'GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD are not set' : undefined,
  async run(visit) {
    const credential = await logIn(visit);
    if (credential === undefined) return;
    await noteWebhooks(visit, credential);
    const keys = await takeOperation(visit, retrieveCredentials, { values: {}, credential });
    if (keys !== undefined) noteKeys(visit, keys);
    await takeOperation(visit, listSdkTokens, { values: {}, credential });
  },
};

/** The portal's credential; a refused password is tried once in a run. */
export async function logIn(visit: Visit): Promise<Visit['portalCredential']> {
  if (visit.portal === null || visit.portalCredential !== undefined) return visit.portalCredential;
  const { username, password } = visit.portal;
  const request = { values: { username, password }, credential: {} };
  const [token] = (await takeOperation(visit, login, request))?.['token'] ?? [];
  if (isToken(token)) visit.portalCredential = { authorization: `Bearer ${token}` };
  return visit.portalCredential;
}

async function noteWebhooks(
  { findings, line }: Visit,
  credential: Readonly<Record<string, string>>,
): Promise<void> {
  const path = '/merchant/account/webhooks';
  const answer = await line.ask({ method: 'GET', path, credential });
  const { body } = answer;
  const holds = isSuccess(answer) && isFields(body) && Array.isArray(body['webhooks']);
  const place = listIn(body)?.pointer;
  const seen = place === undefined ? summaryOf(answer) : `a list at "${place}"`;
  findings.note('§4.9', holds ? 'confirmed' : 'contradicted', seen);
}

/** N17: whether listed keys are masked; a key itself is never shown. */
function noteKeys({ findings }: Visit, { apiKey = [], id = [] }: Values): void {
  if (apiKey.length === 0) return;
  const isFull = apiKey.some((key) => !/[*•●…]|([xX#_.-])\1{3}/u.test(String(key)));
  const seen = isFull ? 'keys in full' : 'masked keys';
  findings.note('N17', isFull ? 'different' : 'confirmed', seen);
  if (isFull) {
    findings.remark('Listed keys come in full: the client gives them to your code as they are.');
  }
  const hasNumbers = id.some((one) => formOf(one) === 'a number');
  if (hasNumbers) findings.note('N17', 'confirmed', 'id is a number, read as a text');
}
