import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

/** Where the contract stands. */
const contractPath = new URL('./gateway.openapi.yaml', import.meta.url).pathname;

/** The contract as it is written. */
export const readContractText = (): string => readFileSync(contractPath, 'utf8');

let parsed: OpenApi | undefined;

/** The contract as data. To parse it takes a third of a second, so it is parsed once a process. */
export const readContract = (): OpenApi => (parsed ??= parse(readContractText()) as OpenApi);

/** A request as it goes over the wire; the path is relative to the base URL. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

/** How firmly a part of the contract is known. */
export interface Known {
  readonly 'x-tier': string;
  readonly 'x-source'?: string;
}

interface Parameter extends Known {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Answer extends Known {
  readonly $ref?: string;
  readonly description: string;
  readonly content?: object;
}

interface Operation extends Known {
  readonly operationId: string;
  readonly 'x-section': string;
  /** Another operation of the specification that is this same call. */
  readonly 'x-also'?: Known & Pick<Operation, 'operationId' | 'x-section'>;
  /** The credential, where it is not the document's. */
  readonly security?: Security;
  readonly requestBody?: unknown;
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Contradiction {
  readonly where: string;
  readonly ours: string;
  readonly reading: string;
  readonly alternatives: readonly string[];
}

type Security = readonly Readonly<Record<string, unknown>>[];

interface OpenApi {
  readonly security: Security;
  readonly 'x-contradictions': Readonly<Record<string, Contradiction>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Answer>>;
    readonly schemas: Readonly<Record<string, { readonly properties?: object }>>;
  };
}

const JSON_CONTENT = '/content/application~1json/schema';

let compiled: Ajv2020 | undefined;

/** The contract's schemas; each is compiled once a process, when it is first asked for. */
function compileContract(): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: false });
  addFormats.default(ajv);
  ajv.addKeyword({ keyword: 'x-decimals', type: 'number', validate: hasAtMostDecimals });
  return ajv.addSchema(readContract(), 'gateway');
}

/** The contract, ready to hold requests and answers against it. */
export class ContractDocument {
  readonly document = readContract();
  readonly #ajv = (compiled ??= compileContract());

  /** Where a value departs from the schema at a place of the document, a JSON pointer; empty when it does not. */
  faultsAt(pointer: string, value: unknown): readonly string[] {
    return faultsOf(this.#compile(pointer), value);
  }

  /** The names of the fields that a schema of `components/schemas` states. */
  fieldsOf(name: string): readonly string[] {
    return Object.keys(this.document.components.schemas[name]?.properties ?? {});
  }

  /** Where a request's body departs from its operation. */
  bodyFaults(operationId: string, body: unknown): readonly string[] {
    const { pointer } = this.#find(operationId);
    return faultsOf(this.#compile(`${pointer}/requestBody${JSON_CONTENT}`), body);
  }

  /** Where an answer departs from its operation; a status that the contract lacks is a fault. */
  answerFaults(operationId: string, status: number, body: unknown): readonly string[] {
    const { pointer, operation } = this.#find(operationId);
    const response = operation.responses[String(status)];
    if (response === undefined) return [`HTTP ${status} is no answer of ${operationId}`];
    if (response.$ref === undefined && response.content === undefined) {
      return body === null || body === undefined ? [] : ['there is a body'];
    }
    const holder = response.$ref?.slice(1) ?? `${pointer}/responses/${status}`;
    return faultsOf(this.#compile(`${holder}${JSON_CONTENT}`), body);
  }

  /** Where a whole request departs from the operation of this name. */
  requestFaults(operationId: string, request: WireRequest): readonly string[] {
    const { method, path, operation, pointer } = this.#find(operationId);
    const faults: string[] = [];
    if (request.method !== method.toUpperCase()) faults.push(`the method is ${request.method}`);
    if (!isPathOf(path, request.path)) faults.push(`the path is ${request.path}`);
    faults.push(...credentialFaults(this.#credentialsOf(operation), request));
    const parameters = operation.parameters ?? [];
    const inQuery = parameters.filter((one) => one.in === 'query');
    for (const name of request.query.keys()) {
      if (inQuery.every((one) => one.name !== name)) faults.push(`the query has ${name}`);
    }
    for (const [index, { name, required, in: place }] of parameters.entries()) {
      if (place !== 'query') continue;
      const values = request.query.getAll(name);
      if (required === true && values.length === 0) faults.push(`the query lacks ${name}`);
      const validate = this.#compile(`${pointer}/parameters/${index}/schema`);
      for (const value of values) faults.push(...faultsOf(validate, value));
    }
    if (operation.requestBody === undefined) {
      if (request.body !== undefined) faults.push('there is a body');
      return faults;
    }
    const type = request.headers['content-type'];
    if (type !== 'application/json') faults.push(`the content type is ${String(type)}`);
    return [...faults, ...this.bodyFaults(operationId, request.body)];
  }

  /** Where an operation stands and how firmly it is known. */
  placeOf(operationId: string) {
    const { method, path, operation } = this.#find(operationId);
    const also = operation['x-also'];
    const own = also?.operationId === operationId ? also : operation;
    const [credential] = this.#credentialsOf(operation);
    return { method, path, credential, tier: own['x-tier'], section: own['x-section'] };
  }

  #credentialsOf({ security = this.document.security }: Operation): readonly string[] {
    return security.flatMap((one) => Object.keys(one));
  }

  #find(operationId: string) {
    for (const [path, methods] of Object.entries(this.document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        const also = operation['x-also']?.operationId;
        if (operation.operationId !== operationId && also !== operationId) continue;
        const pointer = `/paths/${path.replaceAll('/', '~1')}/${method}`;
        return { method, path, operation, pointer };
      }
    }
    throw new Error(`The contract has no operation ${operationId}.`);
  }

  #compile(pointer: string): ValidateFunction {
    const validate = this.#ajv.getSchema(`gateway#${pointer}`);
    if (validate === undefined) throw new Error(`The contract has no schema at ${pointer}.`);
    return validate;
  }
}

/** Counts the digits that are written: no floating point takes part, so that 19.99 has two. */
function hasAtMostDecimals(most: number, amount: number): boolean {
  const [, decimals = ''] = /^\d+(?:\.(\d+))?$/.exec(String(amount)) ?? [];
  return Number.isSafeInteger(Math.trunc(amount)) && decimals.length <= most;
}

/** Whether a path is the one of a template, each `{name}` being one segment that is not empty. */
function isPathOf(template: string, path: string): boolean {
  const literal = template.replaceAll(/[^A-Za-z0-9{}/]/g, String.raw`\$&`);
  return new RegExp(`^${literal.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path);
}

/** The two credentials are not interchangeable (§5), so each operation gets its own and no other. */
function credentialFaults(wanted: readonly string[], { headers }: WireRequest): readonly string[] {
  const isBearer = /^Bearer \S+$/.test(String(headers['authorization']));
  const given = [
    ...(typeof headers['x-api-key'] === 'string' ? ['apiKey'] : []),
    ...(isBearer ? ['portal'] : []),
  ];
  if (given.join() === wanted.join()) return [];
  return [`the credentials are ${given.join() || 'none'}, not ${wanted.join() || 'none'}`];
}

function faultsOf(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath || 'the body'} ${message ?? 'is wrong'}`,
  );
}

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
