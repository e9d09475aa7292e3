import { ConfigurationError } from '../errors.ts';
import { text, whole, type Row } from './rows.ts';

/**
 * Reads what a database says of itself: how many migrations it has seen. A database of another
 * environment or merchant is refused, since the same order ids mean other orders there.
 *
 * @throws {@link ConfigurationError} `store_of_another_scope`.
 */
export function seenVersion(meta: Row | undefined, scope: string): number {
  if (meta === undefined) return 0;
  const own = text(meta, 'scope');
  if (own === scope) return whole(meta, 'schema_version');
  throw new ConfigurationError(
    'store_of_another_scope',
    `The store holds the payments of "${own}", and this is "${scope}". Give each environment and each merchant a database of its own.`,
  );
}
