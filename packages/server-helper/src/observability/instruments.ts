import type { Counter, Histogram } from '@opentelemetry/api';
import type { Attributes } from './attributes.ts';
import { currentMeter } from './otel.ts';

interface Instruments {
  readonly confirmations: Counter;
  readonly timeToConfirm: Histogram;
  readonly gatewayCall: Histogram;
  readonly route: Histogram;
}

/** By the provider that takes them: a process may start its telemetry late. */
const made = new WeakMap<object, Instruments>();

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAITED = [5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400, 172_800];

function instruments(): Instruments | null {
  const measuring = currentMeter();
  if (measuring === null) return null;
  const { provider, meter } = measuring;
  const known = made.get(provider);
  if (known !== undefined) return known;
  const seconds = (name: string, description: string, buckets: number[]): Histogram =>
    meter.createHistogram(name, {
      unit: 's',
      description,
      advice: { explicitBucketBoundaries: buckets },
    });
  const fresh: Instruments = {
    confirmations: meter.createCounter('pay_button.confirmations', {
      unit: '{confirmation}',
      description: 'Answers of the gateway, by what they meant and what caused the question.',
    }),
    timeToConfirm: seconds('pay_button.time_to_confirm', 'From the payment link to paid.', WAITED),
    gatewayCall: seconds('pay_button.gateway.call.duration', 'Calls of the gateway.', SECONDS),
    route: seconds('pay_button.route.duration', 'Requests to our routes.', SECONDS),
  };
  made.set(provider, fresh);
  return fresh;
}

/** Counts one answer of the gateway. */
export function countConfirmation(verdict: string, trigger: string): void {
  instruments()?.confirmations.add(1, { verdict, trigger });
}

/** Measures how long an order took from its link to its payment. */
export function measureTimeToConfirm(milliseconds: number): void {
  instruments()?.timeToConfirm.record(Math.max(0, milliseconds) / 1_000);
}

/** Measures a call of the gateway. */
export function measureGatewayCall(milliseconds: number, attributes: Attributes): void {
  instruments()?.gatewayCall.record(milliseconds / 1_000, { ...attributes });
}

/** Measures a request to one of our routes. */
export function measureRoute(milliseconds: number, attributes: Attributes): void {
  instruments()?.route.record(milliseconds / 1_000, { ...attributes });
}
