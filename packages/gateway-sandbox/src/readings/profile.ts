import type { OperationName } from '../operations.ts';
import type { Policies } from './policies.ts';

/** What a profile says of one operation. */
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
export interface SignatureForm {
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

/** The readings in force. */
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
