import type { Clock } from './clock.ts';
import { health, type HealthParts } from './edges/health.ts';
import { handledTypes, type Reports } from './flows/background/tick.ts';
import type { FlowContext } from './flows/flow-context.ts';
import type { Run } from './flows/money/money-verbs.ts';
import type { PaymentFlows } from './flows/payment-flows.ts';
import type { GatewayError } from './gateway/gateway-error.ts';
import { maskedKey } from './gateway/quotable.ts';
import { tryKey } from './gateway/gateway-client.ts';
import type { PaymentsOptions } from './options/payments-options.ts';
import type { EdgeSettings } from './options/settings.ts';
import type { Wiring } from './options/wiring.ts';

interface Made<Tx, Asking> {
  readonly options: PaymentsOptions<Tx, Asking>;
  readonly flows: PaymentFlows<Tx>;
  readonly settings: EdgeSettings;
  readonly reports: Reports;
  readonly clock: Clock;
  readonly wiring: Wiring;
  readonly health: HealthParts;
}

/** The parts of a `Payments` that its public face does not show, for the entries beside it. */
export type PaymentsParts = ReturnType<typeof partsFrom>;

const partsOfAll = new WeakMap<object, PaymentsParts>();

/** The parts of what `createPayments` made; `undefined` for anything else. */
export const partsOf = (payments: object): PaymentsParts | undefined => partsOfAll.get(payments);

/** Remembers the parts of a `Payments` for as long as there is one. */
export const keepParts = <Tx, Asking>(payments: object, made: Made<Tx, Asking>): void =>
  void partsOfAll.set(payments, partsFrom(made));

/** No credential is among the parts. */
function partsFrom<Tx, Asking>({ options, flows, wiring, settings, ...made }: Made<Tx, Asking>) {
  const { clock, reports } = made;
  const { gateway } = options;
  const { webhook } = wiring.routes;
  const handled: readonly string[] = handledTypes(options.on ?? {});
  const run: Run<unknown> = (work) => flows.run((context) => work(context as FlowContext<unknown>));
  return {
    /** Work with the store and the clock of the flows; closing waits for it. */
    run,
    backlog: () => flows.backlog(),
    handled,
    clock,
    ...reports,
    tokenSecrets: options.tokenSecrets,
    bodyTimeoutMs: settings.bodyTimeoutMs,
    publicUrl: options.publicUrl,
    /** Where the gateway's webhooks are taken; `null` where the shop left that route out. */
    webhookUrl: webhook === false ? null : `${wiring.publicOrigin}${wiring.publicMount}${webhook}`,
    /** Whether only webhooks are taken that a secret of the shop signed. */
    takesSignedOnly: settings.webhookSignature !== null,
    health: () => health(made.health),
    /** Where and as what the gateway is called; the credentials stay behind. */
    gateway: {
      environment: gateway.environment,
      baseUrl: gateway.baseUrl,
      hasPortal: gateway.portal !== undefined,
      hasProfile: gateway.profile !== undefined,
      /** Tries each of the shop's API keys, or the given ones, by a question that moves nothing. */
      tryKeys: (timeoutMs: number, apiKeys = [gateway.apiKey].flat()) =>
        Promise.all(
          apiKeys.map(async (key): Promise<KeyTrial> => {
            return { masked: maskedKey(key), error: await tryKey(gateway, key, timeoutMs) };
          }),
        ),
    },
  };
}

/** One API key, by its end alone, and the gateway's refusal; `null` where the gateway took it. */
export type KeyTrial = Readonly<{ masked: string; error: GatewayError | null }>;
