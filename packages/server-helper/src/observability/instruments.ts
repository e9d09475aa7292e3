import type { BatchObservableResult, Counter, Histogram, Observable } from '@opentelemetry/api';
import type { Backlog } from '../stores/store.ts';
import type { Otel } from '../optional-peers.ts';
import { createRequire } from 'node:module';
import { packageVersion } from '../package-version.ts';

interface Instruments {
  readonly confirmations: Counter;
  readonly timeToConfirm: Histogram;
  readonly gatewayCall: Histogram;
  readonly drift: Counter;
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
    drift: meter.createCounter('pay_button.gateway.drift', {
      unit: '{answer}',
      description: 'Answers of the gateway that had something unexpected, by operation and kind.',
    }),
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

/** Counts an answer of the gateway that had something unexpected. */
export function countDrift(attributes: Attributes): void {
  instruments()?.drift.add(1, { ...attributes });
}

/** Measures a request to one of our routes. */
export function measureRoute(milliseconds: number, attributes: Attributes): void {
  instruments()?.route.record(milliseconds / 1_000, { ...attributes });
}

/** What gauges read from. */
export interface GaugeSource {
  readonly merchant: string;
  readonly now: () => number;
  readonly readBacklog: () => Promise<Backlog>;
  /** Credentials whose calls to the gateway are held back. */
  readonly openBreakers: () => number;
}

/**
 * Offers the backlog as gauges; each collection asks the store one bounded question.
 *
 * @returns how to stop.
 */
export function watchGauges({ merchant, now, readBacklog, openBreakers }: GaugeSource): () => void {
  const measuring = currentMeter();
  if (measuring === null) return () => undefined;
  const { meter } = measuring;
  const gauge = (name: string, unit: string, description: string): Observable =>
    meter.createObservableGauge(`pay_button.${name}`, { unit, description });
  const backlog = gauge('backlog', '{item}', 'Status checks that are due, and events to deliver.');
  const oldestCheck = gauge('oldest_check', 's', 'How late the latest status check is.');
  const failing = gauge('failing_orders', '{order}', 'Orders whose status checks do not end.');
  const unknown = gauge('oldest_unknown', 's', 'Age of the oldest unknown outcome.');
  const reviews = gauge('review_list', '{item}', 'Payments that need a person, and dead letters.');
  const breakers = gauge('gateway.breakers_open', '{credential}', 'Credentials held back.');
  const all = [backlog, oldestCheck, failing, unknown, reviews, breakers];
  const age = (at: number | null): number => (at === null ? 0 : Math.max(0, now() - at) / 1_000);
  const read = async (result: BatchObservableResult): Promise<void> => {
    result.observe(breakers, openBreakers(), { merchant });
    const counts = await readBacklog().catch(() => null);
    if (counts === null) return;
    result.observe(backlog, counts.dueAttempts, { merchant, kind: 'checks' });
    result.observe(backlog, counts.undelivered, { merchant, kind: 'events' });
    result.observe(oldestCheck, age(counts.oldestDueAt), { merchant });
    result.observe(failing, counts.failingOrders, { merchant });
    result.observe(unknown, age(counts.oldestUnknownAt), { merchant });
    result.observe(reviews, counts.openReviews, { merchant, kind: 'payments' });
    result.observe(reviews, counts.deadLetters, { merchant, kind: 'dead_letters' });
  };
  meter.addBatchObservableCallback(read, all);
  return () => meter.removeBatchObservableCallback(read, all);
}

/** A span under way. */
export interface StepSpan {
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param code - Why it failed; absent when it did not. Never a message, which could quote anything. */
  end(code?: string): void;
}

let loaded: typeof Otel | null | undefined;

/** OpenTelemetry's API where the merchant has installed it, else `null`. The search happens once. */
function otel(): typeof Otel | null {
  if (loaded !== undefined) return loaded;
  try {
    loaded = createRequire(import.meta.url)('@opentelemetry/api') as typeof Otel;
  } catch {
    loaded = null;
  }
  return loaded;
}

const NAME = '@pay-button/server-helper';
const version = packageVersion();

/** The tracer; `undefined` while no SDK is registered, so that spans cost nothing then. */
function tracerOf(api: typeof Otel): Otel.Tracer | undefined {
  const provider = api.trace.getTracerProvider();
  return provider instanceof api.ProxyTracerProvider
    ? provider.getDelegateTracer(NAME, version)
    : provider.getTracer(NAME, version);
}

const isMeasured = (api: typeof Otel): boolean =>
  api.metrics.getMeterProvider().constructor.name !== 'NoopMeterProvider';

/** Whether spans or measurements are taken. */
export function hasTelemetry(): boolean {
  const api = otel();
  return api !== null && (tracerOf(api) !== undefined || isMeasured(api));
}

/** Runs work inside a span, above the spans that the work causes; without telemetry, without one. */
export function inSpan<T>(
  name: string,
  attributes: Attributes,
  kind: 'client' | 'internal',
  work: (span: StepSpan | null) => Promise<T>,
): Promise<T> {
  const api = otel();
  const tracer = api === null ? undefined : tracerOf(api);
  if (api === null || tracer === undefined) return work(null);
  const options = {
    attributes: { ...attributes } as Otel.Attributes,
    kind: kind === 'client' ? api.SpanKind.CLIENT : api.SpanKind.INTERNAL,
  };
  return tracer.startActiveSpan(name, options, (span) =>
    work({
      set: (more) => void span.setAttributes({ ...more }),
      rename: (better) => void span.updateName(better),
      end: (code) => {
        if (code !== undefined) {
          span.setAttribute('error.type', code);
          span.setStatus({ code: api.SpanStatusCode.ERROR });
        }
        span.end();
      },
    }),
  );
}

/** The meter and its provider, or `null` without telemetry. */
export function currentMeter(): { readonly provider: object; readonly meter: Otel.Meter } | null {
  const api = otel();
  if (api === null || !isMeasured(api)) return null;
  return { provider: api.metrics.getMeterProvider(), meter: api.metrics.getMeter(NAME, version) };
}

/** The details of a step, a span or a measurement, by name. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
