import type { AdminParts } from '../admin/admin-api.ts';
import type { ShopDatabase } from '../database/shop-database.ts';

/** What the admin's pages work with. */
export interface AdminPagesParts extends AdminParts {
  readonly database: AdminParts['database'] & Pick<ShopDatabase<never>, 'confirmSeconds'>;
  readonly publicUrl: string;
  /** Where 3-D Secure pages may lead. */
  readonly gatewayOrigins: readonly string[];
}
