import { z } from 'zod';
import type { CheckoutData } from '../options/payments-options.ts';
import type { Answer } from './http.ts';
import { problem } from './problem.ts';

/** All data of one checkout together, as JSON. */
const MAX_DATA_BYTES = 4_096;
/** Lists and objects inside one another; a form of a browser's own has none. */
const MAX_DEPTH = 4;

/** What a checkout asks for, or the answer to a body that cannot be taken. */
export type CheckoutBody =
  | { readonly orderId: string; readonly data: CheckoutData }
  | { readonly refusal: Answer };

/**
 * Makes the reader of a checkout's body: the order's id and the data that the shop named, and nothing
 * else. A price from a browser is refused, not ignored.
 */
export function checkoutBodyReader(
  dataFields: readonly string[],
): (value: unknown) => CheckoutBody {
  const anything = z.unknown().optional();
  const body = z.strictObject({
    ...Object.fromEntries(dataFields.map((name) => [name, anything])),
    orderId: z.string().min(1).max(100),
  });
  return (value) => {
    const parsed = body.safeParse(value);
    if (!parsed.success) return { refusal: refusalOf(parsed.error) };
    const { orderId, ...rest } = parsed.data;
    const data: CheckoutData = rest;
    const wrong = Object.keys(data).find((name) => !isPlain(data[name], MAX_DEPTH));
    if (wrong === undefined && Buffer.byteLength(JSON.stringify(data)) <= MAX_DATA_BYTES) {
      return { orderId, data };
    }
    const detail = `The data beside orderId may have ${MAX_DATA_BYTES} bytes as JSON, be nested ${MAX_DEPTH} deep, and hold no __proto__.`;
    return { refusal: problem('invalid_body', detail, { field: wrong }) };
  };
}

/** Whether a value is bounded, and harmless to code that copies its fields. */
function isPlain(value: unknown, depthLeft: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depthLeft === 0 || Object.hasOwn(value, '__proto__')) return false;
  return Object.values(value).every((part) => isPlain(part, depthLeft - 1));
}

function refusalOf({ issues }: z.ZodError): Answer {
  const [issue] = issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0]?.slice(0, 60) : undefined;
  const field = unknown ?? issue?.path.join('.');
  const detail =
    'Send {"orderId": "…"} and, beside it, only fields that the shop’s option dataFields names; the price comes from the shop itself.';
  return problem('invalid_body', detail, { field: field === '' ? undefined : field });
}
