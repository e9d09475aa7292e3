import { operations } from '../../gateway/operations.ts';
import { changeOf } from '../../gateway/profile.ts';
import { valueAt } from '../../gateway/translation.ts';
import { formOf, isFields, isNoRoute, isSuccess, toldOf, type Fields } from './gateway-line.ts';
import { listIn, placeOf } from './places.ts';
import type { ReadingId } from './readings.ts';
import type { Visit } from './visit.ts';

/** A list of the portal, and the other names under which its fields circulate. */
interface PortalList {
  readonly reading: ReadingId;
  readonly list: string;
  /** Other paths, where the specification does not state the path. */
  readonly paths: readonly string[];
  /** Fields that a record is nothing without. */
  readonly needed: readonly string[];
  readonly names: Readonly<Record<string, readonly string[]>>;
}

const commonNames = {
  id: ['id', '_id', 'uuid', 'keyId', 'tokenId'],
  status: ['status', 'state'],
  createdAt: ['createdAt', 'created', 'createdOn', 'creationDate'],
  expiresAt: ['expiresAt', 'expires', 'expiry', 'expiryDate', 'validUntil'],
};

const lists = {
  retrieveCredentials: {
    reading: 'N17',
    list: 'credentials',
    paths: [],
    needed: ['id', 'apiKey'],
    names: {
      ...commonNames,
      apiKey: ['apiKey', 'key', 'maskedKey', 'value'],
      environment: ['environment', 'env', 'mode'],
    },
  },
  listSdkTokens: {
    reading: 'N19',
    list: 'sdkTokens',
    paths: ['/merchant/account/sdk/tokens', '/merchant/sdk-tokens', '/merchant/account/tokens'],
    needed: ['id'],
    names: {
      ...commonNames,
      name: ['name', 'label', 'title'],
      type: ['type', 'kind', 'product'],
      terminalId: ['terminalId', 'terminal', 'tid'],
    },
  },
} as const satisfies Readonly<Record<string, PortalList>>;

/** Asks for one list of the portal, and notes where it and the fields of its records are. */
export async function noteList(
  visit: Visit,
  operation: keyof typeof lists,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { line, findings, profile } = visit;
  const known: PortalList = lists[operation];
  const change = changeOf(profile, operation);
  const usualPath = operations[operation].path;
  for (const path of new Set([change.path ?? usualPath, usualPath, ...known.paths])) {
    const answer = await line.ask({ method: 'GET', path, headers });
    if (isNoRoute(answer)) continue;
    const seen = `GET ${path}: ${toldOf(answer)}`;
    if (!isSuccess(answer)) {
      findings.note(known.reading, 'not seen', seen);
      return;
    }
    if (known.paths.length > 0) {
      const entry = { place: `operations.${operation}.path`, value: path, usual: usualPath };
      findings.noteEntry(known.reading, entry, `GET ${path}`);
    }
    noteRecords(visit, operation, known, answer.body);
    return;
  }
  findings.note(known.reading, 'contradicted', `no list at ${usualPath}`);
}

function noteRecords(
  visit: Visit,
  operation: keyof typeof lists,
  known: PortalList,
  body: unknown,
): void {
  const { findings, profile } = visit;
  const { reading, list } = known;
  const given = changeOf(profile, operation).answer ?? {};
  const place = `operations.${operation}.answer`;
  const stated = given[list];
  const isThere = typeof stated === 'string' && Array.isArray(valueAt(body, stated));
  const usual = isFields(body) && Array.isArray(body[list]) ? `/${list}` : undefined;
  const pointer = isThere ? stated : (usual ?? listIn(body)?.pointer);
  if (pointer === undefined) {
    findings.note(reading, 'contradicted', 'the answer holds no list');
    return;
  }
  const at = { place: `${place}.${list}`, value: pointer, usual: `/${list}` };
  findings.noteEntry(reading, at, `a list at "${pointer}"`);
  const records = (valueAt(body, pointer) as readonly unknown[]).filter(isFields);
  if (records.length === 0) {
    findings.note(reading, 'not seen', 'the list is empty');
    return;
  }
  for (const [name, names] of Object.entries(known.names)) {
    const found = fieldIn(records, name, names, given[name]);
    if (found === undefined && !known.needed.includes(name)) continue;
    const field = { place: `${place}.${name}`, value: found ?? null, usual: `/${name}` };
    const isElsewhere = found !== `/${name}`;
    const seen = isElsewhere ? `${name} at ${found ?? 'no place'}` : 'fields under our names';
    findings.noteEntry(reading, field, seen);
  }
  if (operation === 'retrieveCredentials') noteKeys(visit, records, given['apiKey'] ?? '/apiKey');
}

/** Where a field of the records is: where the profile says, under our name, or under another. */
function fieldIn(
  records: readonly Fields[],
  name: string,
  names: readonly string[],
  given: string | null | undefined,
): string | undefined {
  const isAt = (pointer: string) => records.some((one) => valueAt(one, pointer) !== undefined);
  if (typeof given === 'string' && isAt(given)) return given;
  if (isAt(`/${name}`)) return `/${name}`;
  return records
    .map((record) => placeOf(record, names, (value) => !isFields(value) && !Array.isArray(value)))
    .find((place) => place !== undefined)?.pointer;
}

/** N17: whether listed keys are masked; a key itself is never shown. */
function noteKeys({ findings }: Visit, records: readonly Fields[], pointer: string): void {
  const keys = records
    .map((record) => valueAt(record, pointer))
    .filter((key) => typeof key === 'string');
  for (const key of keys) findings.hide(key);
  if (keys.length === 0) return;
  const isFull = keys.some((key) => !/[*•●…]|([xX#_.-])\1{3}/u.test(key));
  findings.note(
    'N17',
    isFull ? 'contradicted' : 'confirmed',
    isFull ? 'keys in full' : 'masked keys',
  );
  if (isFull)
    findings.remark('Listed keys come in full: the client gives them to your code as they are.');
  const ids = [...new Set(records.map(({ id }) => formOf(id)))];
  if (ids.includes('a number')) findings.note('N17', 'confirmed', 'id is a number, read as a text');
}
