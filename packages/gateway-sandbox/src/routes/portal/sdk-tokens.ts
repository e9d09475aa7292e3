import { iso } from '../../domain/clock/clock.ts';
import {
  mostSdkTokens,
  sdkTokenStatuses,
  sdkTokenTypes,
} from '../../domain/portal/portal-commands.ts';
import type {
  SdkToken,
  SdkTokenStatus,
  SdkTokenType,
} from '../../domain/portal/portal-commands.ts';
import type { Operation } from '../operation.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import {
  decodeFields,
  invalidInput,
  portalOperation,
  portalQuestion,
  portalRecordOperation,
  portalReply,
  recordId,
  shownText,
  unknownRecord,
  word,
} from './portal-operation.ts';

const path = '/merchant/account/sdk-tokens';

/** A token's record, without the token (N19). */
function sdkTokenRecord({ createdAt, expiresAt, environment: _environment, ...rest }: SdkToken) {
  return { ...rest, createdAt: iso(createdAt), expiresAt: iso(expiresAt) };
}

/** §4.15, N19. */
export function listSdkTokens({ machine }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'listSdkTokens',
    method: 'GET',
    path,
    perform: (_nothing, { tenant, environment }) => {
      const { sdkTokens } = machine.tenant(tenant);
      const own = sdkTokens.filter((token) => token.environment === environment);
      return portalReply(200, { sdkTokens: own.map(sdkTokenRecord) }, 'assumed N19');
    },
  };
}

interface NewSdkToken {
  readonly name: string;
  readonly type: SdkTokenType | null;
  readonly terminalId: string | null;
}

/** §4.16, N19: the token itself is answered this once. */
export function createSdkToken({ machine, policy, tenants }: SandboxParts): Operation<NewSdkToken> {
  return {
    ...portalOperation,
    name: 'createSdkToken',
    method: 'POST',
    path,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        name: fields.take('name', shownText, ''),
        type: fields.has('type') ? fields.take('type', word(sdkTokenTypes), null) : null,
        terminalId: fields.has('terminalId') ? fields.take('terminalId', shownText, '') : null,
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'create-sdk-token', ...caller, ...given });
      if (reply.kind === 'too-many') {
        return invalidInput([`a merchant has at most ${mostSdkTokens} SDK tokens`]);
      }
      const token = policy.has('noSecrets')
        ? {}
        : { token: tenants.secrets(caller.tenant).sdkToken(reply.sdkToken.id) };
      return portalReply(201, { ...sdkTokenRecord(reply.sdkToken), ...token }, 'assumed N19');
    },
  };
}

/** §4.17, N19. */
export function updateSdkToken({
  machine,
}: SandboxParts): Operation<{ id: string; status: SdkTokenStatus }> {
  return {
    ...portalRecordOperation,
    name: 'updateSdkToken',
    method: 'PATCH',
    path: `${path}/:id`,
    decode: (input) =>
      decodeFields(input, (fields) => ({
        id: recordId(input),
        status: fields.take('status', word(sdkTokenStatuses), 'ACTIVE'),
      })),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'update-sdk-token', ...caller, ...given });
      return reply.kind === 'unknown-id'
        ? unknownRecord
        : portalReply(200, sdkTokenRecord(reply.sdkToken), 'assumed N19');
    },
  };
}
