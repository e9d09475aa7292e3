import fc from 'fast-check';

/** A schema of a document, as far as a right value is made from it. */
interface Schema {
  readonly $ref?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly type?: string | readonly string[];
  readonly minimum?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { schema: Schema; example?: unknown }>>;
  };
}

/** An OpenAPI document, as far as calls are made from it. */
export interface CallableDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A call, nearly right; `pick` chooses among the ids that earlier answers gave. */
export interface FuzzedCall {
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly query: Readonly<Record<string, unknown>>;
  readonly pick: number;
}

/**
 * Calls of a document's operations in a mixed order, each right but for a few values. The same seed
 * makes the same calls.
 */
export function fuzzedCalls(
  document: CallableDocument,
  { seed, count, without = [] }: { seed: number; count: number; without?: readonly string[] },
): readonly FuzzedCall[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const calls = operations
    .filter(({ operation }) => !without.includes(operation.operationId))
    .map(({ path, method, operation }) => {
      const inQuery = (operation.parameters ?? []).filter((one) => one.in === 'query');
      const query = Object.fromEntries(inQuery.map(({ name }) => [name, 'some']));
      return fc.record({
        operationId: fc.constant(operation.operationId),
        method: fc.constant(method.toUpperCase()),
        path: fc.constant(path),
        body: fc.oneof(...rightBodies(document, operation).map(varied)),
        query: inside(query) as fc.Arbitrary<Readonly<Record<string, unknown>>>,
        pick: fc.nat(1000),
      });
    });
  return fc.sample(fc.oneof(...calls), { seed, numRuns: count });
}

function rightBodies(document: CallableDocument, { requestBody }: Operation): readonly unknown[] {
  const json = requestBody?.content['application/json'];
  if (json === undefined) return [undefined];
  return json.example === undefined ? rightValues(document, json.schema) : [json.example];
}

/** A right value of each kind that a schema allows, whatever a pattern asks for besides. */
function rightValues(document: CallableDocument, schema: Schema, name = ''): readonly unknown[] {
  if (schema.$ref !== undefined) {
    const named = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named === undefined ? [] : rightValues(document, named, name);
  }
  if (schema.anyOf !== undefined) {
    return schema.anyOf.flatMap((one) => rightValues(document, one, name));
  }
  if (schema.const !== undefined) return [schema.const];
  if (schema.enum !== undefined) return schema.enum;
  const first = (one: Schema, key: string): unknown => rightValues(document, one, key)[0];
  const ofType: Readonly<Record<string, () => unknown>> = {
    string: () => rightTexts[name] ?? 'some',
    number: () => schema.minimum ?? 1,
    integer: () => schema.minimum ?? 1,
    boolean: () => true,
    array: () => (schema.items === undefined ? [] : [first(schema.items, name)]),
    null: () => null,
  };
  const own = ofType[[schema.type ?? 'object'].flat()[0] ?? 'object'];
  if (own !== undefined) return [own()];
  const entries = Object.entries(schema.properties ?? {});
  return [Object.fromEntries(entries.map(([key, one]) => [key, first(one, key)]))];
}

/** Texts that a field of this name must be like. */
const rightTexts: Readonly<Record<string, string>> = {
  by: 'PT1M',
  outcome: 'decline:51',
  number: '4201320111111010',
  expiry: '12/39',
  cvv: '123',
};

/** Mostly the value itself, sometimes another, or none. */
function varied(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 12, arbitrary: inside(value) },
    { weight: 1, arbitrary: fc.oneof(fc.constantFrom(...hostile), fc.jsonValue({ maxDepth: 2 })) },
  );
}

function inside(value: unknown): fc.Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return fc.constant(value);
  if (Array.isArray(value)) return fc.tuple(...value.map(varied));
  const fields = Object.entries(value).map(([key, one]) => [key, varied(one)]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    noNullPrototype: true,
  });
}

/** What is written for a right value; `undefined` leaves the field out. */
const hostile: readonly unknown[] = [
  undefined,
  undefined,
  null,
  true,
  -1,
  0,
  0.001,
  19.99,
  1e21,
  '',
  ' ',
  '\u0000',
  '\uD800',
  '__proto__',
  '../..',
  'javascript:alert(1)',
  '٠٥٠١٢٣٤٥٦٧',
  'x'.repeat(5000),
  [],
  [[[[]]]],
  {},
  { toString: 1, constructor: null },
];
