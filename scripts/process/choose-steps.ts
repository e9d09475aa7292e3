import { parseArgs } from 'node:util';

/** A named piece of work and the line about it in `--help`. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly about: string;
}

/** What the command line asks for; `text` goes to the terminal and then the program ends. */
export type Chosen<Name extends string> =
  | { readonly kind: 'run'; readonly names: ReadonlySet<Name> }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'mistake'; readonly text: string };

/**
 * Reads `--only a,b` (may be repeated) and `--help`. Without `--only` every choice is taken.
 * An unknown name or switch is a mistake that lists what there is.
 */
export function chooseSteps<Name extends string>(
  command: string,
  purpose: string,
  choices: readonly Choice<Name>[],
  parameters: readonly string[],
): Chosen<Name> {
  const width = Math.max(...choices.map(({ name }) => name.length));
  const help = [
    `${command}: ${purpose}\n`,
    'Steps, in this order:',
    ...choices.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
    `\n${command} -- --only ${choices[0]?.name ?? 'name'}   runs only the named steps (a comma between several)`,
    `${command} -- --help`,
  ].join('\n');
  const mistake = (text: string) => ({ kind: 'mistake', text: `${text}\n\n${help}` }) as const;
  const options = {
    only: { type: 'string', multiple: true },
    help: { type: 'boolean', short: 'h' },
  } as const;
  try {
    const { values } = parseArgs({ args: [...parameters], options });
    if (values.help === true) return { kind: 'help', text: help };
    const all = choices.map(({ name }) => name);
    const wanted = values.only?.flatMap((list) => list.split(',').map((one) => one.trim()));
    const unknown = wanted?.find((one) => !all.includes(one as Name));
    if (unknown !== undefined) return mistake(`There is no step "${unknown}".`);
    return { kind: 'run', names: new Set((wanted as Name[] | undefined) ?? all) };
  } catch (error) {
    return mistake((error as Error).message);
  }
}
