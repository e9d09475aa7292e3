import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { channel, type Channel } from 'node:diagnostics_channel';
import { nameOf } from '../errors.ts';
import { type Attributes, hasTelemetry, inSpan } from './instruments.ts';

/** Why the gateway is asked: a hint's source, the background `watch`, or the merchant's own `call`. */
export type Trigger = 'checkout' | 'return' | 'status' | 'webhook' | 'watch' | 'call';

/** The request or task under way, to which its steps, logs and calls belong. */
export interface Activity {
  /** Of the HTTP request; absent where none caused it. */
  readonly requestId?: string | undefined;
  readonly trigger: Trigger;
}

const storage = new AsyncLocalStorage<Activity>();

/** The activity under way here, if one was started. */
export const currentActivity = (): Activity | undefined => storage.getStore();

/** Does work as part of an activity. */
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

interface Channels {
  readonly start: Channel;
  readonly end: Channel;
}

const channelsOf = (step: Step): Channels => ({
  start: channel(`pay-button:${step}:start`),
  end: channel(`pay-button:${step}:end`),
});

const channels: Readonly<Record<Step, Channels>> = {
  checkout: channelsOf('checkout'),
  commit: channelsOf('commit'),
  confirm: channelsOf('confirm'),
  delivery: channelsOf('delivery'),
  hint: channelsOf('hint'),
  money: channelsOf('money'),
  route: channelsOf('route'),
  tick: channelsOf('tick'),
};

let lastStepId = 0;

/** How a step is reported. */
export interface StepReport<T> {
  /** The span's name, without ids. @defaultValue `pay-button.<step>` */
  readonly name?: string;
  readonly details?: Attributes;
  /** The facts at a good end. */
  readonly result?: (value: T) => Attributes;
  /** Measures it. */
  readonly measure?: (durationMs: number, details: Attributes) => void;
}

/** Does a step and reports it on its channels and as a span. Costs nothing while nothing listens. */
export function observe<T>(step: Step, report: StepReport<T>, work: () => Promise<T>): Promise<T> {
  const { start, end } = channels[step];
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
      name.includes('.')
        ? name
        : `pay.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`,
      value,
    ]),
  );
}
