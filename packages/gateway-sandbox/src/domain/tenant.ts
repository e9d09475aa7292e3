import { realTime, type Timer } from './clock.ts';
import type { Delivery, Effect, WebhookType } from './events.ts';
import type { Outcome } from './outcome.ts';
import type { Environment, Session, StoredCard, Transaction } from './transaction.ts';

/** An API key's record (N17). The key itself follows from the record's id; the core never sees it. */
export interface ApiKey {
  readonly id: string;
  readonly environment: Environment;
  status: 'ACTIVE' | 'REVOKED';
  readonly createdAt: number;
}

/** A portal login that was granted (N16). The bearer token follows from its id. */
export interface PortalToken {
  readonly id: string;
  readonly environment: Environment;
  /** Epoch milliseconds of the tenant's clock; at this instant the token is no longer good. */
  readonly expiresAt: number;
}

/** The products that sign in with an SDK token (§5). */
export const sdkTokenTypes = ['SOFTPOS', 'SMARTPOS', 'MOBILE'] as const;
export const sdkTokenStatuses = ['ACTIVE', 'DISABLED'] as const;

/** An SDK token's record (N19). The token itself follows from its id. */
export interface SdkToken {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly type: (typeof sdkTokenTypes)[number] | null;
  readonly terminalId: string | null;
  status: (typeof sdkTokenStatuses)[number];
  readonly createdAt: number;
  readonly expiresAt: number;
}

export const mostSdkTokens = 1000;

/** Where the gateway reports what happens (§2.4). Its signing secret follows from its id. */
export interface Webhook {
  readonly id: string;
  readonly environment: Environment;
  url: string;
  active: boolean;
  events: readonly WebhookType[];
}

export const mostWebhooks = 50;

/** The record of the key that each environment begins with. */
export const firstKeyId = 'key-1';

/** A tenant's first keys are older than anything on its clock. */
const firstKeysCreatedAt = Date.UTC(2026, 0, 1);

/** A card that a customer paid with before; the phone identifies the customer. */
export interface SavedCard {
  readonly id: string;
  card: StoredCard;
}

/** The operations whose outcome can be armed, by the client's method names. */
export const armableOperations = [
  'createPaymentLink',
  'sale',
  'chargeRecurring',
  'refund',
  'capture',
] as const;

/** `createPaymentLink` means a payment of such a link. */
export type ArmableOperation = (typeof armableOperations)[number];

/** An outcome waiting for the next payment, for one order or one operation if it says so. */
export interface ArmedOutcome {
  readonly outcome: Outcome;
  /** Null: the next payment, be it of a link, a sale or a recurring charge. */
  readonly operation: ArmableOperation | null;
  readonly merchantOrderId: string | null;
}

export interface Snapshot {
  readonly id: string;
  readonly at: number;
  readonly tenant: Tenant;
}

/** Everything that one merchant has at the gateway. It changes in place. */
export type Tenant = ReturnType<typeof newTenant>;

/** The tenants by their ids, in the order in which they came to be. */
export type State = Map<string, Tenant>;

/** The first tenant, which serves every call that names no tenant. */
export const defaultTenant = 'default';

export function newTenant() {
  return {
    /** Commands so far; chance is drawn anew for each. */
    sequence: 0,
    /** How often the past was taken back, so that a timer that fires again draws anew. */
    rewinds: 0,
    /** The merchant's account at the gateway, with its credentials (§5). */
    account: {
      /** The tenant's own seed; null: its ids follow from the sandbox's. */
      seed: null as string | null,
      /** False: the gateway finds no record of the merchant, and every call gets its 401 (§7). */
      isFound: true,
      /** Oldest first. A new key makes a new list, so that a reader sees that there is one. */
      apiKeys: [firstKey('staging'), firstKey('production')] as readonly ApiKey[],
      /** The tokens that were not revoked, oldest first. */
      portalTokens: [] as readonly PortalToken[],
    },
    clock: realTime,
    /** In the order in which they came to be. */
    sessions: new Map<string, Session>(),
    /** Every merchant order id of a link, with its environment: it has to be unique (§4.1). */
    orders: new Set<string>(),
    transactions: new Map<string, Transaction>(),
    /** By the ids of their challenges. */
    challenged: new Map<string, Transaction>(),
    /** By the ids of their refunds. */
    refunded: new Map<string, Transaction>(),
    /** By recurring token: a token is bound to the transaction that made it (§2.3). */
    tokenOwners: new Map<string, Transaction>(),
    revokedTokens: new Set<string>(),
    /** Oldest first, by environment and customer. */
    savedCards: new Map<string, SavedCard[]>(),
    armed: [] as ArmedOutcome[],
    /** Decides payments while a profile such as `bank-outage` is in force; else null. */
    profileOutcome: null as Outcome | null,
    /** Both environments' (§2.4); oldest first. */
    webhooks: [] as Webhook[],
    sdkTokens: [] as SdkToken[],
    /** The timers that fall due later, as a heap. */
    timers: [] as Timer[],
    /** Oldest first. */
    snapshots: [] as Snapshot[],
    /** Everything that goes, went or is to go to the merchant's webhooks. */
    outbox: {
      /** In the order in which they came to be. */
      deliveries: new Map<string, Delivery>(),
      holds: false,
      /** The one delivery that waits for another to go first. */
      behindId: null as string | null,
    },
  };
}

