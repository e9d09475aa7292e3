import type { Request } from 'express';
import type { Environment } from '../domain/session.ts';
import type { OperationName } from '../operations.ts';
import type { WireReply } from './wire-reply.ts';

/** Who calls: known once the credential is checked. */
export interface Caller {
  readonly tenant: string;
  readonly environment: Environment;
  /** How far behind the answer to a question has to be, in milliseconds; 0 but for a fault. */
  readonly lagMs: number;
}

/** One operation of the gateway: reading and carrying out are apart, so faults fit in between. */
export interface Operation<Input> {
  /** The client's method name. */
  readonly name: OperationName;
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Relative to the base address. */
  readonly path: string;
  /** Which credential opens it (§5); a login needs none. */
  readonly credential: 'apiKey' | 'portal' | 'none';
  /** What of the request may be remembered, and what it was about. */
  readonly input: (request: Request, body: unknown) => unknown;
  readonly decode: (
    input: unknown,
    caller: Pick<Caller, 'tenant'>,
  ) => { value: Input } | { refusal: WireReply };
  readonly perform: (value: Input, caller: Caller) => Promise<WireReply>;
}
