import type { BackOfficeOptions } from '@pay-button/server-helper/back-office';
import { findProduct } from '../catalog/catalog.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import { textsIn } from '../texts/language.ts';

/** Tells the back office what the shop knows of an order. */
export function describeOrder(
  database: Pick<ShopDatabase<never>, 'findOrder' | 'countFulfilments'>,
): NonNullable<BackOfficeOptions['describeOrder']> {
  return async (orderId, language) => {
    const order = await database.findOrder(orderId);
    if (order === null) return null;
    const { admin } = textsIn[language];
    const { name, phone, email } = order.customer;
    const goods = order.lines.map(
      ({ sku, quantity }) => `${findProduct(sku)?.name[language] ?? sku} × ${quantity}`,
    );
    const shipped = await database.countFulfilments(orderId);
    return {
      title: goods.join(language === 'ar' ? '، ' : ', '),
      customer: name,
      lines: [...goods, phone, email, shipped === 0 ? admin.notShipped : admin.shipped(shipped)],
      url: shopOrderPath(orderId),
    };
  };
}

/** The shop's own page of an order, for its admin. */
export const shopOrderPath = (orderId: string): string => `/admin/shop-orders/${orderId}`;
