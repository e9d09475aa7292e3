import { createHash } from 'node:crypto';
import type { Tenant } from '../domain/tenant.ts';
import type { Fields } from '../domain/body-fields.ts';

/** Informative fields that look like numbers, which a gateway may send as such. */
const numeric: ReadonlySet<string> = new Set([
  'rrn',
  'currencyCode',
  'paymentId',
  'payment_id',
  'trans_id',
  'referenceId',
  'orderId',
  'order_id',
]);

/** The fields with numbers in the place of texts of digits. */
export function withNumbers(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      numeric.has(name) && typeof value === 'string' && /^\d{1,15}$/.test(value)
        ? Number(value)
        : value,
    ]),
  );
}

/** The number that stands for a record's id. */
export const recordNumber = (id: string): number =>
  createHash('sha256').update(`sandbox record ${id}`).digest().readUIntBE(0, 5);

/** The id of the portal's record that a number stands for; else the text itself. */
export function recordIdOf({ webhooks, sdkTokens, account }: Tenant, text: string): string {
  const records = [...webhooks, ...sdkTokens, ...account.apiKeys];
  return records.find(({ id }) => String(recordNumber(id)) === text)?.id ?? text;
}
