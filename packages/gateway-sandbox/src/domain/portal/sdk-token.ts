import type { Environment } from '../session.ts';

/** The products that sign in with an SDK token (§5). */
export const sdkTokenTypes = ['SOFTPOS', 'SMARTPOS', 'MOBILE'] as const;

export type SdkTokenType = (typeof sdkTokenTypes)[number];
export const sdkTokenStatuses = ['ACTIVE', 'DISABLED'] as const;
export type SdkTokenStatus = (typeof sdkTokenStatuses)[number];

/** An SDK token's record (N19). The token itself follows from its id. */
export interface SdkToken {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly type: SdkTokenType | null;
  readonly terminalId: string | null;
  readonly status: SdkTokenStatus;
  /** Epoch milliseconds of the tenant's clock. */
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** The most SDK tokens of one tenant. */
export const mostSdkTokens = 1000;
