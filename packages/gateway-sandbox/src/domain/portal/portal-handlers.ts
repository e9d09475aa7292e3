import type { Handler } from '../command.ts';
import { revokeKey, rotateKey } from './api-keys.ts';
import { logIn, revokePortalTokens } from './login.ts';
import type { PortalCommands } from './portal-commands.ts';
import { createSdkToken, updateSdkToken } from './sdk-token-commands.ts';
import { createWebhook, deleteWebhook, updateWebhook } from './webhook-commands.ts';

/** The portal's part of the core. */
export const portalHandlers: { readonly [Kind in keyof PortalCommands]: Handler<Kind> } = {
  'log-in': logIn,
  'revoke-portal-tokens': revokePortalTokens,
  'rotate-key': rotateKey,
  'revoke-key': revokeKey,
  'create-webhook': createWebhook,
  'update-webhook': updateWebhook,
  'delete-webhook': deleteWebhook,
  'create-sdk-token': createSdkToken,
  'update-sdk-token': updateSdkToken,
};