function firstKey(environment: Environment): ApiKey {
  return { id: firstKeyId, environment, status: 'ACTIVE', createdAt: firstKeysCreatedAt };
}

export function newState(): State {
  return new Map([[defaultTenant, newTenant()]]);
}

export function tenantOf(state: State, id: string): Tenant {
  return state.get(id) ?? newTenant();
}

/** The key of a name that is unique in its environment only. */
export function ofEnvironment(environment: Environment, name: string): string {
  return `${environment} ${name}`;
}

/** The session of a payment link with this id; a sale's cannot be paid. */
export function linkSession(tenant: Tenant, id: string): Session | undefined {
  const session = tenant.sessions.get(id);
  return session?.kind === 'link' ? session : undefined;
}

/** How the wire names a transaction. */
export interface TransactionName {
  readonly environment: Environment;
  readonly transactionId: string;
  /** With the policy `sameId` a link's transaction has its session's id (X2). */
  readonly sameId: boolean;
}

/** A mistake that many make with ids (§2.3); the answer is the 404 of any unknown id. */
export type IdTrap = 'session-id' | 'payment-id';

export function findTransaction(
  tenant: Tenant,
  { environment, transactionId, sameId }: TransactionName,
): Transaction | { trap: IdTrap | null } {
  const session = linkSession(tenant, transactionId);
  const isSession = session?.environment === environment;
  const alias = isSession && sameId ? (session.paidBy ?? session.attempts.at(-1)) : undefined;
  const found = alias ?? tenant.transactions.get(transactionId);
  if (found?.session.environment === environment) return found;
  if (isSession) return { trap: 'session-id' };
  return { trap: /^\d{1,20}$/.test(transactionId) ? 'payment-id' : null };
}

export function wireId({ session, id }: Transaction, sameId: boolean): string {
  return sameId && session.kind === 'link' ? session.id : id;
}

export function newestSessions({ sessions }: Tenant): Session[] {
  return [...sessions.values()].toReversed();
}

export function newestDeliveries({ outbox }: Tenant): Delivery[] {
  return [...outbox.deliveries.values()].toReversed();
}

/** The webhook of a delivery; null once it was deleted or switched off. */
export function receiverOf(tenant: Tenant, { webhookId }: Delivery): Webhook | null {
  const webhook = tenant.webhooks.find(({ id }) => id === webhookId);
  return webhook?.active === true ? webhook : null;
}

/** The cards that the page of this session offers, oldest first. */
export function savedCardsOf(tenant: Tenant, session: Session): SavedCard[] {
  if (session.kind !== 'link' || session.customerKey === null) return [];
  return tenant.savedCards.get(ofEnvironment(session.environment, session.customerKey)) ?? [];
}

export interface Randomness {
  uuid(): string;
  digits(count: number): string;
}

/** The randomness of one occasion; the same occasion draws the same values. */
export type Chance = (occasion: number | string) => Randomness;

/** The context of a command's handler: whom it is about, and when. */
export interface Moment {
  readonly tenant: Tenant;
  /** The machine's clock; only the tenant's clock setting is computed from it. */
  readonly realNow: number;
  /** The tenant's clock, before the command; of a timer, the instant at which it was due. */
  readonly now: number;
  readonly random: Randomness;
  /** For the timers that the command fires; a handler itself draws from `random`. */
  readonly chance: Chance;
  /** What happened so far; a handler adds to it, in the order of time. */
  readonly effects: Effect[];
}

/** The gateway's operations by the client's method names (§1). */
export const operationNames = [
  'createPaymentLink',
  'retrieveStatus',
  'refund',
  'sale',
  'capture',
  'void',
  'chargeRecurring',
  'pollStatus',
  'listWebhooks',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'retrieveCredentials',
  'rotateApiKey',
  'revokeApiKey',
  'listSdkTokens',
  'createSdkToken',
  'updateSdkToken',
  'logIn',
] as const;

export type OperationName = (typeof operationNames)[number];

/** The operation that a control call names, or null; `pollStatus` is the same HTTP call (N11). */
export function findOperation(name: unknown): OperationName | null {
  const wanted = name === 'pollStatus' ? 'retrieveStatus' : name;
  return operationNames.find((known) => known === wanted) ?? null;
}
