import type { Otel } from '../optional-peers.ts';
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
