import { ConfigurationError } from '../errors.ts';
import { text, whole, type Row } from './rows.ts';

/**
 * Reads how many migrations a database has seen. A database of another environment or merchant is
 * refused, since the same order ids mean other orders there; so is one that a newer release has
 * migrated, since this release does not know what it would read.
 *
 * @param known - How many migrations this release has.
 * @throws {@link ConfigurationError} `store_of_another_scope` or `store_of_another_release`.
 */
export function seenVersion(meta: Row | undefined, scope: string, known: number): number {
  if (meta === undefined) return 0;
  const own = text(meta, 'scope');
  const seen = whole(meta, 'schema_version');
  if (own === scope && seen > known) {
    throw new ConfigurationError(
      'store_of_another_release',
      `The store has schema version ${seen}, and this release knows ${known}. Start the newer release, or give this one a store of its own.`,
    );
  }
  if (own === scope) return seen;
  throw new ConfigurationError(
    'store_of_another_scope',
    `The store holds the payments of "${own}", and this is "${scope}". Give each environment and each merchant a database of its own.`,
  );
}
