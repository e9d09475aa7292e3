import { z } from 'zod';
import { fullSecret, mayInform, wireId } from './answer-fields.ts';

/** An API key's record (§4.13, assumption N17). */
export interface ApiCredential {
  /** What names it in the dashboard. */
  readonly id: string;
  /** Masked but for its last four characters, where it is listed; in full where it is new. */
  readonly apiKey: string;
  /** The environment that it opens. */
  readonly environment?: string | undefined;
  /** `ACTIVE`, `REVOKED`, or a word we do not know. */
  readonly status?: string | undefined;
  /** When it was made, in the gateway's spelling. */
  readonly createdAt?: string | undefined;
  /** When it ends, in the gateway's spelling. */
  readonly expiresAt?: string | undefined;
}

/** A credential's record (assumption N17). */
export const credentialAnswer = z.object({
  id: wireId,
  apiKey: z.string().min(1).max(512),
  environment: mayInform,
  status: mayInform,
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of rotate-api-key (assumption N18). */
export const newCredentialAnswer = credentialAnswer.extend({ apiKey: fullSecret.max(512) });

/** Answer of retrieve-credentials (assumption N17). */
export const credentialsAnswer = z.object({ credentials: z.array(credentialAnswer).max(1_000) });
