import { parseArgs } from 'node:util';
import { storeNames, type StoreName } from './our-payments.ts';

/** The options of all measurements; each takes some of them and has its own usual values. */
export interface Parameters {
  readonly only?: string;
  readonly payments?: number;
  readonly rate?: number;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly store?: StoreName;
}

const options: Readonly<Record<keyof Parameters, string>> = {
  only: 'measures one part only',
  payments: 'payments on each store',
  rate: 'forged webhooks a second',
  rounds: 'rounds of the measurement',
  seconds: 'seconds of each measurement',
  store: 'measures at one store only',
};

/** The description of a measurement, and the options that it takes. */
export interface Bench {
  readonly about: string;
  /** What `--only` takes. */
  readonly parts?: readonly string[];
  readonly takes: readonly (keyof Parameters)[];
}

/** What the command line asks for: a measurement, or a text for the terminal. */
type Asked<Name extends string> =
  | { readonly kind: 'run'; readonly name: Name; readonly parameters: Parameters }
  | { readonly kind: 'help' | 'mistake'; readonly text: string };

/** Reads `<name> [--option value]…`. */
export function readCommandLine<Name extends string>(
  benches: Readonly<Record<Name, Bench>>,
  [wanted = '--help', ...args]: readonly string[],
): Asked<Name> {
  const name = (Object.keys(benches) as Name[]).find((one) => one === wanted);
  const text = name === undefined ? listOf(benches) : helpOf(name, benches[name]);
  if (name === undefined) return { kind: wanted === '--help' ? 'help' : 'mistake', text };
  const bench = benches[name];
  try {
    const taken = bench.takes.map((option) => [option, { type: 'string' }] as const);
    const { values } = parseArgs({
      args: [...args],
      options: { ...Object.fromEntries(taken), help: { type: 'boolean' } },
    });
    if (values['help'] === true) return { kind: 'help', text };
    const parameters = Object.entries(values).map(([option, value]) => [
      option,
      valueOf(option as keyof Parameters, String(value), bench),
    ]);
    return { kind: 'run', name, parameters: Object.fromEntries(parameters) as Parameters };
  } catch (error) {
    return { kind: 'mistake', text: `${(error as Error).message}\n${text}` };
  }
}

/** The words that an option may be; any other takes a whole number. */
const wordsOf = (option: keyof Parameters, { parts }: Bench): readonly string[] | undefined =>
  ({ only: parts, store: storeNames })[option as string];

/** @throws when the option does not take it. */
function valueOf(option: keyof Parameters, text: string, bench: Bench): string | number {
  const words = wordsOf(option, bench);
  if (words?.includes(text) === true) return text;
  if (words === undefined && /^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new Error(`--${option} takes ${words?.join(' or ') ?? 'a whole number from 1 on'}.`);
}

const listOf = (benches: Readonly<Record<string, Bench>>): string =>
  [
    'npm run bench -- <name> [options]; --help after a name lists its options.',
    ...Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(11)}  ${about}`),
  ].join('\n');

const helpOf = (name: string, bench: Bench): string =>
  [
    `npm run bench -- ${name}: ${bench.about}`,
    ...bench.takes.map((option) => {
      const words = wordsOf(option, bench)?.join('|') ?? 'N';
      return `  --${option} ${words}  ${options[option]}`;
    }),
  ].join('\n');
