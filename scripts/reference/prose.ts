import { code, toHeading } from './markdown.ts';

/** Words that become links wherever they stand. */
export interface Links {
  readonly methods: ReadonlySet<string>;
  readonly errorCodes: ReadonlySet<string>;
}

const headings: Readonly<Record<string, string>> = {
  GatewayError: 'When a call fails',
  ConfigurationError: 'Wiring mistakes',
};

/** A doc comment's text as Markdown: its links and its error codes lead to where they are told of. */
export function prose(text: string, { methods, errorCodes }: Links): string {
  return text
    .replaceAll(/\{@link (?:\w+\.)?(\w+)\}/g, (_all, name: string) => {
      const heading = headings[name];
      if (heading !== undefined) return toHeading(heading, code(name));
      return methods.has(name) ? toHeading(name, code(name)) : code(name);
    })
    .replaceAll(/\bX\d\b/g, (source) => toHeading('Contradictions', source))
    .replaceAll(/(?<!\[)`([a-z_]+)`/g, (all, name: string) =>
      errorCodes.has(name) ? errorLink(name) : all,
    );
}

/** A code, leading to its entry. */
export const errorLink = (name: string): string => `[\`${name}\`](../errors.md#${name})`;

/** A tier and its source: a section, a contradiction (which this page tells of) or an assumption. */
export function tierText(tier: string, source: string): string {
  return `${tier}, ${source.startsWith('X') ? toHeading('Contradictions', source) : source}`;
}
