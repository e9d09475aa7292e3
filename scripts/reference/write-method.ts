import { MAX_SENDS } from '../../packages/server-helper/src/gateway/meaning.ts';
import type { Operation } from '../../packages/server-helper/src/gateway/operations.ts';
import type { Method } from './client-model.ts';
import { code, fenced, folded, toHeading } from './markdown.ts';
import { prose, tierText, type Links } from './prose.ts';
import type { Contradiction, WireOperation } from './read-contract.ts';
import { inputTable, resultTable, wireTable } from './write-fields.ts';

/** All that is known of one operation. */
export interface OperationPage {
  readonly method: Method;
  readonly operation: Operation;
  readonly wire: WireOperation;
  readonly contradictions: Readonly<Record<string, Contradiction>>;
}

/** What stands before an example, so that it compiles by itself. */
const prelude = `import type { GatewayClient } from '@pay-button/server-helper';

declare const client: GatewayClient; // As createGatewayClient makes it.
`;

/** The section of one method. */
export function methodSection(page: OperationPage, links: Links): string {
  const { method, wire } = page;
  const { text, tags } = method.comment;
  const parts = [
    `### ${method.name}`,
    prose(text, links),
    fenced('ts', method.signature),
    facts(page),
    ...takes(method, links),
    ...gives(method, links),
    '**Fails**',
    fails(tags.get('throws') ?? '', links),
    '**Example**',
    fenced('ts complete', `${prelude}\n${tags.get('example') ?? missing(method, 'example')}`),
    folded('On the wire, and how firmly each field is known', onTheWire(wire)),
  ];
  return parts.join('\n\n');
}

function facts({ method, operation, wire, contradictions }: OperationPage): string {
  const { credential, mayRetry, path, tier, section } = operation;
  const lines = [
    `**HTTP**: ${code(`${operation.method} ${path}`)}, answered ${wire.answer.status}`,
    `**Credential**: ${credentials[credential]}`,
    `**Sent again by itself**: ${mayRetry ? asked : moved[credential]}`,
    `**How firmly known**: ${known(tier, wire.source)}; section ${section} of the specification`,
    `**Another path**: ${otherPath(method.name, operation, contradictions[wire.source])}`,
  ];
  return lines.map((line) => `- ${line}`).join('\n');
}

const known = (tier: string, source: string): string =>
  source.startsWith('§') ? tier : tierText(tier, source);

const credentials = {
  apiKey: 'API key, in `x-api-key`',
  portal: 'portal token, in `Authorization`; the client logs in by itself',
} as const;

const asked = `yes, it only asks: up to ${MAX_SENDS} times in all, after a lost connection, 429, 502, 503 and 504`;
const moved = {
  apiKey: 'never, except after a 401 with the next API key',
  portal: 'never, except after a 401 with a new token',
} as const;

function otherPath(
  name: string,
  { tier, path }: Operation,
  contradiction: Contradiction | undefined,
): string {
  if (tier === 'spec') return 'none, the specification states it plainly';
  const other = contradiction?.alternatives.find((alternative) => alternative.startsWith('/'));
  const value = other ?? (path.includes('{id}') ? '/…/{id}' : '/…');
  const override = `overrides: { paths: { ${name}: '${value}' } }`;
  return `${code(override)} (${toHeading('Overrides', 'more')})`;
}

function takes({ input }: Method, links: Links): readonly string[] {
  if (input === null) return ['**Takes** nothing but [options](#options-of-a-call).'];
  const tables = input.choices.map((fields) => inputTable(fields, links));
  const either = tables.length > 1 ? ' one of these' : '';
  return [`**Takes**${either}`, tables.join('\n\nor\n\n')];
}

function gives({ result }: Method, links: Links): readonly string[] {
  if (result === null) return ['**Gives** nothing; it is done when the promise resolves.'];
  const name = /^\w+$/.test(result.type) ? ` ${code(result.type)}` : '';
  return [`**Gives**${name}`, resultTable(result.fields, links)];
}

function fails(thrown: string, links: Links): string {
  const text = prose(thrown.replace(/^\{@link GatewayError\}\s*/, ''), links);
  return `${text} Besides, as ${toHeading('When a call fails', 'every call')} may.`.trim();
}

function onTheWire({ request, answer }: WireOperation): string {
  const sent = request.length === 0 ? 'Nothing is sent.' : `Sent:\n\n${wireTable(request)}`;
  const got = answer.fields.length === 0 ? 'has no body.' : `:\n\n${wireTable(answer.fields)}`;
  return `${sent}\n\nThe answer, ${answer.status}${got.startsWith(':') ? '' : ', '}${got}`;
}

function missing({ name }: Method, what: string): never {
  throw new Error(`The doc comment of ${name} has no ${what}.`);
}
