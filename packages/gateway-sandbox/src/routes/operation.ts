import type { ParsedUrlQuery } from 'node:querystring';
import { isFields } from '../domain/body-fields.ts';
import type { Tenant } from '../domain/tenant.ts';
import type { Environment } from '../domain/transaction.ts';
import type { OperationName } from '../operations.ts';
import type { WireReply } from './wire-reply.ts';

/** The caller, known once the credential is checked. */
export interface Caller {
  readonly tenant: string;
  readonly environment: Environment;
  /** How far behind the answer to a question has to be, in milliseconds; 0 but for a fault. */
  readonly lagMs: number;
  /** With the policy `sameId` a link's transaction has its session's id (X2). */
  readonly sameId: boolean;
}

/** The part of a call outside its body. */
export interface CallAddress {
  readonly query: ParsedUrlQuery;
  /** The value of a path's `:id`; empty where the path has none. */
  readonly recordId: string;
}

/**
 * The common part of the payment operations: the API key opens them, and they read only the body.
 */
export const paymentOperation = {
  method: 'POST',
  credential: 'apiKey',
  input: (_address: unknown, body: unknown) => body,
} as const;

/** One operation of the gateway: reading and carrying out are apart, so faults fit in between. */
export interface Operation<Input> {
  /** The client's method name. */
  readonly name: OperationName;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the base address; `:id` is the segment of a record's id. */
  readonly path: string;
  /** Which credential opens it (§5); a login needs none. */
  readonly credential: 'apiKey' | 'portal' | 'none';
  /** The storable part of the call, and its subject. */
  readonly input: (address: CallAddress, body: unknown) => unknown;
  readonly decode: (
    input: unknown,
    caller: Pick<Caller, 'tenant'>,
  ) => { value: Input } | { refusal: WireReply };
  readonly perform: (value: Input, caller: Caller) => WireReply | Promise<WireReply>;
}

/**
 * The merchant's order that a call is about, or null: the one that it names, or that of the
 * session or transaction that it names.
 */
export function orderOfCall(tenant: Tenant, input: unknown): string | null {
  const named = textOf(input, 'merchantOrderId') ?? textOf(input, 'orderId');
  if (named !== null) return named;
  const id = textOf(input, 'transactionId') ?? textOf(input, 'id') ?? textOf(input, 'sessionId');
  if (id === null) return null;
  const sessionId = tenant.transactions.get(id)?.sessionId ?? id;
  return tenant.sessions.get(sessionId)?.merchantOrderId ?? null;
}

function textOf(input: unknown, name: string): string | null {
  const value = isFields(input) && Object.hasOwn(input, name) ? input[name] : null;
  return typeof value === 'string' ? value : null;
}
