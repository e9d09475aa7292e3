import type { Clock } from './clock.ts';
import { health, type HealthAnswer, type HealthDependencies } from './edges/health.ts';
import type { ReportError } from './error-reports.ts';
import { handledTypes } from './flows/background/tick.ts';
import type { FlowContext } from './flows/flow-context.ts';
import type { Run } from './flows/money/money-verbs.ts';
import type { PaymentFlows } from './flows/payment-flows.ts';
import type { GatewayError } from './gateway/gateway-error.ts';
import { maskedKey } from './gateway/quotable.ts';
import { tryKey } from './gateway/gateway-client.ts';
import type { Logger } from './logger.ts';
import type { EdgeSettings } from './options/edge-settings.ts';
import type { PaymentsOptions } from './options/payments-options.ts';
import type { Wiring } from './options/wiring.ts';
import type { PaymentEventType } from './payments/record.ts';
import type { Backlog } from './stores/store.ts';

/** The parts of a `Payments` that its public face does not show, for the entries beside it. */
export interface PaymentsParts {
  /** Work with the store and the clock of the flows; closing waits for it. */
  readonly run: Run<unknown>;
  backlog(): Promise<Backlog>;
  /** The types of events that this process has a handler for. */
  readonly handled: readonly PaymentEventType[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly reportError: ReportError;
  readonly tokenSecrets: readonly string[];
  readonly bodyTimeoutMs: number;
  /** The shop's own address. */
  readonly publicUrl: string;
  /** Where the gateway's webhooks are taken; `null` where the shop left that route out. */
  readonly webhookUrl: string | null;
  /** Whether only webhooks are taken that a secret of the shop signed. */
  readonly takesSignedOnly: boolean;
  /** What the health route says. */
  health(): Promise<HealthAnswer>;
  readonly gateway: GatewayParts;
}

/** Where and as what the gateway is called; the credentials stay behind. */
interface GatewayParts extends Pick<PaymentsOptions<never>['gateway'], 'environment' | 'baseUrl'> {
  /** Whether the shop has a login for the portal. */
  readonly hasPortal: boolean;
  /** Whether the shop gave a profile of its own. */
  readonly hasProfile: boolean;
  /** Tries each of the shop's API keys, or the given ones, by a question that moves nothing. */
  tryKeys(timeoutMs: number, apiKeys?: readonly string[]): Promise<readonly KeyTrial[]>;
}

/** One API key, by its end, and whether the gateway took it. */
export interface KeyTrial {
  /** The key with stars in place of all but its end. */
  readonly masked: string;
  /** `null` where the gateway took it. */
  readonly error: GatewayError | null;
}

const partsOfAll = new WeakMap<object, PaymentsParts>();

/** Remembers the parts of a `Payments` for as long as there is one. No credential is among them. */
export function keepParts<Made extends object, Tx, Asking>(
  payments: Made,
  made: {
    readonly options: PaymentsOptions<Tx, Asking>;
    readonly flows: PaymentFlows<Tx>;
    readonly settings: EdgeSettings;
    readonly reports: Pick<PaymentsParts, 'logger' | 'reportError'>;
    readonly clock: Clock;
    readonly wiring: Wiring;
    readonly health: Omit<HealthDependencies, 'readBacklog' | 'isWritable'>;
  },
): Made {
  const { options, flows, settings, reports, clock, wiring } = made;
  const { publicUrl, tokenSecrets } = options;
  const { webhook } = wiring.routes;
  partsOfAll.set(payments, {
    run: (work) => flows.run((context) => work(context as FlowContext<unknown>)),
    backlog: () => flows.backlog(),
    handled: handledTypes(options.on ?? {}),
    clock,
    logger: reports.logger,
    reportError: reports.reportError,
    tokenSecrets,
    bodyTimeoutMs: settings.bodyTimeoutMs,
    publicUrl,
    webhookUrl: webhook === false ? null : `${wiring.publicOrigin}${wiring.publicMount}${webhook}`,
    takesSignedOnly: settings.webhookSignature !== null,
    health: () => health({ ...made.health, readBacklog: () => flows.backlog() }),
    gateway: gatewayPartsOf(options.gateway),
  });
  return payments;
}

function gatewayPartsOf(options: PaymentsOptions<never>['gateway']): GatewayParts {
  const { environment, baseUrl, portal, profile } = options;
  return {
    environment,
    baseUrl,
    hasPortal: portal !== undefined,
    hasProfile: profile !== undefined,
    tryKeys: (timeoutMs, apiKeys = [options.apiKey].flat()) =>
      Promise.all(
        apiKeys.map(async (key) => ({
          masked: maskedKey(key),
          error: await tryKey(options, key, timeoutMs),
        })),
      ),
  };
}

/** The parts of what `createPayments` made; `undefined` for anything else. */
export const partsOf = (payments: object): PaymentsParts | undefined => partsOfAll.get(payments);
