import { createHash } from 'node:crypto';
import type { Fields } from '../domain/body-fields.ts';
import type { Readings } from './profile.ts';

/** The gateway's own number of an order: ten digits that follow from the merchant's name of it. */
export function ownOrderNumber(merchantOrderId: string): string {
  const digest = createHash('sha256').update(`sandbox order ${merchantOrderId}`).digest();
  return `7${String(digest.readUInt32BE(0) % 1_000_000_000).padStart(9, '0')}`;
}

/** The fields by which a status row names the order (N6). */
export const orderNamesOfRow = (readings: Readings, merchantOrderId: string): Fields =>
  orderNames(readings, merchantOrderId, readings.profile.status?.orderName);

/** The fields by which a webhook names the order (N13), without the one that a profile places. */
export function orderNamesOfWebhook(readings: Readings, merchantOrderId: string): Fields {
  const isPlaced = readings.profile.webhook?.orderName !== undefined;
  return orderNames(readings, merchantOrderId, isPlaced ? 'merchantOrderId' : undefined);
}

function orderNames({ policy }: Readings, name: string, field: string | null | undefined): Fields {
  const orderId = ownOrderNumber(name);
  const own = policy.has('ownOrderNumbers');
  if (policy.has('noOrderName')) return own ? { orderId } : {};
  if (field === null) return { orderId };
  if (field !== undefined) return { orderId, [field]: name };
  return { orderId: own ? orderId : name, merchantOrderId: name };
}
