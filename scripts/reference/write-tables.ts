import {
  operations,
  type Operation,
  type OperationName,
} from '../../packages/server-helper/src/gateway/operations.ts';
import type { ClientModel } from './client-model.ts';
import { code, table, toHeading } from './markdown.ts';
import { errorLink, prose, type Links } from './prose.ts';
import type { Contract } from './read-contract.ts';
import type { ErrorEntry } from './read-errors.ts';

/** The client's operations in the specification's order. */
export const operationNames = Object.keys(operations) as OperationName[];

/** Groups of operations by what the contract calls them, each in the specification's order. */
export function groupsOf({ tags, operations: wire }: Contract) {
  return tags.map(({ name, description }) => ({
    name,
    description,
    methods: operationNames.filter((method) => wire.get(method)?.tag === name),
  }));
}

/** The specification's 18 operations; it counts create-payment-link in two of its groups. */
export function operationsTable(contract: Contract): string {
  const rows = groupsOf(contract).flatMap(({ name: group, methods }) => {
    const own = methods.map((name) => operationRow(name, contract));
    const again = toHeading('createPaymentLink', '`createPaymentLink`');
    const same = [
      again,
      'Payment Link: the same operation as Checkout’s, number 1.',
      '',
      '',
      '',
      '',
    ];
    return group === 'Embedded' ? [...own, same] : own;
  });
  return table(
    ['#', 'method', 'does', 'HTTP', 'credential', 'how firmly known', '§'],
    rows.map((row, index) => [String(index + 1), ...row]),
  );
}

function operationRow(name: OperationName, contract: Contract): readonly string[] {
  const { method, path, credential, tier, section }: Operation = operations[name];
  return [
    toHeading(name, code(name)),
    contract.operations.get(name)?.summary ?? '',
    code(`${method} ${path}`),
    credential === 'apiKey' ? 'API key' : 'portal',
    tier,
    section,
  ];
}

/** Every code of a failed call, and what it says of the money. */
export function errorTable(
  codes: readonly string[],
  entries: ReadonlyMap<string, ErrorEntry>,
): string {
  const rows = codes.toSorted().map((name) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`docs/errors.md has no entry ${name}.`);
    return [errorLink(name), linksFromHere(entry.meaning), linksFromHere(entry.money)];
  });
  return table(['code', 'meaning', 'money'], rows);
}

/** Entries link to each other on their own page. */
const linksFromHere = (text: string): string => text.replaceAll('](#', '](../errors.md#');

/** The codes that a doc comment says are thrown at start, with their meanings. */
export function wiringTable(
  { creation }: ClientModel,
  entries: ReadonlyMap<string, ErrorEntry>,
): string {
  const codes = [...(creation.tags.get('throws') ?? '').matchAll(/`([a-z_]+)`/g)];
  const rows = codes.map(([, name = '']) => {
    const entry = entries.get(name);
    if (entry === undefined) throw new Error(`docs/errors.md has no entry ${name}.`);
    return [errorLink(name), linksFromHere(entry.meaning)];
  });
  return table(['code', 'meaning'], rows);
}

/** What each outcome says, from the type's own comment. */
export function outcomesTable({ outcomes }: ClientModel, links: Links): string {
  const [, list = ''] = outcomes.text.split(/: (?=`)/);
  const rows = list.split(' · ').map((part) => {
    const { name = '', meaning = '' } =
      /^`(?<name>[^`]+)` (?<meaning>.*)$/s.exec(part)?.groups ?? {};
    return [code(name), prose(meaning.replace(/\.$/, ''), links)];
  });
  return table(['outcome', 'meaning'], rows);
}

/** Operations whose path may be another one. */
export function overridesTable({ operations: wire, contradictions }: Contract): string {
  const rows = operationNames
    .filter((name) => operations[name].tier !== 'spec')
    .map((name) => {
      const source = wire.get(name)?.source ?? '';
      const others = contradictions[source]?.alternatives.filter((path) => path.startsWith('/'));
      const { path, tier } = operations[name];
      return [toHeading(name, code(name)), code(path), (others ?? []).map(code).join(', '), tier];
    });
  return table(['method', 'default', 'also circulates', 'how firmly known'], rows);
}

/** Where the specification says two things. */
export function contradictionsTable({ contradictions }: Contract): string {
  return table(
    ['', 'where', 'ours', 'the other reading', 'so'],
    Object.entries(contradictions).map(([name, { where, ours, alternatives, reading }]) => [
      name,
      where,
      ours,
      alternatives.join('; '),
      reading,
    ]),
  );
}
