import { nameOf } from '../errors.ts';
import { withDeadline } from '../flows/deadline.ts';
import type { Office } from './office.ts';
import type { OrderDescription } from './options.ts';

const DEADLINE_MS = 2_000;

/** The merchant's words for an order; nothing where there are none, or they did not come. */
export async function describeOrder(
  { settings, parts }: Office,
  orderId: string,
): Promise<OrderDescription> {
  const { describeOrder: describe } = settings;
  if (describe === null) return {};
  try {
    const given = await withDeadline(parts.clock, DEADLINE_MS, async () => describe(orderId));
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
    url: isSafe(url) ? url : undefined,
    lines: Array.isArray(lines) ? lines.flatMap((line: unknown) => textOf(line) ?? []) : undefined,
  };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined;

const isSafe = (url: unknown): url is string =>
  typeof url === 'string' &&
  (/^\/(?![/\\])/.test(url) || /^https?:$/.test(URL.parse(url)?.protocol ?? ''));
