import { createRequire } from 'node:module';
import type * as Api from '@opentelemetry/api';
import type * as Context from '@opentelemetry/context-async-hooks';
import type * as Metrics from '@opentelemetry/sdk-metrics';
import type * as Tracing from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sendJson, statusRow } from '../test-support/scripted-gateway.ts';
import { startShop } from '../test-support/shop-of-test.ts';
import { canaries, type Shop } from '../test-support/shop.ts';
import { watchGauges } from './telemetry.ts';

// As Node itself loads them: their builds for bundlers have imports that Node cannot follow.
const require = createRequire(import.meta.url);
const { context, metrics, trace } = require('@opentelemetry/api') as typeof Api;
const contexts = require('@opentelemetry/context-async-hooks') as typeof Context;
const measuring = require('@opentelemetry/sdk-metrics') as typeof Metrics;
const tracing = require('@opentelemetry/sdk-trace-base') as typeof Tracing;
type ReadableSpan = Tracing.ReadableSpan;

const spans = new tracing.InMemorySpanExporter();
const { CUMULATIVE } = measuring.AggregationTemporality;
const exporter = new measuring.InMemoryMetricExporter(CUMULATIVE);
const hourly = { exporter, exportIntervalMillis: 3_600_000 };
const reader = new measuring.PeriodicExportingMetricReader(hourly);
let shop: Shop;

beforeAll(() => {
  context.setGlobalContextManager(new contexts.AsyncLocalStorageContextManager().enable());
  const spanProcessors = [new tracing.SimpleSpanProcessor(spans)];
  trace.setGlobalTracerProvider(new tracing.BasicTracerProvider({ spanProcessors }));
  metrics.setGlobalMeterProvider(new measuring.MeterProvider({ readers: [reader] }));
});
afterAll(async () => {
  await reader.shutdown();
  trace.disable();
  metrics.disable();
  context.disable();
});
beforeEach(async () => {
  spans.reset();
  exporter.reset();
  shop = await startShop();
});

/** Pays an order: the shopper's checkout, the gateway's webhook, and the status check that follows. */
async function payAnOrder(): Promise<void> {
  const { session, merchantOrderId } = await shop.open();
  shop.gateway.rows.set(session, [statusRow()]);
  shop.later();
  await shop.notify({ merchantOrderId, cardNumber: canaries.phone });
  await expect.poll(() => shop.payments.retrieve('1001')).toMatchObject({ state: 'paid' });
  await expect.poll(() => named('pay-button.confirm')).not.toEqual([]);
}

const named = (name: string): readonly ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === name);

const attributesOf = (name: string) => named(name)[0]?.attributes;

/** The names from a span up to its root. */
function lineage(span: ReadableSpan | undefined): readonly string[] {
  if (span === undefined) return [];
  const above = span.parentSpanContext?.spanId;
  const parent = spans.getFinishedSpans().find((one) => one.spanContext().spanId === above);
  return [span.name, ...lineage(parent)];
}

/** What a metric says, by its attributes as JSON. */
async function valuesOf(name: string): Promise<ReadonlyMap<string, unknown>> {
  await reader.forceFlush();
  const scopes = exporter.getMetrics().at(-1)?.scopeMetrics ?? [];
  const all = scopes.flatMap((scope) => scope.metrics);
  const points = all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
  return new Map(points.map(({ attributes, value }) => [JSON.stringify(attributes), value]));
}

