/** A command that is made of steps: which of them are asked for, and what is said of each. */
import { parseArgs } from 'node:util';
import { type Ended, troubleOf } from './process.ts';

/** What a step says about itself: nothing to add, a remark, or the details of its failure. */
export type StepResult =
  | { readonly ok: true; readonly remark?: string }
  | { readonly ok: false; readonly details: string };

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
 * Runs one step and prints one line about it, with the details only where it failed. A step that
 * throws has failed; its error is the detail.
 */
export async function reportStep(
  name: string,
  work: () => Promise<StepResult>,
  print: (line: string) => void = console.log,
): Promise<StepResult> {
  const start = performance.now();
  const result = await work().catch((error: unknown): StepResult => {
    return { ok: false, details: error instanceof Error ? (error.stack ?? error.message) : '?' };
  });
  const seconds = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  if (result.ok) {
    print(`✓ ${name} (${result.remark === undefined ? '' : `${result.remark}, `}${seconds})`);
  } else {
    print(`✗ ${name} (${seconds})`);
    print(result.details.trimEnd().replaceAll(/^(?=.)/gm, '  '));
  }
  return result;
}

/** What a check found as a step's result: `remark` where that is nothing. */
export function foundResult(findings: readonly string[], remark: string): StepResult {
  return findings.length === 0 ? { ok: true, remark } : { ok: false, details: findings.join('\n') };
}

/** A child process's end as a step's result. */
export function endedResult(ended: Ended): StepResult {
  const details = troubleOf(ended);
  return details === undefined ? { ok: true } : { ok: false, details };
}
