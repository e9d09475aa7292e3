import { z } from 'zod';

/** Plain segments without anything that a server would read in a second way. */
const segments = String.raw`(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)`;

export const path = z
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

export const theirName = z
  .string()
  .regex(/^[A-Za-z0-9_.$-]{1,100}$/, 'must be the name of a field')
  .describe('The gateway’s name of the field.');

export const pointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~[01])*)+$/, 'must be a JSON Pointer such as "/data/id"')
  .describe('A JSON Pointer (RFC 6901) into the body.');

const fieldPointer = pointer
  .nullable()
  .describe('A JSON Pointer into the answer’s body; null where the gateway has no such field.');

const listPointer = z
  .union([z.literal(''), pointer], 'must be a JSON Pointer such as "/data/items", or ""')
  .describe('A JSON Pointer into the answer’s body; "" where the body is the list.');

type Fields<Name extends string, Shape extends z.ZodType> = Record<Name, z.ZodOptional<Shape>>;

export const fields = <const Name extends string, Shape extends z.ZodType>(
  names: readonly Name[],
  shape: Shape,
): z.ZodObject<Fields<Name, Shape>, z.core.$strict> =>
  z.strictObject(
    Object.fromEntries(names.map((name) => [name, shape.optional()])) as Fields<Name, Shape>,
  );

/**
 * Fields of a request by our names.
 *
 * @param fixed - Names of its fields that stay, so that no other field may take them.
 */
export const body = <const Name extends string>(
  names: readonly Name[],
  fixed: readonly string[] = [],
) =>
  fields(names, theirName)
    .superRefine((given, context) => {
      const renames = given as Readonly<Record<string, string | undefined>>;
      const sent = [...fixed, ...names.map((name) => renames[name] ?? name)];
      for (const [name, theirs] of Object.entries(renames)) {
        if (sent.filter((other) => other === theirs).length < 2) continue;
        context.addIssue({
          code: 'custom',
          path: [name],
          message: 'must be no other field’s name',
        });
      }
    })
    .optional()
    .describe('Other names of fields, ours to the gateway’s.');

/** Fields of an answer by our names. */
const answer = <const Name extends string>(...names: readonly Name[]) =>
  fields(names, fieldPointer).optional().describe('Where the fields of the answer are.');

/** Fields of the records of a list: the list itself from the body, its fields from each record. */
const answerList = <const List extends string, const Name extends string>(
  list: List,
  ...names: readonly Name[]
) =>
  z
    .strictObject({ ...fields([list], listPointer).shape, ...fields(names, fieldPointer).shape })
    .optional()
    .describe(`Where the list is, and where its fields are in each record of ${list}.`);

const add = z
  .record(theirName, z.union([z.string(), z.number(), z.boolean()]))
  .optional()
  .describe('Fields that every request bears besides ours, of which they replace none.');

const change = <Shape extends z.core.$ZodLooseShape>(shape: Shape) =>
  z.strictObject(shape).optional();

const credentialFields = [
  'id',
  'apiKey',
  'environment',
  'status',
  'createdAt',
  'expiresAt',
] as const;
const webhookFields = ['id', 'url', 'active', 'events'] as const;
const sdkTokenFields = [
  'id',
  'name',
  'type',
  'terminalId',
  'status',
  'createdAt',
  'expiresAt',
] as const;

/**
 * The operations by the client's method names, each with what the specification leaves open of it:
 * what the specification states has no place here.
 */
export const operationProfiles = z.strictObject({
  createPaymentLink: change({ add }),
  refund: change({ path: path.optional(), add }),
  sale: change({
    body: body(
      ['orderId', 'currency', 'paymentMethod', 'recurringInit', 'hash'],
      ['amount', 'auth', 'card', 'customerDetails', 'successUrl', 'failureUrl'],
    ),
    add,
    answer: answer(
      'result',
      'transactionId',
      'payment_id',
      'order_id',
      'html',
      'recurringToken',
      'decline_reason',
    ),
  }),
  capture: change({ add }),
  void: change({ add }),
  chargeRecurring: change({ path: path.optional(), add }),
  pollStatus: change({
    method: method.extract(['GET', 'POST']).optional(),
    path: path.optional(),
    body: body(['transactionId']),
    add,
  }),
  createWebhook: change({
    method: method.optional(),
    path: path.optional(),
    body: body(['url', 'events', 'active']),
    add,
    answer: answer(...webhookFields, 'secret'),
  }),
  updateWebhook: change({
    method: method.optional(),
    path: pathWithId.optional(),
    body: body(['url', 'events', 'active']),
    add,
    answer: answer(...webhookFields),
  }),
  deleteWebhook: change({ method: method.optional(), path: pathWithId.optional() }),
  retrieveCredentials: change({ answer: answerList('credentials', ...credentialFields) }),
  rotateApiKey: change({
    method: method.optional(),
    path: path.optional(),
    add,
    answer: answer(...credentialFields),
  }),
  listSdkTokens: change({
    method: method.optional(),
    path: path.optional(),
    answer: answerList('sdkTokens', ...sdkTokenFields),
  }),
  createSdkToken: change({
    method: method.optional(),
    path: path.optional(),
    body: body(['name', 'type', 'terminalId']),
    add,
    answer: answer(...sdkTokenFields, 'token'),
  }),
  updateSdkToken: change({
    method: method.optional(),
    path: pathWithId.optional(),
    body: body(['status']),
    add,
    answer: answer(...sdkTokenFields),
  }),
});
