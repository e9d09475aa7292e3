const bitsPerLevel = 5;
const indexMask = 2 ** bitsPerLevel - 1;
/** 32-bit hashes use seven levels of five bits; below that, entries share one bucket. */
const deepestLevel = 7;

interface Leaf<Value> {
  readonly key: string;
  readonly value: Value;
}
/** Holds only the slots that are filled, in the order of their indexes. */
interface Branch<Value> {
  /** One bit for each index that has a slot. */
  readonly filled: number;
  readonly slots: readonly Slot<Value>[];
}
interface Bucket<Value> {
  readonly leaves: readonly Leaf<Value>[];
}
type Slot<Value> = Leaf<Value> | Branch<Value> | Bucket<Value>;

const noSlots: Branch<never> = { filled: 0, slots: [] };

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
    return new PersistentMap<Value>(noSlots, 0);
  }

  get(key: string): Value | undefined {
    return this.#find(key, hashOf(key));
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  set(key: string, value: Value): PersistentMap<Value> {
    const hash = hashOf(key);
    const isKnown = this.#find(key, hash) !== undefined;
    const root = insert(this.#root, { key, value }, hash, 0);
    return new PersistentMap(root, isKnown ? this.size : this.size + 1);
  }

  #find(key: string, hash: number): Value | undefined {
    let slot: Slot<Value> = this.#root;
    for (let level = 0; 'slots' in slot; level += 1) {
      const next: Slot<Value> | undefined = slotAt(slot, bitOf(hash, level));
      if (next === undefined) return undefined;
      slot = next;
    }
    if ('leaves' in slot) return slot.leaves.find((leaf) => leaf.key === key)?.value;
    return slot.key === key ? slot.value : undefined;
  }
}

function slotAt<Value>({ filled, slots }: Branch<Value>, bit: number): Slot<Value> | undefined {
  return (filled & bit) === 0 ? undefined : slots[countBits(filled & (bit - 1))];
}

function insert<Value>(
  branch: Branch<Value>,
  leaf: Leaf<Value>,
  hash: number,
  level: number,
): Branch<Value> {
  const bit = bitOf(hash, level);
  const { filled, slots } = branch;
  const position = countBits(filled & (bit - 1));
  const placed = place(slotAt(branch, bit), leaf, hash, level + 1);
  if ((filled & bit) !== 0) return { filled, slots: slots.with(position, placed) };
  const rest = slots.slice(position);
  return { filled: filled | bit, slots: slots.slice(0, position).concat(placed, rest) };
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
  const pushedDown = insert<Value>(noSlots, slot, hashOf(slot.key), level);
  return insert(pushedDown, leaf, hash, level);
}

/** The bit of the slot that a hash leads to at a level. */
function bitOf(hash: number, level: number): number {
  return 1 << ((hash >>> (level * bitsPerLevel)) & indexMask);
}

/** How many bits are set in 32: sums of neighbours, of two, four and eight bits at a time. */
function countBits(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** FNV-1a: short, and good enough for identifiers that nobody chooses to collide. */
function hashOf(key: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < key.length; index += 1) {
    hash = Math.imul(hash ^ key.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
