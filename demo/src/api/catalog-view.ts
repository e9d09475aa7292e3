import { type Bilingual, catalog } from '../catalog/catalog.ts';
import { CURRENCY, decimal } from '../catalog/halalas.ts';

/** A product as `GET /api/catalog` tells it. */
export interface CatalogEntry {
  readonly sku: string;
  readonly name: Bilingual;
  /** Decimal string with two decimals, value added tax included. */
  readonly price: string;
  readonly currency: string;
}

/** The whole range, for programs. */
export function catalogView(): readonly CatalogEntry[] {
  return catalog.map(({ sku, name, halalas }) => ({
    sku,
    name,
    price: decimal(halalas),
    currency: CURRENCY,
  }));
}
