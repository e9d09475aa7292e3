/** What a source of each tier is called: a section, a contradiction, an assumption. */
const sourceOf: Readonly<Record<string, RegExp>> = {
  spec: /^§\d+(?:\.\d+)?$/,
  contradiction: /^X\d+$/,
  analogue: /^N\d+$/,
  assumed: /^N\d+$/,
};

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

type Path = readonly string[];

/** Whether what stands at this path may be known firmly or not, and so must say how it is known. */
function needsTier(path: Path, node: object): boolean {
  const [last = '', parent = '', grandparent = ''] = path.toReversed();
  if (grandparent === 'paths') return methods.has(last);
  if (last === 'x-also') return true;
  if (parent === 'responses') return !('$ref' in node);
  return parent === 'properties' || parent === 'parameters' || parent === 'securitySchemes';
}

/**
 * The place of every operation, parameter, answer and field that does not say how firmly it is
 * known, or names a source that does not go with its tier.
 */
export function missingTiers(node: unknown, path: Path = []): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.entries(node).flatMap(([key, value]) => missingTiers(value, [...path, key]));
  if (!needsTier(path, node)) return below;
  const { 'x-tier': tier, 'x-source': source } = node as Readonly<Record<string, unknown>>;
  const isTold = sourceOf[String(tier)]?.test(String(source)) === true;
  return isTold ? below : [path.join('/'), ...below];
}
