import type { ApiKey, PortalToken } from '../account.ts';
import type { Environment } from '../session.ts';
import type { SdkToken, SdkTokenStatus, SdkTokenType } from './sdk-token.ts';
import type { Webhook, WebhookType } from './webhook.ts';

/** A record of one environment, by its id. */
interface Named {
  environment: Environment;
  id: string;
}

interface UnknownId {
  kind: 'unknown-id';
}

/** What of a webhook can be changed. */
export interface WebhookChanges {
  url?: string;
  active?: boolean;
  events?: readonly WebhookType[];
}

/** The commands of the merchant portal (§4.9 to §4.17): what each is given, and what it replies. */
export interface PortalCommands {
  'log-in': {
    given: { environment: Environment };
    reply: { token: PortalToken; refreshId: string };
  };
  'revoke-portal-tokens': { given: object; reply: { revoked: number } };
  'rotate-key': { given: { environment: Environment }; reply: { key: ApiKey } };
  'revoke-key': { given: Named; reply: { kind: 'revoked' } | UnknownId };
  'create-webhook': {
    given: {
      environment: Environment;
      url: string;
      active: boolean;
      events: readonly WebhookType[];
    };
    reply: { kind: 'created'; webhook: Webhook } | { kind: 'too-many' };
  };
  'update-webhook': {
    given: Named & { changes: WebhookChanges };
    reply: { kind: 'updated'; webhook: Webhook } | UnknownId;
  };
  'delete-webhook': { given: Named; reply: { kind: 'deleted' } | UnknownId };
  'create-sdk-token': {
    given: {
      environment: Environment;
      name: string;
      type: SdkTokenType | null;
      terminalId: string | null;
    };
    reply: { kind: 'created'; sdkToken: SdkToken } | { kind: 'too-many' };
  };
  'update-sdk-token': {
    given: Named & { status: SdkTokenStatus };
    reply: { kind: 'updated'; sdkToken: SdkToken } | UnknownId;
  };
}
