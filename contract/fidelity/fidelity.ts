import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readContract } from '../contract-document.ts';
import { covers, testFiles } from './pins.ts';
import type { Pin } from './pins.ts';

/** One thing that the sandbox does, how firmly it is known, and what holds it to that. */
export interface Behaviour {
  readonly id: string;
  readonly kind: 'operation' | 'field' | 'error' | 'transition';
  readonly name: string;
  readonly tier: string;
  /** A section (§), a contradiction (X) or an assumption (N); the last two are under `sources`. */
  readonly source: string;
  /** `file > title` of each test that pins it. */
  readonly tests: readonly string[];
}

/** A reading of what the specification leaves open, and how the sandbox takes the other ones. */
interface Source {
  readonly item: string;
  readonly tier: string;
  readonly reading: string;
  readonly alternatives: readonly string[];
  /** The policies of the sandbox that read it otherwise. */
  readonly policies: readonly string[];
  /** The places in a gateway's profile that change it. */
  readonly profile: readonly string[];
  /** Why an alternative has neither. */
  readonly whyNot: string | null;
  /** `file > title` of each test that pins one of its readings. */
  readonly tests: readonly string[];
}

/** `assets/fidelity.json` of the sandbox. */
export interface Fidelity {
  readonly tiers: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, Source>>;
  readonly behaviours: readonly Behaviour[];
}

/** Where the published package carries the report. */
export const fidelityPath = new URL(
  '../../packages/gateway-sandbox/assets/fidelity.json',
  import.meta.url,
);

/** Where the published helper carries what each open point is about, for the table of first-contact. */
export const openPointsPath = new URL(
  '../../packages/server-helper/src/cli/first-contact/open-points.json',
  import.meta.url,
);

/** The schema of a gateway's profile, and its copies in the published packages. */
export const profileSchema = new URL('../gateway-profile.schema.json', import.meta.url);
export const profileSchemaCopies = [
  new URL('gateway-profile.schema.json', fidelityPath),
  new URL('../../packages/server-helper/gateway-profile.schema.json', import.meta.url),
];

const tiers = {
  spec: 'The specification states it.',
  contradiction: 'The specification states it twice, differently.',
  analogue: 'Gateways of the same family document it so.',
  assumed: 'The most conventional choice.',
} as const;

interface Known {
  readonly 'x-tier'?: string;
  readonly 'x-source'?: string;
}

type Node = Readonly<Record<string, unknown>>;

/** The whole report, made from the contract, the readings and the pins. */
export function buildFidelity(pins: readonly Pin[] = readPins()): Fidelity {
  const contract: Node = { ...readContract() };
  const rows = readData('transitions.yaml') as Readonly<Record<string, [string, string, string]>>;
  const listed = Object.entries(rows).map(([id, [tier, source, name]]) =>
    behaviour(id, name, { 'x-tier': tier, 'x-source': source }),
  );
  const all = [...operations(contract), ...fields(contract), ...listed];
  const once = [...new Map(all.map((one) => [one.id, one])).values()];
  const behaviours = once.map((one) => ({ ...one, tests: covers(pins, one.id) }));
  return { tiers, sources: sourcesOf(contract, behaviours, pins), behaviours };
}

/** Every open point, with the tests of the behaviours that follow from it and of its other readings. */
function sourcesOf(
  contract: Node,
  behaviours: readonly Behaviour[],
  pins: readonly Pin[],
): Record<string, Source> {
  const listed = readData('assumptions.yaml') as Readonly<Record<string, Partial<Source>>>;
  const found = contradictions(contract);
  return Object.fromEntries(
    Object.entries(listed).map(([id, given]) => {
      const own = behaviours.filter(({ source }) => source === id).flatMap(({ tests }) => tests);
      const tests = [...new Set([...covers(pins, `reading.${id}`), ...own])];
      const { item = '', tier = '', reading = '', alternatives = [] } = { ...found[id], ...given };
      const { policies = [], profile = [], whyNot = null } = given;
      return [id, { item, tier, reading, alternatives, policies, profile, whyNot, tests }];
    }),
  );
}

/** Which test pins which behaviour: a file, its titles, and the ids of each. */
export function readPins(): readonly Pin[] {
  const files = readData('pins.yaml') as Readonly<Record<string, Record<string, string[]>>>;
  return Object.entries(files).flatMap(([file, titles]) =>
    Object.entries(titles).map(([title, pins]) => ({ test: `${file} > ${title}`, pins })),
  );
}

/** The report as a file: a line for each behaviour, so that a change can be read. */
export function fidelityText(): string {
  const { tiers: names, sources, behaviours } = buildFidelity();
  const lines = behaviours.map((one) => JSON.stringify(one)).join(',\n');
  const head = `"tiers":${JSON.stringify(names)},\n"sources":${JSON.stringify(sources)}`;
  return `{${head},\n"behaviours":[\n${lines}\n]}\n`;
}

