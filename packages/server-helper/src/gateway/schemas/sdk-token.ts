import { z } from 'zod';
import { fullSecret, mayInform, wireId } from './answer-fields.ts';
import { filledText, pathId } from './input-fields.ts';

/** A terminal's or mobile product's token, without its secret part (§4.15, assumption N19). */
export interface SdkToken {
  /** What names it when it is switched on or off. */
  readonly id: string;
  /** What the merchant calls it. */
  readonly name?: string | undefined;
  /** The kind of product that it is for. */
  readonly type?: string | undefined;
  /** The terminal that it is for. */
  readonly terminalId?: string | undefined;
  /** `ACTIVE`, `DISABLED`, or a word we do not know. */
  readonly status?: string | undefined;
  /** When it was made, in the gateway's spelling. */
  readonly createdAt?: string | undefined;
  /** When it ends, in the gateway's spelling. */
  readonly expiresAt?: string | undefined;
}

/** A new token; the gateway gives the token itself only here. */
export interface CreatedSdkToken extends SdkToken {
  /** The token in full: a secret, given only here. */
  readonly token: string;
}

/** A new token (§4.16, assumption N19). */
export interface CreateSdkTokenInput {
  /** What you call it. */
  readonly name: string;
  /** The kind of product that it is for. */
  readonly type?: string | undefined;
  /** The terminal that it is for. */
  readonly terminalId?: string | undefined;
}

/** Switches a token on or off (§4.17, assumption N19). */
export interface UpdateSdkTokenInput {
  /** From the list of tokens. */
  readonly id: string;
  /** `ACTIVE` switches it on, `DISABLED` off. */
  readonly status: 'ACTIVE' | 'DISABLED';
}

/** @see CreateSdkTokenInput */
export const createSdkTokenInput: z.ZodType<CreateSdkTokenInput> = z.strictObject({
  name: filledText,
  type: filledText.optional(),
  terminalId: filledText.optional(),
});

/** @see UpdateSdkTokenInput */
export const updateSdkTokenInput: z.ZodType<UpdateSdkTokenInput> = z.strictObject({
  id: pathId,
  status: z.enum(['ACTIVE', 'DISABLED']),
});

/** A token's record (assumption N19). */
export const sdkTokenAnswer = z.object({
  id: wireId,
  name: mayInform,
  type: mayInform,
  terminalId: mayInform,
  status: mayInform,
  createdAt: mayInform,
  expiresAt: mayInform,
});

/** Answer of list-sdk-tokens (assumption N19). */
export const sdkTokensAnswer = z.object({ sdkTokens: z.array(sdkTokenAnswer).max(1_000) });

/** Answer of create-sdk-token (assumption N19). */
export const createdSdkTokenAnswer = sdkTokenAnswer.extend({ token: fullSecret });
