import { readFileSync } from 'node:fs';
import { parseArgs, parseEnv, type ParseArgsOptionsConfig } from 'node:util';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { packageVersion } from '../package-version.ts';
import { adviceOf, databaseErrorIn } from '../stores/database-error.ts';
import type { Environs } from '../options/settings-from-env.ts';
import { type Command, type Source, textOf, UsageError, type Values } from './command.ts';
import { helpTexts } from './help.ts';
import { Terminal, type Sink } from './terminal.ts';

/** The arguments and dependencies of the program. */
export interface CliParts {
  readonly args: readonly string[];
  readonly env: Environs;
  readonly out: Sink;
  readonly err: Sink;
  /** Where a person types; without it nobody is asked. */
  readonly input?: Source | undefined;
}

const USED_WRONGLY = 2;

/** Each is loaded when it is run, so that help and mistakes are shown at once. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['doctor', async () => (await import('./doctor/doctor.ts')).doctor],
  ['first-contact', async () => (await import('./first-contact/first-contact.ts')).firstContact],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcile],
  ['explain', async () => (await import('./explain.ts')).explainOrder],
  ['archive', async () => (await import('./archive.ts')).archive],
  ['review', async () => (await import('./review.ts')).review],
]);

const commonOptions = {
  'env-file': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

/** Runs one command. @returns the exit code: 0 well, 1 something was found, 2 used wrongly. */
export async function runCli({ args, env, out, err, input }: CliParts): Promise<number> {
  const terminal = new Terminal(out, err, (env['NO_COLOR'] ?? '') !== '');
  const name = args.find((arg) => commands.has(arg)) ?? args.find((arg) => /^\w/.test(arg)) ?? '';
  try {
    if (args.includes('--help') && !args.includes('--version')) {
      return print(terminal, helpTexts[name] ?? helpTexts[''] ?? '');
    }
    const command = await commands.get(name)?.();
    const { values, positionals } = readArguments(args, name, command);
    if (values['version'] === true) return print(terminal, packageVersion());
    if (values['help'] === true) return print(terminal, helpTexts[name] ?? helpTexts[''] ?? '');
    if (command === undefined) throw new UsageError(whatToUse(name));
    const invocation = {
      words: positionals.toSpliced(positionals.indexOf(name), 1),
      values,
      env: { ...readEnvFile(textOf(values, 'env-file')), ...env },
      terminal,
      input,
    };
    return await command.run(invocation);
  } catch (error) {
    return explainFailure(terminal, error, args.includes('--json'));
  }
}

function print(terminal: Terminal, text: string): 0 {
  terminal.line(text);
  return 0;
}

const whatToUse = (name: string): string =>
  name === ''
    ? `Name a command: ${[...commands.keys()].join(', ')}.`
    : `There is no command "${name.slice(0, 40)}". There are ${[...commands.keys()].join(', ')}.`;

function readArguments(
  args: readonly string[],
  name: string,
  command: Command | undefined,
): { readonly values: Values; readonly positionals: readonly string[] } {
  const own = Object.entries(command?.options ?? {}).map(
    ([option, kind]) => [option, { type: kind === 'text' ? 'string' : 'boolean' }] as const,
  );
  const options: ParseArgsOptionsConfig = { ...Object.fromEntries(own), ...commonOptions };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : '').split('. To specify');
    throw new UsageError(message, command === undefined ? '' : name);
  }
}

function readEnvFile(path: string | undefined): Environs {
  if (path === undefined) return {};
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The file ${path} of --env-file cannot be read (${nameOf(error)}).`);
  }
}

/** A failure is shown by what, why and how to mend it, never by a stack. */
function explainFailure(terminal: Terminal, error: unknown, isJson: boolean): number {
  if (error instanceof UsageError) {
    terminal.error(`pay-button: ${error.message}`);
    terminal.error(`Try: pay-button ${error.command === '' ? '' : `${error.command} `}--help`);
    return USED_WRONGLY;
  }
  const isKnown = error instanceof ConfigurationError || error instanceof PaymentsError;
  const message = isKnown ? error.message : failureOf(error);
  if (isJson) terminal.json({ error: { code: isKnown ? error.code : 'internal_error', message } });
  terminal.error(`pay-button: ${message}`);
  return 1;
}

/** What an error of ours or of the database may show: its code, and what is missing where that is known. */
function failureOf(error: unknown): string {
  const database = databaseErrorIn(error);
  const advice = database === null ? undefined : adviceOf(database);
  return `Something went wrong (${nameOf(error)})${advice === undefined ? '' : `: ${advice}`}.`;
}
