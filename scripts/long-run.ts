import { parseArgs } from 'node:util';

/** Reads what follows `--name`, `undefined` where the option is not given. @throws where it is wrong. */
type Reader<Value> = (text: string | undefined, name: string) => Value;
type Readers<Values> = { readonly [Name in keyof Values]: Reader<Values[Name]> };
export type ValuesOf<Given> = Given extends Readers<infer Values> ? Values : never;

export const wholeNumber =
  <Usual extends number | undefined>(
    least: number,
    most: number,
    usual: Usual,
  ): Reader<number | Usual> =>
  (text, name) => {
    if (text === undefined) return usual;
    const value = Number(text);
    if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value;
    throw new Error(`--${name} must be a whole number from ${least} to ${most}.`);
  };

export function oneOf<Name extends string>(names: readonly Name[]): Reader<Name | undefined>;
export function oneOf<Name extends string>(names: readonly Name[], usual: Name): Reader<Name>;
export function oneOf(names: readonly string[], usual?: string): Reader<string | undefined> {
  return (text = usual, name) => {
    if (text === undefined || names.includes(text)) return text;
    throw new Error(`--${name} must be ${names.join(' or ')}.`);
  };
}

/**
 * Runs a command, whose work gives the code that it ends with. A command line with a mistake ends with
 * 2 and is answered with the place of the help.
 */
export async function runCommand<Values extends object>(
  help: string,
  readers: Readers<Values>,
  work: (values: Values) => Promise<number>,
  args: string[] = process.argv.slice(2),
): Promise<void> {
  const read = Object.entries<Reader<unknown>>(readers);
  const options = Object.fromEntries(read.map(([name]) => [name, { type: 'string' } as const]));
  let asked: Values;
  try {
    const { values } = parseArgs({
      args,
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
    if (values['help'] === true) return console.log(help);
    const given = values as Readonly<Record<string, string | undefined>>;
    const entries = read.map(([name, reader]) => [name, reader(given[name], name)]);
    asked = Object.fromEntries(entries) as Values;
  } catch (error) {
    const [command = ''] = /^npm run \w+ -- [\w-]+/.exec(help) ?? [];
    console.log(`${(error as Error).message}\n${command} --help says what is possible.`);
    process.exitCode = 2;
    return;
  }
  process.exitCode = await work(asked);
}

export const count = (value: number): string => value.toLocaleString('en');
