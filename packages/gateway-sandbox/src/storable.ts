import { withoutStrayCards } from './domain/stray-cards.ts';

/** An order's number is refused where it looks like a card's: a changed one would be another order's. */
const orderNumbers: ReadonlySet<string> = new Set(['merchantOrderId', 'number']);

/**
 * A command as it may be kept and written down: no text of it holds a card number, whichever field a
 * merchant or a shopper put one into. Order numbers stay as they are.
 */
export function storable<Value>(value: Value): Value {
  return stored(value) as Value;
}

function stored(value: unknown): unknown {
  if (typeof value === 'string') return withoutStrayCards(value);
  if (Array.isArray(value)) return value.map(stored);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      orderNumbers.has(name) ? inner : stored(inner),
    ]),
  );
}
