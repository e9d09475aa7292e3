import { iso } from '../../domain/clock/clock.ts';
import type { ApiKey } from '../../domain/tenant/account.ts';
import type { Machine } from '../../machine/machine.ts';
import type { Caller, Operation } from '../operation.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import {
  emptyReply,
  portalQuestion,
  portalRecordOperation,
  portalReply,
  recordId,
  unknownRecord,
} from './portal-operation.ts';

const path = '/merchant/account/credentials';
const shownDigits = 4;

/** A key's record with the key as it is to be shown (N17). No key of the sandbox expires. */
function keyRecord({ id, environment, status, createdAt }: ApiKey, apiKey: string) {
  return { id, apiKey, environment, status, createdAt: iso(createdAt), expiresAt: null };
}

function masked(apiKey: string): string {
  return `${'*'.repeat(12)}${apiKey.slice(-shownDigits)}`;
}

/** §4.13, N17. */
export function retrieveCredentials({ machine, policy, tenants }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'retrieveCredentials',
    method: 'GET',
    path,
    perform: (_nothing, { tenant, environment }) => {
      const { apiKeys } = machine.tenant(tenant).account;
      const secrets = tenants.secrets(tenant);
      const credentials = apiKeys
        .filter((key) => key.environment === environment)
        .map((key) => {
          const apiKey = secrets.apiKey(environment, key.id);
          return keyRecord(key, policy.has('fullKeys') ? apiKey : masked(apiKey));
        });
      return portalReply(200, { credentials }, 'assumed N17');
    },
  };
}

/** §4.14, N18: the new key in full, this once; the old ones live until they are revoked. */
export function rotateApiKey({ machine, policy, tenants }: SandboxParts): Operation<null> {
  return {
    ...portalQuestion,
    name: 'rotateApiKey',
    method: 'POST',
    path: `${path}/rotate`,
    perform: (_nothing, caller) => {
      const { reply } = machine.execute({ kind: 'rotate-key', ...caller });
      const apiKey = tenants.secrets(caller.tenant).apiKey(caller.environment, reply.key.id);
      if (policy.has('rotationRevokes')) revokeOthers(machine, caller, reply.key.id);
      const shown = policy.has('noSecrets') ? masked(apiKey) : apiKey;
      return portalReply(201, keyRecord(reply.key, shown), 'assumed N18');
    },
  };
}

/** The policy `rotationRevokes`: the new key is the only one of its environment. */
function revokeOthers(machine: Machine, { tenant, environment }: Caller, newest: string): void {
  const { apiKeys } = machine.tenant(tenant).account;
  const others = apiKeys.filter((key) => key.environment === environment && key.id !== newest);
  for (const { id } of others) {
    machine.execute({ kind: 'revoke-key', tenant, environment, id });
  }
}

/** N18. */
export function revokeApiKey({ machine }: SandboxParts): Operation<{ id: string }> {
  return {
    ...portalRecordOperation,
    name: 'revokeApiKey',
    method: 'DELETE',
    path: `${path}/:id`,
    decode: (input) => ({ value: { id: recordId(input) } }),
    perform: (given, caller) => {
      const { reply } = machine.execute({ kind: 'revoke-key', ...caller, ...given });
      return reply.kind === 'unknown-id' ? unknownRecord : emptyReply('assumed N18');
    },
  };
}
