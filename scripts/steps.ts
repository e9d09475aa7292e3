/** A command that is made of steps: which of them are asked for, and what is said of each. */
import { parseArgs } from 'node:util';
import { Trouble } from './process.ts';

/** A named piece of work and the line about it in `--help`. */
export interface Choice<Name extends string = string> {
  readonly name: Name;
  readonly about: string;
}

/** What the command line asks for; `text` goes to the terminal and then the program ends. */
export type Chosen<Name extends string> =
  | { readonly kind: 'run'; readonly names: ReadonlySet<Name> }
  | { readonly kind: 'help' | 'mistake'; readonly text: string };

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
    if (unknown !== undefined) throw new Error(`There is no step "${unknown}".`);
    return { kind: 'run', names: new Set((wanted as Name[] | undefined) ?? all) };
  } catch (error) {
    return { kind: 'mistake', text: `${(error as Error).message}\n\n${help}` };
  }
}

/**
 * Runs one step, which gives a remark or throws, and prints one line about it, with the details of a
 * failure.
 *
 * @returns whether it holds.
 */
export async function reportStep(
  name: string,
  work: () => Promise<string | void>,
  print: (line: string) => void = console.log,
): Promise<boolean> {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const remark = await work();
    print(`✓ ${name} (${remark === undefined ? '' : `${remark}, `}${seconds()})`);
    return true;
  } catch (error) {
    const { message, stack = message } = error as Error;
    print(`✗ ${name} (${seconds()})`);
    const details = error instanceof Trouble ? message : stack;
    print(details.trimEnd().replaceAll(/^(?=.)/gm, '  '));
    return false;
  }
}

/** What a check gives of its findings: the remark where there are none. @throws with them. */
export function judgeFindings(findings: readonly string[], remark: string): string {
  if (findings.length === 0) return remark;
  throw new Trouble(findings.join('\n'));
}
