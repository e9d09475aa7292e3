/** A command that is made of steps: which of them are asked for, and what is said of each. */
import { parseArgs } from 'node:util';
import { Trouble } from './process.ts';

/** A named piece of work and the line about it in `--help`. */
interface Choice {
  readonly name: string;
  readonly about: string;
}

/**
 * Reads `--only a,b` (may be repeated) and `--help`. Without `--only` every choice is taken.
 *
 * @returns what is chosen, or the text of the help.
 * @throws with what there is, for an unknown name or switch.
 */
export function chooseSteps<Step extends Choice>(
  command: string,
  purpose: string,
  choices: readonly Step[],
  parameters: readonly string[],
): readonly Step[] | string {
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
    if (values.help === true) return help;
    const wanted = values.only?.flatMap((list) => list.split(',').map((one) => one.trim()));
    const unknown = wanted?.find((one) => !choices.some(({ name }) => name === one));
    if (unknown !== undefined) throw new Error(`There is no step "${unknown}".`);
    return choices.filter(({ name }) => wanted?.includes(name) ?? true);
  } catch (error) {
    throw new Trouble(`${(error as Error).message}\n\n${help}`);
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
