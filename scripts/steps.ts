/** A command that is made of steps: which of them are asked for, and what is said of each. */
import { Trouble } from './process.ts';

/** A named piece of work and the line about it in `--help`. */
interface Choice {
  readonly name: string;
  readonly about: string;
}

/** What every such command takes, for `parseArgs`: `--only a,b`, which may be repeated, and `--help`. */
export const stepOptions = {
  only: { type: 'string', multiple: true },
  help: { type: 'boolean', short: 'h' },
} as const;

const listOf = (choices: readonly Choice[]): string => {
  const width = Math.max(...choices.map(({ name }) => name.length));
  return choices.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`).join('\n');
};

export const helpOf = (command: string, purpose: string, choices: readonly Choice[]): string =>
  `${command}: ${purpose}

Steps, in this order:
${listOf(choices)}

${command} -- --only ${choices[0]?.name ?? 'name'}   runs only the named steps (a comma between several)`;

/** The named steps; all of them where none is named. @throws with what there is, for an unknown name. */
export function chooseSteps<Step extends Choice>(
  choices: readonly Step[],
  only: readonly string[] | undefined,
): readonly Step[] {
  const wanted = only?.flatMap((list) => list.split(',').map((one) => one.trim()));
  const unknown = wanted?.find((one) => !choices.some(({ name }) => name === one));
  if (unknown === undefined) return choices.filter(({ name }) => wanted?.includes(name) ?? true);
  throw new Trouble(`There is no step "${unknown}". There are:\n${listOf(choices)}`);
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
