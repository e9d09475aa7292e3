import { nameOf } from '../errors.ts';
import { withDeadline } from '../flows/waiting.ts';
import type { Visit } from './office.ts';
import type { OrderDescription } from './options.ts';
import { isSafeAddress } from './safe-address.ts';

const DEADLINE_MS = 2_000;

/** The merchant's words for an order; nothing where there are none, or they did not come. */
export async function describeOrder(
  { office: { settings, parts }, language }: Pick<Visit, 'office' | 'language'>,
  orderId: string,
): Promise<OrderDescription> {
  const { describeOrder: describe } = settings;
  if (describe === null) return {};
  try {
    const given = await withDeadline(parts.clock, DEADLINE_MS, async () =>
      describe(orderId, language),
    );
    return read(given);
  } catch (error) {
    parts.reportError(error, { where: 'describeOrder', orderId });
    parts.logger.warn({ orderId, error: nameOf(error) }, 'describeOrder failed: a page lacks it');
    return {};
  }
}

/** Only texts are shown, and only an address that is safe to follow is linked. */
function read(given: unknown): OrderDescription {
  if (typeof given !== 'object' || given === null) return {};
  const { title, customer, url, lines } = given as Readonly<Record<string, unknown>>;
  return {
    title: textOf(title),
    customer: textOf(customer),
    url: isSafeAddress(url) ? url : undefined,
    lines: Array.isArray(lines) ? lines.flatMap((line: unknown) => textOf(line) ?? []) : undefined,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;
