import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Finding } from '../errors.ts';
import { ConfigurationError, guideAddress, helpAddress, nameOf, throwFindings } from '../errors.ts';
import type { AskedOperation } from './gateway-error.ts';
import { may, type OperationProfile } from './operation.ts';
import { moneyOperations } from './money-moves.ts';
import { paymentLinkOperations } from './payment-links.ts';
import { portalOperations } from './portal.ts';
import { saleOperations } from './sale.ts';
import { statusOperations } from './status.ts';

/** One of a few words; the first is this kit's reading. */
function choice<const Word extends string>(what: string, ...words: readonly [Word, ...Word[]]) {
  const quoted = words.map((word) => JSON.stringify(word));
  const message = `must be ${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
  return z.enum(words, message).default(words[0]).describe(what);
}

const statusProfile = z.strictObject({
  parameter: choice('The name of the status call’s query (X1).', 'id', 'sessionId'),
  asksFor: choice('Which ids the status call answers (X2).', 'session', 'transaction', 'either'),
  notFound: choice(
    'What a 404 of the status call says: no such session, or no transaction in it yet (N21).',
    'unknown',
    'not-yet',
  ),
  orderName: may.theirName
    .nullable()
    .optional()
    .describe(
      'The field of a status row that bears our merchantOrderId (N6); null: none. Without it the first of merchantOrderId and orderId that has the form of a name of ours.',
    ),
});

const sessionProfile = z.strictObject({
  afterFailure: choice(
    'Whether a session’s page takes another card after a failed payment (N2).',
    'payable',
    'closed',
  ),
  afterEnd: choice(
    'What a refusal (400, 404, 410 or an errorCode) of a session’s status says after its 48 hours: nothing, or that the session is gone and was not paid (N3).',
    'unknown',
    'gone',
  ),
});

const loginProfile = z.strictObject({
  path: may.path.default('/auth/login').describe('The path of the portal’s login (N16).'),
  body: may.body(['username', 'password']),
  token: may.pointer
    .optional()
    .describe('Where the token is; without it accessToken, access_token or token.'),
  expiresInSeconds: may.pointer
    .optional()
    .describe('Where the token’s lifetime in seconds is; without it expiresIn or expires_in.'),
});

const signatureProfile = z.strictObject({
  header: may.theirName
    .default('X-Signature')
    .describe('The header of the signature; the option webhookSignatureHeader goes before it.'),
  algorithm: choice('The hash of the HMAC over the raw body.', 'sha256', 'sha512', 'sha1'),
  encoding: z.enum(['hex', 'base64'], 'must be "hex" or "base64"').default('hex'),
  prefix: z
    .string()
    .max(40)
    .default('')
    .describe('A text before the signature, such as "sha256=".'),
  timestamped: z
    .boolean()
    .default(false)
    .describe('Whether the header is t=<seconds>,v1=<signature> over "<seconds>.<body>".'),
});

const webhookProfile = z.strictObject({
  orderName: may.pointer
    .optional()
    .describe(
      'Where a notification bears our merchantOrderId (N13); without it /merchantOrderId or /orderId.',
    ),
  transactionId: may.pointer
    .default('/transactionId')
    .describe('Where a notification bears the transaction’s id (N13).'),
  signature: signatureProfile.prefault({}).describe('How a notification is signed (N14).'),
});

const saleProfile = z.strictObject({
  hash: choice('Whether the gateway refuses a sale without a hash (N8).', 'optional', 'required'),
});

/** The operations of the gateway by the client's method names. Each stands in full beside its method. */
export const operations = {
  ...paymentLinkOperations,
  ...statusOperations,
  ...moneyOperations,
  ...saleOperations,
  ...portalOperations,
};

type Rows = typeof operations;

type Profiles = {
  [
    Name in keyof Rows as Rows[Name] extends { readonly profile: z.ZodType } ? Name : never
  ]: Rows[Name] extends { readonly profile: infer Shape } ? Shape : never;
};

/** What a profile may say of single operations: each row says that of its own. */
const operationProfiles = z.strictObject(
  Object.fromEntries(
    Object.entries(operations).flatMap(([name, row]) =>
      'profile' in row ? [[name, row.profile]] : [],
    ),
  ) as Profiles,
);

/**
 * The readings of one gateway: how it does what the specification contradicts or does not show. Each
 * part has a default, which is this kit's reading.
 */
export const gatewayProfile = z
  .strictObject({
    $schema: z.string().optional(),
    name: z.string().max(200).optional().describe('What the file is, for people.'),
    status: statusProfile.prefault({}).describe('The status call (§4.2).'),
    session: sessionProfile
      .prefault({})
      .describe('The checkout session behind a payment link (§3).'),
    operations: operationProfiles
      .default({})
      .describe('Single operations, by the client’s method names.'),
    login: loginProfile.prefault({}).describe('The portal’s login (§5).'),
    webhook: webhookProfile.prefault({}).describe('The gateway’s notifications (§6).'),
    sale: saleProfile.prefault({}).describe('Server-to-server sales (§4.4).'),
  })
  .describe('How one gateway does what its specification leaves open.');

/**
 * How one gateway does what its specification contradicts or does not show; this kit's readings are
 * the defaults. `contract/gateway-profile.schema.json` describes the same shape for editors.
 */
export type GatewayProfile = z.input<typeof gatewayProfile>;

/** A profile with its defaults filled in. */
export type Profile = z.output<typeof gatewayProfile>;

export function changeOf(profile: Profile, operation: AskedOperation): OperationProfile {
  if (operation === 'logIn') return profile.login;
  const changes: Readonly<Record<string, OperationProfile | undefined>> = profile.operations;
  return changes[operation] ?? {};
}

/** The gateway's names of fields of an operation, or of its notifications, that a profile speaks of. */
export function namesIn(profile: Profile, operation: AskedOperation | 'webhook') {
  const { login, status, webhook } = profile;
  const isStatus = operation === 'retrieveStatus' || operation === 'pollStatus';
  const pointers =
    operation === 'logIn'
      ? [login.token, login.expiresInSeconds]
      : operation === 'webhook'
        ? [webhook.orderName, webhook.transactionId]
        : Object.values(changeOf(profile, operation).answer ?? {});
  const names = pointers.flatMap((place) => place?.split('/').slice(1) ?? []);
  return isStatus && status.orderName ? [...names, status.orderName] : names;
}

/**
 * Reads a profile once, at start: an object, or the name of a JSON file that holds one.
 *
 * @throws {@link ConfigurationError} `invalid_profile` with everything that is wrong with it.
 */
export function readProfile(given: GatewayProfile | string | undefined): Profile {
  const value = typeof given === 'string' ? contentOf(given) : (given ?? {});
  const { data, error } = gatewayProfile.safeParse(value);
  if (data !== undefined) return data;
  throwFindings(error.issues.flatMap(mistakesOf));
  throw error;
}

/**
 * Puts the content of a profile's file in the place of its name, so that all parts of a shop go by the
 * same content even if the file changes meanwhile. A file that cannot be read stays a name, which the
 * checks at start report beside all other mistakes.
 */
export function withProfileRead<
  Options extends { readonly gateway: { readonly profile?: GatewayProfile | string | undefined } },
>(options: Options): Options {
  const { profile } = options?.gateway ?? {};
  if (typeof profile !== 'string') return options;
  try {
    const content = contentOf(profile);
    if (typeof content !== 'object') return options;
    return { ...options, gateway: { ...options.gateway, profile: content as GatewayProfile } };
  } catch {
    return options;
  }
}

function contentOf(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const what = error instanceof SyntaxError ? 'is no JSON' : `cannot be read (${nameOf(error)})`;
    throw new ConfigurationError('invalid_profile', {
      setting: 'gateway.profile',
      what: `The gateway profile ${JSON.stringify(file)} ${what}.`,
      why: 'Without it payments would be read by other readings than yours.',
      fix: 'Give the name of a JSON file, or leave the profile out.',
    });
  }
}

function mistakesOf(issue: z.core.$ZodIssue): readonly Finding[] {
  const place = ['gateway.profile', ...issue.path].join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => mistake(`${place}.${key}`, 'has no place in a profile'));
  }
  const isText = issue.message.startsWith('must ');
  return [mistake(place, isText ? issue.message : 'has not the form that a profile needs')];
}

const mistake = (setting: string, what: string): Finding => ({
  code: 'invalid_profile',
  help: helpAddress('invalid_profile'),
  setting: setting.slice(0, 200),
  what: `${setting.slice(0, 200)} ${what}.`,
  why: 'Calls would be sent, or answers read, in a way that the gateway does not have.',
  fix: `Leave it out for this kit’s reading, or see ${guideAddress('gateway-client.md#profile')}`,
});
