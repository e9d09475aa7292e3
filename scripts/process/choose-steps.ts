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
  const help = helpText(command, purpose, choices);
  let values: { only?: string[] | undefined; help?: boolean | undefined };
  try {
    ({ values } = parseArgs({
      args: [...parameters],
      options: {
        only: { type: 'string', multiple: true },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    return { kind: 'mistake', text: `${(error as Error).message}\n\n${help}` };
  }
  if (values.help === true) return { kind: 'help', text: help };
  if (values.only === undefined) {
    return { kind: 'run', names: new Set(choices.map((choice) => choice.name)) };
  }
  const names = new Set<Name>();
  for (const wanted of values.only.flatMap((list) => list.split(','))) {
    const choice = choices.find((candidate) => candidate.name === wanted.trim());
    if (choice === undefined) {
      return { kind: 'mistake', text: `There is no step "${wanted}".\n\n${help}` };
    }
    names.add(choice.name);
  }
  return { kind: 'run', names };
}

function helpText(command: string, purpose: string, choices: readonly Choice[]): string {
  const width = Math.max(...choices.map((choice) => choice.name.length));
  const rows = choices.map((choice) => `  ${choice.name.padEnd(width)}  ${choice.about}`);
  return [
    `${command}: ${purpose}`,
    '',
    'Steps, in this order:',
    ...rows,
    '',
    `${command} -- --only ${choices[0]?.name ?? 'name'}   runs only the named steps (a comma between several)`,
    `${command} -- --help`,
  ].join('\n');
}