describe('spans', () => {
  it('stand in one another: route, flow, gateway call, commit', async () => {
    await payAnOrder();
    const ofCheckout = ['pay-button.checkout', 'POST /pay/checkout'];
    for (const name of ['gateway.createPaymentLink', 'pay-button.commit']) {
      expect(lineage(named(name)[0])).toEqual([name, ...ofCheckout]);
    }
    const ofWebhook = ['pay-button.confirm', 'pay-button.hint', 'POST /pay/webhook'];
    const [question] = named('gateway.retrieveStatus');
    expect(lineage(question)).toEqual(['gateway.retrieveStatus', ...ofWebhook]);
  });

  it('say what was found, and why it failed, in codes', async () => {
    await payAnOrder();
    const found = { 'pay.order_id': '1001', 'pay.verdict': 'paid', 'pay.trigger': 'webhook' };
    expect(attributesOf('pay-button.confirm')).toMatchObject(found);
    shop.gateway.script = (_request, response) => sendJson(response, 400, { message: 'canary' });
    shop.later();
    await shop.payments.refund('1001', { amount: '20.00', requestId: 'r-1' });
    const why = { 'error.type': 'invalid_request', 'http.response.status_code': 400 };
    const refused = { ...why, 'pay.gateway.outcome': 'rejected' };
    expect(attributesOf('gateway.refund')).toMatchObject(refused);
    const steps = lineage(named('gateway.refund')[0]);
    expect(steps).toEqual(['gateway.refund', 'pay-button.money refund']);
    expect(attributesOf('pay-button.money refund')).toMatchObject({ 'pay.state': 'failed' });
  });

  it('have route templates and no ids for names, and hold nothing that is secret', async () => {
    await payAnOrder();
    const { status, success } = await shop.open('a@b+c:d');
    await shop.send(status);
    await shop.send(success);
    await shop.checkout({ orderId: canaries.phone });
    shop.isStoreDown = true;
    await shop.send(status);
    const names = new Set(spans.getFinishedSpans().map(({ name }) => name));
    expect(names).toContain('GET /pay/status/:token');
    expect(names).toContain('GET /pay/return/success/:token');
    for (const name of names) expect(name).toMatch(/^[A-Za-z-]+[. ][\w/:. -]+$/);
    const told = spans
      .getFinishedSpans()
      .map(({ name, attributes, events, status: end }) => [name, attributes, events, end]);
    for (const secret of [...Object.values(canaries), status.split('/').at(-1) ?? '']) {
      expect(JSON.stringify(told)).not.toContain(secret);
    }
  });
});

describe('metrics', () => {
  it('count confirmations, and time the way to paid, gateway calls and routes', async () => {
    await payAnOrder();
    const confirmations = await valuesOf('pay_button.confirmations');
    expect(confirmations.get('{"verdict":"paid","trigger":"webhook"}')).toBeGreaterThan(0);
    const [time] = (await valuesOf('pay_button.time_to_confirm')).values();
    expect(time).toMatchObject({ count: expect.any(Number), min: expect.any(Number) });
    const calls = [...(await valuesOf('pay_button.gateway.call.duration')).keys()];
    expect(calls).toContain('{"operation":"createPaymentLink","outcome":"success"}');
    const routes = [...(await valuesOf('pay_button.route.duration')).keys()];
    expect(routes.some((key) => key.includes('"http.route":"/pay/webhook"'))).toBe(true);
  });

  it('count answers of the gateway that had something unexpected', async () => {
    const { session } = await shop.open();
    shop.gateway.rows.set(session, [statusRow({ tid: '4111111111111111' })]);
    shop.later();
    await shop.payments.confirm('1001');
    const drift = await valuesOf('pay_button.gateway.drift');
    const field = '/data/content/*/tid';
    const key = { operation: 'retrieveStatus', kind: 'unknown_field', field };
    expect(drift.get(JSON.stringify(key))).toBe(1);
  });

  it('read how much waits, and since when', async () => {
    await shop.open();
    shop.later(60 * 60_000);
    const merchant = 'default';
    const backlog = await valuesOf('pay_button.backlog');
    expect(backlog.get(JSON.stringify({ merchant, kind: 'checks' }))).toBe(1);
    const late = await valuesOf('pay_button.oldest_check');
    expect(late.get(JSON.stringify({ merchant }))).toBeGreaterThan(3_000);
    const failing = await valuesOf('pay_button.failing_orders');
    expect(failing.get(JSON.stringify({ merchant }))).toBe(0);
    const list = await valuesOf('pay_button.review_list');
    expect(list.get(JSON.stringify({ merchant, kind: 'payments' }))).toBe(0);
  });

  it('ask the store no more once they are stopped', async () => {
    const backlog = vi.fn(() => Promise.reject(new Error('the store is down')));
    const gateway = { breakers: () => ({}) };
    const stop = watchGauges({ merchant: 'm', clock: Date, flows: { backlog }, gateway });
    await reader.forceFlush();
    stop();
    await reader.forceFlush();
    expect(backlog).toHaveBeenCalledTimes(1);
  });
});
