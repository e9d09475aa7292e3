import type { Request } from 'express';
import { newestDeliveries } from '../../domain/webhooks/outbox.ts';
import { formField } from '../form.ts';
import { deliveryLabels } from './delivery-labels.ts';
import type { View } from './view.ts';

/** The buttons of the deliveries: hold back, release, send again. A text is what was wrong. */
export async function deliverAgain(
  { parts, tenant, language }: View,
  request: Request,
): Promise<string | undefined> {
  const { machine, courier } = parts;
  const id = formField(request, 'id');
  switch (formField(request, 'action')) {
    case 'hold':
      await machine.execute({ kind: 'hold-deliveries', tenant, holds: true });
      return undefined;
    case 'release':
      await machine.execute({ kind: 'hold-deliveries', tenant, holds: false });
      for (const held of heldIds(machine.tenant(tenant))) await release(held);
      return undefined;
    case 'release-one':
      await release(id);
      return undefined;
    default: {
      const delivery = machine.tenant(tenant).outbox.deliveries.get(id);
      if (delivery === undefined) return undefined;
      const result = await courier.replay(tenant, delivery, { url: null, resign: null });
      return result === null ? deliveryLabels[language].noAddress : undefined;
    }
  }

  /** Each goes once the one before was answered. */
  async function release(deliveryId: string): Promise<void> {
    await machine.execute({ kind: 'release-delivery', tenant, deliveryId });
    await courier.arrival(deliveryId);
  }
}

/** Oldest first. */
function heldIds(tenant: Parameters<typeof newestDeliveries>[0]): string[] {
  const held = [...newestDeliveries(tenant)].filter(({ state }) => state === 'held');
  return held.map(({ id }) => id).toReversed();
}
