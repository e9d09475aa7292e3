import { parseArgs } from 'node:util';
import { storeNames, type StoreName } from './engine/names.ts';

/** The options of all measurements; each takes some of them and has its own usual values. */
export interface Parameters {
  readonly only?: string;
  readonly payments?: number;
  readonly rate?: number;
  readonly rounds?: number;
  readonly seconds?: number;
  readonly store?: StoreName;
}

/** The description of a measurement, the names of its parts and of the options that it takes. */
interface Bench {
  readonly about: string;
  readonly parts?: readonly string[];
  readonly takes: readonly (keyof Parameters)[];
}

/** The command line, read; `text` goes to the terminal, and then the program ends. */
type Asked<Name extends string> =
  | { readonly kind: 'run'; readonly name: Name; readonly parameters: Parameters }
  | { readonly kind: 'help' | 'mistake'; readonly text: string };

/** An option with words takes one of them, any other option a whole number. */
const options: Readonly<
  Record<keyof Parameters, { readonly about: string; readonly words?: readonly string[] }>
> = {
  only: { about: 'measures one part only' },
  payments: { about: 'payments on each store' },
  rate: { about: 'forged webhooks a second' },
  rounds: { about: 'rounds of the measurement' },
  seconds: { about: 'seconds of each measurement' },
  store: { about: 'measures at one store only', words: storeNames },
};

/** The words that an option of a bench may be, where it takes words. */
const wordsOf = (option: keyof Parameters, { parts }: Bench): readonly string[] | undefined =>
  option === 'only' ? parts : options[option].words;

const COMMAND = 'npm run bench --';

/** Reads `<name> [--option value]…`. A mistake is answered by one line that says what is possible. */
export function readCommandLine<Name extends string>(
  benches: Readonly<Record<Name, Bench>>,
  [wanted = '--help', ...args]: readonly string[],
): Asked<Name> {
  if (wanted === '--help' || wanted === '-h') return { kind: 'help', text: listOf(benches) };
  const names = Object.keys(benches) as Name[];
  const name = names.find((one) => one === wanted);
  if (name === undefined) {
    const text = `There is no bench ${JSON.stringify(wanted)}: the name is one of ${names.join(', ')}. ${COMMAND} --help says what each measures.`;
    return { kind: 'mistake', text };
  }
  const bench = benches[name];
  try {
    const { help, ...given } = parse(args, bench);
    if (help === true) return { kind: 'help', text: helpOf(name, bench) };
    const values = Object.entries(given).map(([option, text]) => [
      option,
      valueOf(option as keyof Parameters, String(text), bench),
    ]);
    return { kind: 'run', name, parameters: Object.fromEntries(values) as Parameters };
  } catch (error) {
    // Node adds advice about arguments that begin with a hyphen, which no bench takes.
    const [what = ''] = (error as Error).message.split(/\.?\n|\. /);
    const taken = bench.takes.map((option) => `--${option}`).join(', ') || 'no options';
    const text = `${what}. ${name} takes ${taken}; ${COMMAND} ${name} --help says more.`;
    return { kind: 'mistake', text };
  }
}

/** @throws when an option is unknown, has no value, or is no option. */
function parse(args: readonly string[], { takes }: Bench) {
  const taken = Object.fromEntries(takes.map((option) => [option, { type: 'string' } as const]));
  return parseArgs({
    args: [...args],
    options: { ...taken, help: { type: 'boolean', short: 'h' } },
  }).values;
}

/** @throws when the option does not take it. */
function valueOf(option: keyof Parameters, text: string, bench: Bench): string | number {
  const words = wordsOf(option, bench);
  if (words === undefined ? /^[1-9]\d{0,8}$/.test(text) : words.includes(text)) {
    return words === undefined ? Number(text) : text;
  }
  const possible = words?.join(' or ') ?? 'a whole number from 1 on';
  throw new Error(`--${option} takes ${possible}, not ${JSON.stringify(text)}`);
}

const listOf = (benches: Readonly<Record<string, Bench>>): string =>
  [
    `${COMMAND} <name> [options]`,
    ...Object.entries(benches).map(([name, { about }]) => `  ${name.padEnd(11)}  ${about}`),
    `${COMMAND} <name> --help lists the options of one.`,
  ].join('\n');

const helpOf = (name: string, bench: Bench): string =>
  [
    `${COMMAND} ${name}${bench.takes.length > 0 ? ' [options]' : ''}`,
    `  ${bench.about}`,
    ...bench.takes.map((option) => {
      const words = wordsOf(option, bench)?.join('|') ?? 'N';
      return `  --${option} ${words}  ${options[option].about}`;
    }),
  ].join('\n');
