/**
 * Stands in for `@web/test-runner-commands`, which `@open-wc/testing` imports and which needs a
 * dev server of its own. Vitest's browser mode has none, so stored DOM snapshots are refused;
 * compare with a literal instead.
 */
function refuse(): never {
  throw new Error('Stored DOM snapshots need Web Test Runner; compare with a literal instead.');
}

export const getSnapshot = refuse;
export const getSnapshotConfig = refuse;
export const saveSnapshot = refuse;
