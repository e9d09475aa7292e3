import type { OperationName } from '../domain/tenant.ts';

/** Readings other than the default. X and N are open points, as `/_sandbox/fidelity` has them. */
export const policies = {
  sameId: 'status rows carry the session id as transactionId (X2)',
  transactionIdOnly: 'status knows transaction ids only; a session id is 404 (X2)',
  sessionIdOnly: 'status knows a payment link by its session id only (X2)',
  sessionIdParameter: 'the query of the status call is sessionId; id is 400 (X1)',
  refundAboveMinimum: 'a refund of 0.01 is 400 (X5)',
  otherAccepted: 'a refund is ACCEPTED, a capture and a void are accepted (X6)',
  B: 'refused refunds are answered in envelope B (X7)',
  appendsTransactionId: 'return addresses get transactionId and status (N1)',
  appendsSessionId: 'return addresses get sessionId and status (N1)',
  declineLeaves: 'the first declined card leaves for failureUrl (N2)',
  closesOnFailure: 'a session is over with its first failed payment (N2)',
  lastAttemptOnly: 'status shows the last attempt of a session only (N2)',
  forgetsSessions: 'a session id is 404 once its 48 hours are over (N3)',
  rejectedStatus: 'a decline has the paymentStatus REJECTED (N4)',
  absentStatus: 'a decline has no paymentStatus (N4)',
  nullPending: 'PENDING rows have null for paymentStatus, refundStatus and totals (N4)',
  ownOrderNumbers: 'orderId is a number of the gateway, not your merchantOrderId (N6)',
  noOrderName: 'rows and webhooks have no merchantOrderId and no orderId (N6)',
  bareRows: 'rows have the fields of section 2.2 only (N6)',
  numericIds: 'numbers for rrn, payment ids, currency codes and ids of portal records (N6)',
  strictHash: 'a sale needs its hash (N8)',
  noSecrets: 'new webhooks, keys and SDK tokens come without their secret (N12)',
  webhookEnvelope: 'a webhook is an envelope: event, and the payment in data (N13)',
  unsignedWebhooks: 'webhooks have no signature (N14)',
  noRetries: 'a webhook is tried once (N15)',
  fullKeys: 'the credentials API shows keys in full (N17)',
  rotationRevokes: 'a new API key ends the older ones at once (N18)',
  saudiPhones: 'only Saudi mobile numbers are taken (N20)',
  errorsB: 'errors of payment calls come in envelope B, if no section states A (N21)',
  emptyForUnknown: 'status answers an unknown id with an empty content (N21)',
  unknownUntilTransaction: 'status is 404 until a transaction exists (N21)',
  nullUntilTransaction: 'status has null for data until a transaction exists (N21)',
} as const;

/** A reading of the specification that differs from the sandbox's default one. */
export type Policy = keyof typeof policies;

export const policyNames = Object.keys(policies) as readonly Policy[];

export const findPolicy = (name: unknown): Policy | undefined =>
  policyNames.find((known) => known === name);

/** The readings of the specification that are in force; the control API may change them. */
export type Policies = Set<Policy>;

interface OperationReading {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | undefined;
  /** Relative to the base address, with `{id}` for the id of a record. */
  readonly path?: string | undefined;
  /** The gateway's names of fields of the request, by ours. */
  readonly body?: Names | undefined;
  /** Fields that every request has to bear besides ours. */
  readonly add?: Readonly<Record<string, string | number | boolean>> | undefined;
  /** Where the fields of the answer are; null: the gateway has no such field. */
  readonly answer?: Places | undefined;
}

type Names = Readonly<Record<string, string | undefined>>;

/** JSON Pointers by our names of fields. */
export type Places = Readonly<Record<string, string | null | undefined>>;

/** How a webhook is signed (N14). */
interface SignatureForm {
  readonly header: string;
  readonly algorithm: 'sha256' | 'sha512' | 'sha1';
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
  readonly timestamped: boolean;
}

/** A file of readings, as `contract/gateway-profile.schema.json` describes it. */
export interface Profile {
  readonly name?: string;
  readonly status?: {
    readonly parameter?: 'id' | 'sessionId';
    readonly asksFor?: 'session' | 'transaction' | 'either';
    readonly notFound?: 'unknown' | 'not-yet';
    readonly orderName?: string | null;
  };
  readonly session?: {
    readonly afterFailure?: 'payable' | 'closed';
    readonly afterEnd?: 'unknown' | 'gone';
  };
  readonly operations?: { readonly [Name in OperationName]?: OperationReading };
  readonly login?: {
    readonly path?: string;
    readonly body?: Names;
    readonly token?: string;
    readonly expiresInSeconds?: string;
  };
  readonly webhook?: {
    readonly orderName?: string;
    readonly transactionId?: string;
    readonly signature?: Partial<SignatureForm>;
  };
  readonly sale?: { readonly hash?: 'optional' | 'required' };
}

export interface Readings {
  readonly policy: Policies;
  readonly profile: Profile;
}

/** Whether a session takes no further payment after a failed one (N2). */
export const closesOnFailure = ({ policy, profile }: Readings): boolean =>
  policy.has('closesOnFailure') || profile.session?.afterFailure === 'closed';

/** The sandbox's own readings. */
export const usualProfile: Profile = {};

const usualSignature: SignatureForm = {
  header: 'X-Signature',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: '',
  timestamped: false,
};

export function signatureForm({ webhook }: Profile): SignatureForm {
  return { ...usualSignature, ...webhook?.signature };
}

/** What a profile says of an operation; the login has a place of its own there. */
export function readingOf(
  { operations, login }: Profile,
  operation: OperationName,
): OperationReading {
  if (operation !== 'logIn') return operations?.[operation] ?? {};
  const { path, body, token, expiresInSeconds } = login ?? {};
  return { path, body, answer: { accessToken: token, expiresIn: expiresInSeconds } };
}
