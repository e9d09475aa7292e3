import type { BatchObservableResult, Observable } from '@opentelemetry/api';
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { createRequire } from 'node:module';
import { nameOf } from './errors.ts';
import type { Otel } from './optional-peers.ts';
import { packageVersion } from './package-version.ts';
import type { Backlog } from './stores/store.ts';

/** The details of a step, a span or a measurement, by name. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** Why the gateway is asked: a hint's source, the background `watch`, or the merchant's own `call`. */
export type Trigger = 'checkout' | 'return' | 'status' | 'webhook' | 'watch' | 'call';

/** The request or task under way, to which its steps, logs and calls belong. */
export interface Activity {
  /** Of the HTTP request; absent where none caused it. */
  readonly requestId?: string | undefined;
  readonly trigger: Trigger;
}

const storage = new AsyncLocalStorage<Activity>();

export const currentActivity = (): Activity | undefined => storage.getStore();

export const withActivity = <T>(activity: Activity, work: () => T): T =>
  storage.run(activity, work);

/** Text that is safe in a header and in a log line. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._:-]{7,127}$/;

/** The sender's id of a request when it is a safe token, else a new one. */
export const requestIdOf = (given: string | undefined): string =>
  given !== undefined && SAFE_ID.test(given) ? given : randomUUID();

/** The observed steps, each with two channels: `pay-button:<step>:start` and `…:end`. */
export type Step =
  | 'checkout'
  | 'commit'
  | 'confirm'
  | 'delivery'
  | 'hint'
  | 'money'
  | 'route'
  | 'tick';

/** Event of `pay-button:<step>:start`. Holds numbers, codes and our own ids, and nothing of a shopper. */
export interface StepEvent {
  /** Numbers the steps of this process. */
  readonly stepId: number;
  readonly step: Step;
  /** The HTTP request that it belongs to, where there is one. */
  readonly requestId?: string | undefined;
  /** What caused it, where that is known. */
  readonly trigger?: Trigger | undefined;
  /** Further facts: `orderId`, `route`, `kind` and the like. */
  readonly details: Attributes;
}

/** Event of `pay-button:<step>:end`. */
export interface StepEndEvent extends StepEvent {
  readonly outcome: 'success' | 'error';
  /** Why, of an error. */
  readonly code?: string | undefined;
  /** Milliseconds since its start. */
  readonly durationMs: number;
}

let lastStepId = 0;

export interface StepReport<T> {
  /** The span's name, without ids. @defaultValue `pay-button.<step>` */
  readonly name?: string;
  readonly details?: Attributes;
  /** The facts at a good end. */
  readonly result?: (value: T) => Attributes;
  readonly measure?: (durationMs: number, details: Attributes) => void;
}

/** Does a step and reports it on its channels and as a span. Costs little while nothing listens. */
export function observe<T>(step: Step, report: StepReport<T>, work: () => Promise<T>): Promise<T> {
  const [start, end] = [channel(`pay-button:${step}:start`), channel(`pay-button:${step}:end`)];
  if (!start.hasSubscribers && !end.hasSubscribers && !hasTelemetry()) return work();
  lastStepId += 1;
  const activity = currentActivity();
  const { details = {} } = report;
  const event: StepEvent = { stepId: lastStepId, step, ...activity, details };
  const about = { ...inSpanWords(details), 'pay.trigger': activity?.trigger };
  return inSpan(report.name ?? `pay-button.${step}`, about, 'internal', async (span) => {
    const startedAt = performance.now();
    start.publish(event);
    const finish = (outcome: 'success' | 'error', more: Attributes, code?: string): void => {
      const durationMs = performance.now() - startedAt;
      const all = { ...details, ...more };
      end.publish({ ...event, details: all, outcome, code, durationMs } satisfies StepEndEvent);
      report.measure?.(durationMs, all);
      span?.set(inSpanWords(more));
      span?.end(code);
    };
    try {
      const value = await work();
      finish('success', report.result?.(value) ?? {});
      return value;
    } catch (error) {
      finish('error', {}, nameOf(error));
      throw error;
    }
  });
}

/** Attributes have a name space of their own in a span: `orderId` is `pay.order_id` there. */
function inSpanWords(details: Attributes): Attributes {
  return Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name.includes('.') ? name : `pay.${name.replaceAll(/[A-Z]/g, '_$&').toLowerCase()}`,
      value,
    ]),
  );
}

export interface StepSpan {
  set(attributes: Attributes): void;
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
function currentMeter(): { readonly provider: object; readonly meter: Otel.Meter } | null {
  const api = otel();
  if (api === null || !isMeasured(api)) return null;
  return { provider: api.metrics.getMeterProvider(), meter: api.metrics.getMeter(NAME, version) };
}

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAITED = [5, 15, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400, 172_800];

function instrumentsOf(meter: Otel.Meter) {
  const seconds = (name: string, description: string, explicitBucketBoundaries: number[]) =>
    meter.createHistogram(name, { unit: 's', description, advice: { explicitBucketBoundaries } });
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(name, { unit, description });
  return {
    confirmations: counter(
      'pay_button.confirmations',
      '{confirmation}',
      'Answers of the gateway, by what they meant and what caused the question.',
    ),
    timeToConfirm: seconds('pay_button.time_to_confirm', 'From the payment link to paid.', WAITED),
    gatewayCall: seconds('pay_button.gateway.call.duration', 'Calls of the gateway.', SECONDS),
    drift: counter(
      'pay_button.gateway.drift',
      '{answer}',
      'Answers of the gateway that had something unexpected, by operation and kind.',
    ),
    route: seconds('pay_button.route.duration', 'Requests to our routes.', SECONDS),
  };
}

/** By the provider that takes them: a process may start its telemetry late. */
const madeFor = new WeakMap<object, ReturnType<typeof instrumentsOf>>();

function instruments() {
  const measuring = currentMeter();
  if (measuring === null) return null;
  const { provider, meter } = measuring;
  const fresh = madeFor.get(provider) ?? instrumentsOf(meter);
  madeFor.set(provider, fresh);
  return fresh;
}

export function countOne(what: 'confirmations' | 'drift', attributes: Attributes): void {
  instruments()?.[what].add(1, { ...attributes });
}

export function measure(
  what: 'gatewayCall' | 'route' | 'timeToConfirm',
  milliseconds: number,
  attributes: Attributes = {},
): void {
  instruments()?.[what].record(Math.max(0, milliseconds) / 1_000, { ...attributes });
}

interface GaugeSource {
  readonly merchant: string;
  readonly clock: { now(): number };
  readonly flows: { backlog(): Promise<Backlog> };
  readonly gateway: { breakers(): Readonly<Record<string, string>> };
}

/**
 * Offers the backlog as gauges; each collection asks the store one bounded question.
 *
 * @returns how to stop.
 */
export function watchGauges({ merchant, clock, flows, gateway }: GaugeSource): () => void {
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
  const age = (at: number | null): number =>
    at === null ? 0 : Math.max(0, clock.now() - at) / 1_000;
  const read = async (result: BatchObservableResult): Promise<void> => {
    const open = Object.values(gateway.breakers()).filter((state) => state === 'open');
    result.observe(breakers, open.length, { merchant });
    const counts = await flows.backlog().catch(() => null);
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
