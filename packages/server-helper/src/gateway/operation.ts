import { z } from 'zod';
import type { AskedOperation } from './gateway-error.ts';
import { type Fields, isFields } from './fields.ts';

/** The envelopes' kinds (§4): A, C, nothing around the answer, or no answer's body at all. */
export type EnvelopeKind = 'A' | 'C' | 'bare' | 'empty';

/**
 * One operation of the gateway: all that is known of it stands in its row, beside the methods that call it.
 * The client, the profile's schema and the counting of drift are made from the rows.
 */
export interface Operation {
  /** The client's method. */
  readonly name: AskedOperation;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base URL; `{id}` stands for the input's id. */
  readonly path: string;
  /** Which credential opens it (§5); the two are not interchangeable. The portal's login needs none. */
  readonly credential: 'apiKey' | 'portal' | 'none';
  readonly input: z.ZodType;
  /** The envelope of the answer (§4). */
  readonly envelope: EnvelopeKind;
  /** The answer inside its envelope, in the gateway's spelling. */
  readonly answer: z.ZodType | null;
  /** The answer with further fields that this kit foresees and does not read. @defaultValue `answer` */
  readonly foreseen?: z.ZodType;
  /** The status of a success. @defaultValue 200 */
  readonly httpStatus?: 201;
  /** Whether a 404 is an answer to its question: it names something by an id (assumption N21). */
  readonly namesById?: true;
  /** What a profile may say of it: what the specification states has no place here. */
  readonly profile?: z.ZodType;
  /** The field that holds the records, where the answer is a list. */
  readonly list?: string;
  /** Whether it moves money, or holds or releases it. */
  readonly movesMoney?: true;
  /** The answer's field for a secret that the gateway gives only once. */
  readonly givesSecret?: string;
}

/** Operations by their names, which go into each row. */
export const operationsOf = <const Rows extends Readonly<Record<string, Omit<Operation, 'name'>>>>(
  rows: Rows,
) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, { ...row, name }])) as {
    readonly [Name in keyof Rows]: Rows[Name] & { readonly name: Name & AskedOperation };
  };

/** The common parts of operations: who opens them (§5), what most of these answer, and how they are sent. */
export const payment = { credential: 'apiKey', envelope: 'A' } as const;
export const portal = { credential: 'portal', envelope: 'bare' } as const;
export const moves = { ...payment, method: 'POST', movesMoney: true } as const;

/** What a profile may say of one operation; most operations leave less open. */
export interface OperationProfile {
  readonly method?: Operation['method'] | undefined;
  readonly path?: string | undefined;
  /** The gateway's names of fields of the request, by ours. */
  readonly body?: Readonly<Record<string, string | undefined>> | undefined;
  /** Fields that every request bears besides ours. */
  readonly add?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Pointers into the answer by our names of its fields; `null` where there is no such field. */
  readonly answer?: Readonly<Record<string, string | null | undefined>> | undefined;
}

/** Plain segments without anything that a server would read in a second way. */
const segments = String.raw`(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)`;

const path = z
  .string()
  .regex(new RegExp(`^${segments}+$`), 'must be a path such as "/payment/refund"')
  .describe('A path below the base URL.');

const pathWithId = z
  .string()
  .regex(
    new RegExp(String.raw`^${segments}*\/\{id\}${segments}*$`),
    'must be a path with {id} in it once, such as "/webhooks/{id}"',
  )
  .describe('A path below the base URL, with {id} for the id of the record.');

const method = z
  .enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'must be GET, POST, PUT, PATCH or DELETE')
  .describe('The HTTP method.');

const theirName = z
  .string()
  .regex(/^[A-Za-z0-9_.$-]{1,100}$/, 'must be the name of a field')
  .describe('The gateway’s name of the field.');

const jsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON Pointer such as "/data/id"')
  .describe('A JSON Pointer (RFC 6901) into the body.');

const fieldPointer = jsonPointer
  .nullable()
  .describe('A JSON Pointer into the answer’s body; null where the gateway has no such field.');

const listPointer = z
  .union([z.literal(''), jsonPointer], 'must be a JSON Pointer such as "/data/items", or ""')
  .describe('A JSON Pointer into the answer’s body; "" where the body is the list.');

type Optional<Name extends string, Shape extends z.ZodType> = Record<Name, z.ZodOptional<Shape>>;

const optional = <const Name extends string, Shape extends z.ZodType>(
  names: readonly Name[],
  shape: Shape,
): z.ZodObject<Optional<Name, Shape>, z.core.$strict> =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, shape.optional()])) as Optional<Name, Shape>,
  );

/**
 * Fields of a request by our names.
 *
 * @param fixed - Names of its fields that stay, so that no other field may take them.
 */
