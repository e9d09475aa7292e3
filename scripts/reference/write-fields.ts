import type { Field } from './client-model.ts';
import { code, table } from './markdown.ts';
import { prose, tierText, type Links } from './prose.ts';
import type { WireField } from './read-contract.ts';

const typeOf = ({ type }: Field): string =>
  type === 'AmountInput' ? '[`AmountInput`](#amounts)' : code(type);

/** What is given: whether it must be there, and what is taken where it is not. */
export function inputTable(fields: readonly Field[], links: Links): string {
  return table(
    ['field', 'type', 'needed', 'meaning'],
    fields.map((field) => [
      code(field.name),
      typeOf(field),
      field.isOptional ? 'no' : 'yes',
      [prose(field.text, links), defaultText(field)].filter(Boolean).join(' '),
    ]),
  );
}

function defaultText({ defaultValue }: Field): string {
  return defaultValue === undefined ? '' : `Default: ${defaultValue}.`;
}

/** What is got. */
export function resultTable(fields: readonly Field[], links: Links): string {
  return table(
    ['field', 'type', 'meaning'],
    fields.map((field) => [
      code(field.name),
      `${typeOf(field)}${field.isOptional ? ', may be absent' : ''}`,
      prose(field.text, links),
    ]),
  );
}

/** Fields in the gateway's spelling, and how firmly each is known. */
export function wireTable(fields: readonly WireField[]): string {
  return table(
    ['field', 'type', 'always there', 'how firmly known', 'meaning'],
    fields.map(({ name, type, isRequired, tier, source, text }) => [
      code(name),
      code(type),
      isRequired ? 'yes' : 'no',
      tierText(tier, source),
      text,
    ]),
  );
}
