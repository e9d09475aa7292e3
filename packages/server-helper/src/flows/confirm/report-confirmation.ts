import { currentActivity } from '../../observability/steps.ts';
import { countConfirmation } from '../../observability/instruments.ts';
import type { Attributes } from '../../observability/otel.ts';
import type { Confirmation } from './confirmation.ts';

/** Counts what a confirmation came to; one that did not ask the gateway is none. */
export function reportConfirmation({ record, asked }: Confirmation): Attributes {
  if (asked === null) return { asked: false };
  const verdict = asked.hasAnswer ? (record?.payment.state ?? 'unpaid') : 'no_answer';
  countConfirmation(verdict, currentActivity()?.trigger ?? 'call');
  return { asked: true, attempt: asked.attemptNumber, verdict };
}
