import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { controlDocument } from '../control/document.ts';
import type { DocumentedOperation } from '../control/document.ts';

/** The refusals that the document names once for all calls: a foreign origin, another host. */
const refusalsOfAny: ReadonlySet<number> = new Set([403, 421]);

const document = controlDocument();
/** Each schema is compiled once a process, when an answer first needs it. */
const ajv = addFormats
  .default(new Ajv2020({ allErrors: true, strict: false }))
  .addSchema(document, 'control');

/** The control API's document, ready to hold answers against it. */
export class ControlDocument {
  /** Every operation as `GET /clock`, with `:id` for a part of the path. */
  operations(): readonly string[] {
    return Object.entries(document.paths).flatMap(([template, methods]) =>
      Object.keys(methods).map(
        (method) => `${method.toUpperCase()} ${template.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ),
    );
  }

  /** Where an answer departs from the document; an operation or a status that it lacks is a fault. */
  answerFaults(
    call: { readonly method: string; readonly path: string },
    answer: { readonly status: number; readonly contentType: string; readonly body: unknown },
  ): readonly string[] {
    const named = `${call.method} ${call.path} ${answer.status}`;
    const problem = document.components.responses.Problem;
    const operation = this.#find(call);
    const isRefused = operation === null ? answer.status === 404 : refusalsOfAny.has(answer.status);
    const response = operation?.responses[answer.status] ?? (isRefused ? problem : undefined);
    if (response === undefined) return [`${named} is not in the document`];
    const { content } = '$ref' in response ? problem : response;
    const type = answer.contentType.split(';')[0] ?? '';
    const schema = new Map(Object.entries(content)).get(type)?.schema;
    if (schema === undefined) return [`${named} answers ${type}`];
    if (!type.endsWith('json')) return [];
    const validate = ajv.getSchema(`control${'$ref' in schema ? schema.$ref : ''}`);
    if (validate === undefined) return [`${named} has no schema in the document`];
    if (validate(answer.body)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `${named}: ${instancePath} ${message ?? ''} ${JSON.stringify(params)}`,
    );
  }

  #find({ method, path: asked }: { method: string; path: string }): DocumentedOperation | null {
    const matches = Object.entries(document.paths).filter(([template]) => {
      const pattern = template.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+');
      return new RegExp(`^${pattern}$`).test(asked);
    });
    // A literal path goes before a template that fits it too.
    const partsOf = (template: string) => template.split('{').length;
    const [first] = matches.toSorted(([one], [other]) => partsOf(one) - partsOf(other));
    return first?.[1][method.toLowerCase()] ?? null;
  }
}
