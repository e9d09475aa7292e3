import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { root } from '../../scripts/process.ts';
import { type Known, readContract } from '../contract-document.ts';

/** One thing that the sandbox does, how firmly it is known, and what holds it to that. */
interface Behaviour {
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
interface Fidelity {
  readonly tiers: Readonly<Record<string, string>>;
  readonly sources: Readonly<Record<string, Source>>;
  readonly behaviours: readonly Behaviour[];
}

/** A test, as `file > title`, and the ids of the behaviours that it holds the sandbox to. */
interface Pin {
  readonly test: string;
  /** `*` stands for any text. */
  readonly ids: readonly string[];
}

/** Where the published package carries the report. */
export const fidelityPath = join(root, 'packages/gateway-sandbox/assets/fidelity.json');

/** Where the published helper carries what each open point is about, for the table of first-contact. */
export const openPointsPath = join(
  root,
  'packages/server-helper/src/cli/first-contact/open-points.json',
);

/** The schema of a gateway's profile, and its copies in the published packages. */
export const profileSchema = join(root, 'contract/gateway-profile.schema.json');
export const profileSchemaCopies = [
  join(root, 'packages/gateway-sandbox/assets/gateway-profile.schema.json'),
  join(root, 'packages/server-helper/gateway-profile.schema.json'),
];

interface Schema {
  readonly $ref?: string;
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Every place of a gateway's profile, such as `login` and `login.path`, as its schema has them. */
export function profilePlaces(): readonly string[] {
  const { $defs, ...whole } = JSON.parse(readFileSync(profileSchema, 'utf8')) as Schema & {
    readonly $defs: Readonly<Record<string, Schema>>;
  };
  const placesBelow = (
    { $ref = '', allOf = [], properties = {} }: Schema,
    path: string,
  ): string[] => {
    const named = $defs[$ref.replace('#/$defs/', '')] ?? {};
    const parts = $ref === '' ? allOf : [...allOf, named];
    const own = Object.entries(properties).flatMap(([name, inner]) => {
      return [`${path}${name}`, ...placesBelow(inner, `${path}${name}.`)];
    });
    return [...own, ...parts.flatMap((part) => placesBelow(part, path))];
  };
  return placesBelow(whole, '').filter((place) => !/^(?:\$schema|name)$/.test(place));
}

const tiers = {
  spec: 'The specification states it.',
  contradiction: 'The specification states it twice, differently.',
  analogue: 'Gateways of the same family document it so.',
  assumed: 'The most conventional choice.',
} as const;

/** The whole report, made from the contract, the readings and the pins. */
export function buildFidelity(pins: readonly Pin[] = readPins()): Fidelity {
  const all = [...operations(), ...fieldsOf(readContract().components.schemas), ...transitions()];
  const once = [...new Map(all.map((one) => [one.id, one])).values()];
  const behaviours = once.map((one) => ({ ...one, tests: testsOf(pins, one.id) }));
  return { tiers, sources: sourcesOf(behaviours, pins), behaviours };
}

/** The report as a file: a line for each behaviour, so that a change can be read. */
export function fidelityText(): string {
  const { sources, behaviours } = buildFidelity();
  const lines = behaviours.map((one) => JSON.stringify(one)).join(',\n');
  const head = `"tiers":${JSON.stringify(tiers)},\n"sources":${JSON.stringify(sources)}`;
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

/** The faults of the report: a behaviour without a test, a pin of nothing, an unexplained source. */
export function fidelityFaults(report: Fidelity, pins: readonly Pin[]): readonly string[] {
  const readings = Object.keys(report.sources).map((id) => `reading.${id}`);
  const known = [...report.behaviours.map(({ id }) => id), ...readings];
  const ofBehaviours = report.behaviours.flatMap(({ id, tier, source, tests }) => [
    ...(tests.length === 0 ? [`${id} has no test`] : []),
    ...(tier in tiers ? [] : [`${id} has no tier`]),
    ...(source.startsWith('§') || source in report.sources
      ? []
      : [`${id} names ${source}, which nothing explains`]),
  ]);
  const idle = pins.flatMap(({ test, ids }) =>
    ids
      .filter((pin) => !known.some((id) => isPinned(pin, id)))
      .map((pin) => `${test} pins ${pin}, which there is not`),
  );
  return [...ofBehaviours, ...idle];
}

/** A comment `// Pins: operation.refund, field.RefundData.*`, and the title of the test below it. */
const pinned =
  /^ *\/\/ Pins: (.*(?:\n *\/\/ .*)*)\n *(?:it|test)(?:\.\w+)*(?:\([\s\S]*?\))??\(\s*(?:'((?:[^'\\\n]|\\.)*)'|`([^`]*)`)/gm;

/** The pins of all tests; they stand above the test, so that both change together. */
export function readPins(): readonly Pin[] {
  const files = globSync(['contract/**/*.test.ts', 'packages/gateway-sandbox/src/**/*.test.ts'], {
    cwd: root,
  });
  return files.toSorted().flatMap((file) => {
    const found = readFileSync(join(root, file), 'utf8').matchAll(pinned);
    return [...found].map(([, ids = '', plain, template]) => ({
      test: `${file} > ${plain ?? template ?? ''}`,
      ids: ids.replaceAll(/\n *\/\/ /g, ' ').split(', '),
    }));
  });
}

const testsOf = (pins: readonly Pin[], id: string): readonly string[] =>
  pins.filter(({ ids }) => ids.some((pin) => isPinned(pin, id))).map(({ test }) => test);

function isPinned(pin: string, id: string): boolean {
  const parts = pin.split('*').map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('.*')}$`).test(id);
}

type Untested = Omit<Behaviour, 'tests'>;

const behaviour = (
  kind: Behaviour['kind'],
  id: string,
  name: string,
  { 'x-tier': tier = '', 'x-source': source = '' }: Partial<Known>,
): Untested => ({ id: `${kind}.${id}`, kind, name, tier, source });

/** Each operation, with its parameters and its refusals. */
function operations(): readonly Untested[] {
  const { paths, components } = readContract();
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, one]) => [`${method.toUpperCase()} ${path}`, one] as const,
    ),
  );
  return calls.flatMap(([call, operation]) => {
    const { operationId, 'x-also': also, parameters = [], responses } = operation;
    const refusals = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    return [
      behaviour('operation', operationId, call, operation),
      ...(also === undefined ? [] : [behaviour('operation', also.operationId, call, also)]),
      ...parameters.map((one) =>
        behaviour('field', `${operationId}.${one.name}`, `${one.in} ${one.name}`, one),
      ),
      ...refusals.map(([status, given]) => {
        const answer = components.responses[given.$ref?.split('/').at(-1) ?? ''] ?? given;
        const name = `${status} ${answer.description}`;
        return behaviour('error', `${operationId}.${status}`, name, answer);
      }),
    ];
  });
}

/** Every field of the contract's schemas, by the names on the way to it. */
function fieldsOf(node: unknown, path = ''): readonly Untested[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) => {
    if (key !== 'properties') return fieldsOf(value, path === '' ? key : path);
    return Object.entries(value as Readonly<Record<string, Known>>).flatMap(([name, field]) => [
      behaviour('field', `${path}.${name}`, `${path}.${name}`, field),
      ...fieldsOf(field, `${path}.${name}`),
    ]);
  });
}

function transitions(): readonly Untested[] {
  const rows = readData('transitions.yaml') as Readonly<Record<string, [string, string, string]>>;
  return Object.entries(rows).map(([id, [tier, source, name]]) => {
    const [kind = '', ...rest] = id.split('.');
    const known = { 'x-tier': tier, 'x-source': source };
    return behaviour(kind as Behaviour['kind'], rest.join('.'), name, known);
  });
}

/** What the contract says twice of an assumption. */
const nothing = { where: '', ours: '', reading: '', alternatives: [] };

/** Every open point, with the tests of the behaviours that follow from it and of its other readings. */
function sourcesOf(behaviours: readonly Behaviour[], pins: readonly Pin[]): Fidelity['sources'] {
  const contradictions = readContract()['x-contradictions'];
  const listed = readData('assumptions.yaml') as Readonly<Record<string, Partial<Source>>>;
  const entries = Object.entries(listed).map(([id, given]) => {
    const followed = behaviours.filter(({ source }) => source === id).flatMap(({ tests }) => tests);
    const tests = [...new Set([...testsOf(pins, `reading.${id}`), ...followed])];
    const { where: item, ours, reading, alternatives } = contradictions[id] ?? nothing;
    const found = {
      item,
      tier: 'contradiction',
      reading: `Ours: ${ours}. ${reading}`,
      alternatives,
    };
    return [id, { ...found, policies: [], profile: [], whyNot: null, ...given, tests }] as const;
  });
  return Object.fromEntries(entries);
}

function readData(name: string): unknown {
  return parse(readFileSync(join(root, 'contract/fidelity', name), 'utf8'));
}
