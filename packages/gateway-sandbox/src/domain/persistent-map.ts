const bitsPerLevel = 5;
const slotsPerNode = 2 ** bitsPerLevel;
/** 32-bit hashes use seven levels of five bits; below that, entries share one bucket. */
const deepestLevel = 7;

interface Leaf<Value> {
  readonly key: string;
  readonly value: Value;
}
interface Branch<Value> {
  readonly slots: readonly (Slot<Value> | undefined)[];
}
interface Bucket<Value> {
  readonly leaves: readonly Leaf<Value>[];
}
type Slot<Value> = Leaf<Value> | Branch<Value> | Bucket<Value>;

/**
 * A map that never changes: `set` answers a new map that shares nearly everything with the old
 * one. It makes the core a pure function at a constant cost for each command, however many
 * sessions there are, and makes keeping an old state free.
 */
export class PersistentMap<Value> {
  readonly #root: Branch<Value>;
  readonly size: number;

  private constructor(root: Branch<Value>, size: number) {
    this.#root = root;
    this.size = size;
  }

  static empty<Value>(): PersistentMap<Value> {
    return new PersistentMap<Value>({ slots: [] }, 0);
  }

  get(key: string): Value | undefined {
    const hash = hashOf(key);
    let slot: Slot<Value> | undefined = this.#root;
    for (let level = 0; slot !== undefined; level += 1) {
      if ('slots' in slot) {
        slot = slot.slots[slotIndex(hash, level)];
        continue;
      }
      if ('leaves' in slot) return slot.leaves.find((leaf) => leaf.key === key)?.value;
      return slot.key === key ? slot.value : undefined;
    }
    return undefined;
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const known = this.has(key);
    const root = insert(this.#root, { key, value }, hashOf(key), 0);
    return new PersistentMap(root, known ? this.size : this.size + 1);
  }
}

function insert<Value>(
  branch: Branch<Value>,
  leaf: Leaf<Value>,
  hash: number,
  level: number,
): Branch<Value> {
  const index = slotIndex(hash, level);
  const slots = [...branch.slots];
  slots[index] = place(slots[index], leaf, hash, level + 1);
  return { slots };
}

function place<Value>(
  slot: Slot<Value> | undefined,
  leaf: Leaf<Value>,
  hash: number,
  level: number,
): Slot<Value> {
  if (slot === undefined) return leaf;
  if ('slots' in slot) return insert(slot, leaf, hash, level);
  if ('leaves' in slot) {
    return { leaves: [...slot.leaves.filter((other) => other.key !== leaf.key), leaf] };
  }
  if (slot.key === leaf.key) return leaf;
  if (level >= deepestLevel) return { leaves: [slot, leaf] };
  const pushedDown = insert({ slots: [] }, slot, hashOf(slot.key), level);
  return insert(pushedDown, leaf, hash, level);
}

function slotIndex(hash: number, level: number): number {
  return (hash >>> (level * bitsPerLevel)) & (slotsPerNode - 1);
}

/** FNV-1a: short, and good enough for identifiers that nobody chooses to collide. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
