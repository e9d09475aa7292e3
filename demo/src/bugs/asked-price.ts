/**
 * What a browser says that its order costs, in halalas: a `price` beside each `sku`, which a sound
 * shop never reads. `undefined` when a line says none.
 */
export function askedPrice(body: unknown): number | undefined {
  const lines = fieldOf(body, 'lines');
  if (!Array.isArray(lines)) return undefined;
  const prices = lines.map((line: unknown) => {
    const price = fieldOf(line, 'price');
    const isPrice = typeof price === 'string' && /^\d{1,6}\.\d\d$/.test(price);
    return isPrice ? Number(price.replace('.', '')) * Number(fieldOf(line, 'quantity')) : NaN;
  });
  const total = prices.reduce((sum, price) => sum + price, 0);
  return Number.isSafeInteger(total) ? total : undefined;
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
