import { z } from 'zod';
import { mayBeAbsent, wireId } from './answer-fields.ts';
import { filledText, pathId } from './input-fields.ts';

/** A terminal's or mobile product's token, without its secret part (§4.15, assumption N19). */
export interface SdkToken {
  readonly id: string;
  readonly name?: string | undefined;
  readonly type?: string | undefined;
  readonly terminalId?: string | undefined;
  /** `ACTIVE`, `DISABLED`, or a word we do not know. */
  readonly status?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly expiresAt?: string | undefined;
}

/** A token as it is created; the token itself is told this once. */
export interface CreatedSdkToken extends SdkToken {
  readonly token: string;
}

/** A new token (§4.16, assumption N19). */
export interface CreateSdkTokenInput {
  readonly name: string;
  readonly type?: string | undefined;
  readonly terminalId?: string | undefined;
}

/** Switches a token on or off (§4.17, assumption N19). */
export interface UpdateSdkTokenInput {
  readonly id: string;
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
  name: mayBeAbsent,
  type: mayBeAbsent,
  terminalId: mayBeAbsent,
  status: mayBeAbsent,
  createdAt: mayBeAbsent,
  expiresAt: mayBeAbsent,
});

/** Answer of list-sdk-tokens (assumption N19). */
export const sdkTokensAnswer = z.object({ sdkTokens: z.array(sdkTokenAnswer).max(1_000) });

/** Answer of create-sdk-token (assumption N19). */
export const createdSdkTokenAnswer = sdkTokenAnswer.extend({ token: z.string().min(1) });