/** The open points as a file, one a line. */
export function openPointsText(): string {
  const { sources } = buildFidelity();
  const lines = Object.entries(sources).map(
    ([id, { item, profile }]) => `"${id}":${JSON.stringify({ item, profile })}`,
  );
  return `{\n${lines.join(',\n')}\n}\n`;
}

/** The faults of the report: a behaviour without a test, a test that is gone, an unexplained source. */
export function fidelityFaults(report: Fidelity, pins: readonly Pin[]): string[] {
  const files = testFiles();
  const untested = report.behaviours
    .filter(({ tests }) => tests.length === 0)
    .map(({ id }) => `${id} has no test`);
  const untiered = report.behaviours
    .filter(({ tier }) => !(tier in tiers))
    .map(({ id }) => `${id} has no tier`);
  const unexplained = report.behaviours
    .filter(({ source }) => !source.startsWith('§') && !(source in report.sources))
    .map(({ id, source }) => `${id} names ${source}, which nothing explains`);
  const readings = Object.keys(report.sources).map((id) => `reading.${id}`);
  const known = [...report.behaviours.map(({ id }) => id), ...readings];
  const idle = pins
    .filter((pin) => !known.some((id) => covers([pin], id).length > 0))
    .map(({ test }) => `${test} pins nothing`);
  const missing = pins.filter(({ test }) => !files.has(test)).map(({ test }) => `no test: ${test}`);
  return [...untested, ...untiered, ...unexplained, ...idle, ...missing];
}

function operations(contract: Node): Omit<Behaviour, 'tests'>[] {
  const paths = contract['paths'] as Readonly<Record<string, Record<string, Node>>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const name = textOf(operation, 'operationId');
      const also = operation['x-also'] as Node | undefined;
      return [
        ...(also === undefined ? [operation] : [operation, also]).map((one) =>
          behaviour(
            `operation.${textOf(one, 'operationId')}`,
            `${method.toUpperCase()} ${path}`,
            one,
          ),
        ),
        ...parameters(name, operation),
        ...answers(name, operation, contract),
      ];
    }),
  );
}

function parameters(operation: string, node: Node): Omit<Behaviour, 'tests'>[] {
  const given = (node['parameters'] ?? []) as readonly (Node & Known)[];
  return given.map((parameter) => {
    const name = textOf(parameter, 'name');
    return behaviour(`field.${operation}.${name}`, `${textOf(parameter, 'in')} ${name}`, parameter);
  });
}

function answers(operation: string, node: Node, contract: Node): Omit<Behaviour, 'tests'>[] {
  const responses = node['responses'] as Readonly<Record<string, Node>>;
  return Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, response]) => {
      const found = resolve(response, contract);
      const name = `${status} ${textOf(found, 'description')}`;
      return behaviour(`error.${operation}.${status}`, name, found);
    });
}

function fields(contract: Node): Omit<Behaviour, 'tests'>[] {
  const { schemas } = contract['components'] as {
    schemas: Readonly<Record<string, Node>>;
  };
  return Object.entries(schemas).flatMap(([name, schema]) => fieldsOf(schema, name));
}

function fieldsOf(node: unknown, path: string): Omit<Behaviour, 'tests'>[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap((one) => fieldsOf(one, path));
  return Object.entries(node as Node).flatMap(([key, value]) => {
    if (key !== 'properties') return fieldsOf(value, path);
    return Object.entries(value as Readonly<Record<string, Node & Known>>).flatMap(
      ([name, field]) => [
        behaviour(`field.${path}.${name}`, `${path}.${name}`, field),
        ...fieldsOf(field, `${path}.${name}`),
      ],
    );
  });
}

function behaviour(id: string, name: string, known: Known): Omit<Behaviour, 'tests'> {
  const { 'x-tier': tier = '', 'x-source': source = '' } = known;
  return { id, kind: kindOf(id), name, tier, source };
}

function kindOf(id: string): Behaviour['kind'] {
  const [kind] = id.split('.');
  return kind === 'operation' || kind === 'error' || kind === 'transition' ? kind : 'field';
}

function resolve(node: Node, contract: Node): Node & Known {
  const { $ref: reference } = node;
  if (typeof reference !== 'string') return node;
  return reference
    .split('/')
    .slice(1)
    .reduce<Node>((found, key) => found[key] as Node, contract);
}

function contradictions(contract: Node): Record<string, Partial<Source>> {
  const listed = contract['x-contradictions'] as Readonly<
    Record<string, { where: string; ours: string; reading: string; alternatives: string[] }>
  >;
  return Object.fromEntries(
    Object.entries(listed).map(([id, { where, ours, reading, alternatives }]) => [
      id,
      {
        item: where,
        tier: 'contradiction',
        reading: `Ours: ${ours}. ${reading}`,
        alternatives,
      },
    ]),
  );
}

function textOf(node: Node, name: string): string {
  const value = node[name];
  return typeof value === 'string' ? value : '';
}

function readData(name: string): unknown {
  return parse(readFileSync(new URL(name, import.meta.url), 'utf8'));
}
