import type { Faults } from './faults.ts';
import type { Machine } from './machine.ts';
import type { MerchantName } from './options.ts';
import type { Recent, RequestLog, Visit } from './request-log.ts';
import type { Tenants } from './tenants.ts';
import type { Policies, Profile } from './readings/readings.ts';
import type { WebhookDispatcher } from './webhooks/dispatcher.ts';

/** The dependencies of every route and page. */
export interface SandboxParts {
  readonly machine: Machine;
  readonly tenants: Tenants;
  readonly faults: Faults;
  readonly dispatcher: WebhookDispatcher;
  readonly requestLog: RequestLog;
  readonly visits: Recent<Visit>;
  readonly policy: Policies;
  /** The readings of a file, in force as long as the sandbox runs. */
  readonly profile: Profile;
  readonly merchant: MerchantName;
  readonly seed: string;
  readonly version: string;
  /** The sandbox's own address without a final slash; known once it listens. */
  readonly publicUrl: () => string;
  /** The address by which the sandbox reaches itself, without any proxy of its public address. */
  readonly ownUrl: () => string;
  /** Aborts when the sandbox stops, and ends every wait. */
  readonly closing: AbortSignal;
}