const bodyOf = <const Name extends string>(names: readonly Name[], fixed: readonly string[] = []) =>
  optional(names, theirName)
    .superRefine((given, context) => {
      const renames = given as Readonly<Record<string, string | undefined>>;
      const sent = [...fixed, ...names.map((name) => renames[name] ?? name)];
      for (const [name, theirs] of Object.entries(renames)) {
        const isTwice = sent.filter((other) => other === theirs).length > 1;
        const message = 'must be no other field’s name';
        if (isTwice) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .optional()
    .describe('Other names of fields, ours to the gateway’s.');

/** Names of fields, as a list or as those of an answer's schema. */
type Names<Name extends string> = readonly Name[] | z.ZodObject<Readonly<Record<Name, z.ZodType>>>;

const pointersTo = <Name extends string>(names: Names<Name>) =>
  optional('shape' in names ? (Object.keys(names.shape) as Name[]) : names, fieldPointer);

const answerAt = <const Name extends string>(names: Names<Name>) =>
  pointersTo(names).optional().describe('Where the fields of the answer are.');

/** Fields of the records of a list: the list itself from the body, its fields from each record. */
const listAt = <const List extends string, const Name extends string>(
  list: List,
  names: Names<Name>,
) =>
  optional([list], listPointer)
    .extend(pointersTo(names).shape)
    .optional()
    .describe(`Where the list is, and where its fields are in each record of ${list}.`);

const added = z
  .record(theirName, z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe('Fields that every request bears besides ours, of which they replace none.');

export const change = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).optional();

const goElsewhere = { method: method.optional(), path: path.optional() };
const goElsewhereById = { method: method.optional(), path: pathWithId.optional() };

/** All that a profile may say of a call that changes something. */
const changing =
  <Where extends z.core.$ZodLooseShape>(where: Where) =>
  <const Sent extends string, const Got extends string>(sent: readonly Sent[], got: Names<Got>) =>
    change({ ...where, body: bodyOf(sent), add: added, answer: answerAt(got) });

/** What a profile may say, part by part. */
export const may = {
  goElsewhere,
  goElsewhereById,
  path,
  method,
  theirName,
  pointer: jsonPointer,
  body: bodyOf,
  add: added,
  answerAt,
  listAt,
  change: changing(goElsewhere),
  changeById: changing(goElsewhereById),
};

const INDEX = /^(?:0|[1-9]\d*)$/;

/** The value at a JSON Pointer (RFC 6901); `undefined` where there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  let value = document;
  for (const token of pointer.split('/').slice(1)) {
    const name = token.replaceAll('~1', '/').replaceAll('~0', '~');
    const hasField = Array.isArray(value) ? INDEX.test(name) : isFields(value);
    if (!hasField || !Object.hasOwn(value as object, name)) return undefined;
    value = (value as Fields)[name];
  }
  return value;
}

/** A request's fields under the gateway's names, with the profile's own beside them. Ours win. */
export function translateFields(fields: object, { body = {}, add }: OperationProfile): Fields {
  const renamed = Object.entries(fields).map(([name, value]) => [body[name] ?? name, value]);
  return { ...add, ...Object.fromEntries(renamed) };
}

/**
 * Puts an answer's fields where this kit looks for them: inside envelope A, in each record of a list,
 * or at the top. An envelope stays as it came, so that one that is missing stays missing.
 */
export function translateAnswer(
  body: unknown,
  { envelope, list }: Pick<Operation, 'envelope' | 'list'>,
  { answer }: OperationProfile,
): unknown {
  if (answer === undefined) return body;
  if (list !== undefined) return translateList(body, list, answer);
  if (envelope !== 'A') return translateRecord(body, body, answer);
  if (!isFields(body) || !isFields(body['data'])) return body;
  return { ...body, data: translateRecord(body['data'], body, answer) };
}

type Pointers = NonNullable<OperationProfile['answer']>;

function translateList(body: unknown, list: string, answer: Pointers): unknown {
  const { [list]: place, ...fields } = answer;
  const records = valueAt(body, place ?? `/${list}`);
  const translated = Array.isArray(records)
    ? records.map((record) => translateRecord(record, record, fields))
    : records;
  return { ...(isFields(body) ? body : {}), [list]: translated };
}

/** A pointer that finds nothing leaves its field out; `null` says that the gateway has none. */
function translateRecord(record: unknown, document: unknown, pointers: Pointers): unknown {
  const found = Object.entries(pointers)
    .filter(([, pointer]) => pointer !== undefined)
    .map(([name, pointer = null]) => [name, pointer && valueAt(document, pointer)]);
  return { ...(isFields(record) ? record : {}), ...Object.fromEntries(found) };
}
