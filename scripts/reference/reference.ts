import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import {
  operations,
  type OperationName,
} from '../../packages/server-helper/src/gateway/operations.ts';
import { localBinary } from '../process/local-binary.ts';
import { root } from '../process/root.ts';
import type { ClientModel } from './client-model.ts';
import { anchorOf, code, toHeading } from './markdown.ts';
import type { Links } from './prose.ts';
import { readClient } from './read-client.ts';
import { readContract, type Contract } from './read-contract.ts';
import { readErrors } from './read-errors.ts';
import { inputTable, resultTable } from './write-fields.ts';
import { methodSection } from './write-method.ts';
import {
  contradictionsTable,
  errorTable,
  groupsOf,
  operationsTable,
  outcomesTable,
  overridesTable,
  wiringTable,
} from './write-tables.ts';

/** Where the reference stands, from the repository's top. */
export const referencePath = 'docs/reference/gateway-client.md';

/**
 * Makes the reference of the gateway client: the words of `page.txt`, with what the types, their
 * comments, the table of operations, the contract and `docs/errors.md` say put in.
 *
 * @throws when one of them lacks what the reference needs, such as a field's comment.
 */
export function makeReference(): string {
  const client = readClient();
  const contract = readContract();
  const page = readFileSync(new URL('./page.txt', import.meta.url), 'utf8');
  const parts = partsOf(client, contract, page);
  const filled = page.replaceAll(/^\{\{(\w+)\}\}$/gm, (_all, name: string) => {
    const part = parts[name];
    if (part === undefined) throw new Error(`There is no part ${name}.`);
    return part;
  });
  return formatted(filled);
}

function partsOf(
  client: ClientModel,
  contract: Contract,
  page: string,
): Readonly<Record<string, string>> {
  const entries = readErrors();
  const links: Links = {
    methods: new Set(Object.keys(operations)),
    errorCodes: new Set(client.errorCodes),
  };
  return {
    contents: contents(contract, page),
    operations: operationsTable(contract),
    options: inputTable(client.options, links),
    wiring: wiringTable(client, entries),
    callOptions: inputTable(client.callOptions, links),
    outcomes: outcomesTable(client, links),
    errorFields: resultTable(client.errorFields, links),
    errors: errorTable(client.errorCodes, entries),
    methods: groupsOf(contract)
      .map(({ name, description, methods }) => {
        const sections = methods.map((method) => sectionOf(method, client, contract, links));
        return [`## ${name}`, description, ...sections].join('\n\n');
      })
      .join('\n\n'),
    overrides: inputTable(client.overrides, links),
    paths: overridesTable(contract),
    contradictions: contradictionsTable(contract),
  };
}

function sectionOf(
  name: OperationName,
  { methods }: ClientModel,
  { operations: wire, contradictions }: Contract,
  links: Links,
): string {
  const [method, stated] = [methods.get(name), wire.get(name)];
  if (method === undefined || stated === undefined) throw new Error(`${name} is nowhere stated.`);
  return methodSection(
    { method, operation: operations[name], wire: stated, contradictions },
    links,
  );
}

/** The page's own headings, and the methods where they stand. */
function contents(contract: Contract, page: string): string {
  const groups = groupsOf(contract).map(
    ({ name, methods }) =>
      `- ${toHeading(name)}: ${methods.map((method) => toHeading(method, code(method))).join(', ')}`,
  );
  const lines = page.split('\n').flatMap((line) => {
    if (line === '{{methods}}') return groups;
    const heading = /^## (.*)$/.exec(line)?.[1];
    return heading === undefined || heading === 'Contents'
      ? []
      : [`- [${heading}](${anchorOf(heading)})`];
  });
  return lines.join('\n');
}

/** As `npm run format` writes it, so that the page is the same after it. */
function formatted(text: string): string {
  const ended = spawnSync(
    process.execPath,
    [localBinary('oxfmt', 'oxfmt'), `--stdin-filepath=${referencePath}`],
    { input: text, cwd: root, encoding: 'utf8', timeout: 60_000 },
  );
  if (ended.status !== 0) throw new Error(`The formatter failed:\n${ended.stderr}`);
  return ended.stdout;
}
