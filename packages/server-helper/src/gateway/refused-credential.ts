import type { GatewayErrorCode } from './gateway-error.ts';

/** What a 401 means for whoever must mend it. */
export interface CredentialFault {
  readonly code: Extract<
    GatewayErrorCode,
    'unauthorized' | 'wrong_credential_type' | 'wrong_environment'
  >;
  /** What is wrong and how to mend it, in our words; empty when the gateway does not say. */
  readonly why: string;
}

/** What follows is no more read: the patterns' time grows with the cube of the text. */
const MAX_LENGTH = 300;

const OTHER_ENVIRONMENT =
  /environment|\b(?:staging|sandbox)\b.*\b(?:production|live)\b|\b(?:production|live)\b.*\b(?:staging|sandbox)\b/i;
const OTHER_TYPE =
  /credential type|wrong (?:credential|kind|type)|\b(?:key|token|bearer|credential)s?\b.*\b(?:used|valid|allowed|accepted|meant|for)\b.*\b(?:portal|payments?|account)\b/i;
/** A message that counts up what may be wrong says nothing about which it is. */
const SEVERAL = /\b(?:invalid|incorrect|inactive|expired|revoked)\b.*\bor\b/i;

/**
 * Reads from a 401's words (§7) whether the credential is of the other environment or of the other
 * kind. Both are configuration errors: they last until someone mends the settings.
 */
export function faultOfCredential(messages: readonly string[]): CredentialFault {
  const text = messages.join(' ').slice(0, MAX_LENGTH);
  if (!SEVERAL.test(text)) {
    if (OTHER_ENVIRONMENT.test(text)) {
      return {
        code: 'wrong_environment',
        why: ': a configuration error, the credential is of another environment than gateway.baseUrl',
      };
    }
    if (OTHER_TYPE.test(text)) {
      return {
        code: 'wrong_credential_type',
        why: ': a configuration error, the credential is of another kind than this operation needs',
      };
    }
  }
  return { code: 'unauthorized', why: '' };
}

/** Whether an error says that a credential was refused, for whatever reason. */
export const isRefusedCredential = (code: GatewayErrorCode): boolean =>
  code === 'unauthorized' || code === 'wrong_credential_type' || code === 'wrong_environment';
