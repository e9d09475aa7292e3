import type { Handler } from '../command.ts';
import { mostSdkTokens } from './sdk-token.ts';
import type { SdkToken } from './sdk-token.ts';

/** How long an SDK token is good; assumed, the specification tells no lifetime. */
const sdkTokenLifeMs = 365 * 24 * 60 * 60 * 1000;

export const createSdkToken: Handler<'create-sdk-token'> = (tenant, given, { now, random }) => {
  if (tenant.sdkTokens.length >= mostSdkTokens) {
    return { tenant, reply: { kind: 'too-many' }, effects: [] };
  }
  const { environment, name, type, terminalId } = given;
  const sdkToken: SdkToken = {
    id: random.uuid(),
    environment,
    name,
    type,
    terminalId,
    status: 'ACTIVE',
    createdAt: now,
    expiresAt: now + sdkTokenLifeMs,
  };
  return {
    tenant: { ...tenant, sdkTokens: [...tenant.sdkTokens, sdkToken] },
    reply: { kind: 'created', sdkToken },
    effects: [],
  };
};

/** Switches a token on or off. */
export const updateSdkToken: Handler<'update-sdk-token'> = (tenant, command) => {
  const { environment, id, status } = command;
  const before = tenant.sdkTokens.find(
    (token) => token.environment === environment && token.id === id,
  );
  if (before === undefined) return { tenant, reply: { kind: 'unknown-id' }, effects: [] };
  const sdkToken = { ...before, status };
  return {
    tenant: {
      ...tenant,
      sdkTokens: tenant.sdkTokens.map((other) => (other === before ? sdkToken : other)),
    },
    reply: { kind: 'updated', sdkToken },
    effects: [],
  };
};
