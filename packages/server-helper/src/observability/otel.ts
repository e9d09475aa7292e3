import type * as Otel from '@opentelemetry/api';
import { createRequire } from 'node:module';
import { packageVersion } from '../package-version.ts';

/** A span under way. */
export interface StepSpan {
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param code - Why it failed; absent when it did not. Never a message, which could quote anything. */
  end(code?: string): void;
}

let loaded: typeof Otel | null | undefined;

/** OpenTelemetry's API where the merchant has installed it, else `null`. It is looked for once. */
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

/** Who takes spans; `undefined` while no SDK is registered, so that nothing is spent on none. */
function tracerOf(api: typeof Otel): Otel.Tracer | undefined {
  const provider = api.trace.getTracerProvider();
  return provider instanceof api.ProxyTracerProvider
    ? provider.getDelegateTracer(NAME, version)
    : provider.getTracer(NAME, version);
}

const isMeasured = (api: typeof Otel): boolean =>
  api.metrics.getMeterProvider().constructor.name !== 'NoopMeterProvider';

/** Whether anybody takes spans or measurements. */
export function hasTelemetry(): boolean {
  const api = otel();
  return api !== null && (tracerOf(api) !== undefined || isMeasured(api));
}

/** Runs work inside a span, so that what it causes stands below it; without telemetry, without one. */
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

/** Who measures, or `null` without telemetry. The same meter as long as its provider is the same. */
export function currentMeter(): { readonly provider: object; readonly meter: Otel.Meter } | null {
  const api = otel();
  if (api === null || !isMeasured(api)) return null;
  return { provider: api.metrics.getMeterProvider(), meter: api.metrics.getMeter(NAME, version) };
}

/** What is told of a step, a span or a measurement, by name. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
