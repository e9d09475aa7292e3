import { readFileSync } from 'node:fs';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ValidateFunction } from 'ajv/dist/2020.js';
import { parse } from 'yaml';

const path = new URL('../../control.openapi.yaml', import.meta.url);

/**
 * What any call can be refused with: an unreadable body, no token, a foreign origin, an unknown
 * tenant or route, another host.
 */
const refusalsOfAny: ReadonlySet<number> = new Set([400, 401, 403, 404, 421]);

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly $ref: string }>>;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<string, Readonly<Record<string, Operation | readonly unknown[]>>>
  >;
  readonly components: {
    readonly responses: Readonly<
      Record<string, { readonly content: Readonly<Record<string, unknown>> }>
    >;
  };
}

/** The control API's document, ready to hold answers against it. */
export class ControlDocument {
  readonly #document = parse(readFileSync(path, 'utf8')) as OpenApi;
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false });

  constructor() {
    addFormats.default(this.#ajv);
    this.#ajv.addSchema(this.#document, 'control');
  }

  /** Every operation as `GET /clock`, with `:id` for a part of the path. */
  operations(): readonly string[] {
    return Object.entries(this.#document.paths).flatMap(([template, methods]) =>
      Object.keys(methods)
        .filter((method) => method !== 'parameters')
        .map((method) => `${method.toUpperCase()} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`),
    );
  }

  /** Where an answer departs from the document; an operation or a status that it lacks is a fault. */
  answerFaults(
    call: { readonly method: string; readonly path: string },
    answer: { readonly status: number; readonly contentType: string; readonly body: unknown },
  ): readonly string[] {
    const named = `${call.method} ${call.path} ${answer.status}`;
    const stated = this.#find(call)?.responses[String(answer.status)]?.$ref.split('/').at(-1);
    const name = stated ?? (refusalsOfAny.has(answer.status) ? 'Problem' : '');
    const content = this.#document.components.responses[name]?.content;
    if (content === undefined) return [`${named} is not in the document`];
    const type = answer.contentType.split(';')[0] ?? '';
    if (!(type in content)) return [`${named} answers ${type}`];
    if (!type.endsWith('json')) return [];
    const validate = this.#validator(name, type);
    if (validate(answer.body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${named}: ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  #find({ method, path: asked }: { method: string; path: string }): Operation | null {
    const matches = Object.entries(this.#document.paths).filter(([template]) =>
      new RegExp(`^${template.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(
        asked,
      ),
    );
    // A literal path goes before a template that fits it too.
    const [first] = matches.toSorted(
      ([one], [other]) => one.split('{').length - other.split('{').length,
    );
    const operation = first?.[1][method.toLowerCase()];
    return operation !== undefined && 'operationId' in operation ? operation : null;
  }

  #validator(name: string, type: string): ValidateFunction {
    const pointer = `control#/components/responses/${name}/content/${type.replace('/', '~1')}/schema`;
    const validate = this.#ajv.getSchema(pointer);
    if (validate === undefined) throw new Error(`The document has no schema at ${pointer}.`);
    return validate;
  }
}
