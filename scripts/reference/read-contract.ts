import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../process/root.ts';

/** A field as it goes over the wire, and how firmly it is known. */
export interface WireField {
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly tier: string;
  readonly source: string;
  readonly text: string;
}

/** An operation as the contract states it. */
export interface WireOperation {
  readonly tag: string;
  readonly summary: string;
  readonly source: string;
  readonly request: readonly WireField[];
  /** The answer's status and its fields, where it has any. */
  readonly answer: { readonly status: string; readonly fields: readonly WireField[] };
}

/** A point that the specification states twice, differently. */
export interface Contradiction {
  readonly where: string;
  readonly ours: string;
  readonly alternatives: readonly string[];
  readonly reading: string;
}

/** What the reference takes from the contract. */
export interface Contract {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly operations: ReadonlyMap<string, WireOperation>;
  readonly contradictions: Readonly<Record<string, Contradiction>>;
}

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly allOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly description?: string;
  readonly 'x-tier'?: string;
  readonly 'x-source'?: string;
}

interface Content {
  readonly content?: { readonly 'application/json': { readonly schema: Schema } };
}

interface Parameter extends Pick<Schema, 'description' | 'x-tier' | 'x-source'> {
  readonly name: string;
  readonly in: string;
  readonly schema: Schema;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
  readonly 'x-source': string;
  readonly 'x-also'?: Partial<Operation> & { readonly operationId: string };
}

interface Document {
  readonly tags: Contract['tags'];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly 'x-contradictions': Contract['contradictions'];
}

/** Reads `contract/gateway.openapi.yaml`. */
export function readContract(): Contract {
  const document = parse(
    readFileSync(join(root, 'contract/gateway.openapi.yaml'), 'utf8'),
  ) as Document;
  const schemas = new SchemaReader(document.components.schemas);
  const operations = new Map<string, WireOperation>();
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const read = readOperation(operation, schemas);
    operations.set(operation.operationId, read);
    const also = operation['x-also'];
    if (also === undefined) continue;
    const { summary = read.summary, 'x-source': source = read.source } = also;
    operations.set(also.operationId, { ...read, tag: 'Embedded', summary, source });
  }
  const { tags, 'x-contradictions': contradictions } = document;
  return { tags, operations, contradictions };
}

function readOperation(operation: Operation, schemas: SchemaReader): WireOperation {
  const parameters = (operation.parameters ?? []).map(({ schema, required, ...parameter }) =>
    schemas.field(
      `${parameter.name} (${parameter.in})`,
      { ...schema, ...parameter },
      required === true,
    ),
  );
  const body = operation.requestBody?.content?.['application/json'].schema;
  const [status = '', answer] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? [];
  const schema = answer?.content?.['application/json'].schema;
  return {
    tag: operation.tags?.[0] ?? '',
    summary: operation.summary,
    source: operation['x-source'],
    request: [...parameters, ...schemas.fields(body)],
    answer: { status, fields: schemas.fields(schema) },
  };
}

/** Reads schemas as flat lists of fields, references and parts put in. */
class SchemaReader {
  readonly #schemas: Readonly<Record<string, Schema>>;

  constructor(schemas: Readonly<Record<string, Schema>>) {
    this.#schemas = schemas;
  }

  /** All fields below a schema, each named by its path; a later part of `allOf` overrides. */
  fields(schema: Schema | undefined, prefix = ''): readonly WireField[] {
    const { properties = {}, required = [] } = this.#merged(schema);
    return Object.entries(properties).flatMap(([name, property]) => {
      const field = this.field(`${prefix}${name}`, property, required.includes(name));
      const isList = this.#merged(property).items !== undefined;
      const inner = this.#merged(property).items ?? property;
      return [field, ...this.fields(inner, `${field.name}${isList ? '[]' : ''}.`)];
    });
  }

  /** One field; what it refers to tells what it does not tell itself. */
  field(name: string, schema: Schema, isRequired: boolean): WireField {
    const merged = this.#merged(schema);
    return {
      name,
      type: this.typeOf(merged),
      isRequired,
      tier: schema['x-tier'] ?? '',
      source: schema['x-source'] ?? '',
      text: schema.description ?? merged.description ?? '',
    };
  }

  /** A schema's type in few words, its known values included. */
  typeOf(schema: Schema): string {
    const { type = 'any', enum: values, const: only, items } = this.#merged(schema);
    if (only !== undefined) return JSON.stringify(only);
    if (values !== undefined) return values.map((value) => JSON.stringify(value)).join(' | ');
    const names = [type].flat().map((name) => (name === 'array' ? 'list' : name));
    const ofWhat = items === undefined ? '' : ` of ${this.typeOf(items)}`;
    return `${names.join(' | ')}${ofWhat}`;
  }

  #merged(schema: Schema = {}): Schema {
    const { $ref, allOf = [], ...own } = schema;
    const named = $ref === undefined ? {} : this.#schemas[$ref.split('/').at(-1) ?? ''];
    const parts = [named, ...allOf].map((part) =>
      part === undefined ? {} : this.#mergedOnce(part),
    );
    const all = [...parts, own];
    return Object.assign({}, ...all, {
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required = [] }) => required),
    }) as Schema;
  }

  #mergedOnce(schema: Schema): Schema {
    return schema.$ref === undefined && schema.allOf === undefined ? schema : this.#merged(schema);
  }
}
