import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { inspect, parseArgs, parseEnv, type ParseArgsOptionsConfig } from 'node:util';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { packageVersion } from '../package-version.ts';
import { adviceOf, databaseErrorIn } from '../stores/database-error.ts';
import type { Environs } from '../options/environment.ts';
import { type Command, type Source, textOf, UsageError, type Values } from './command.ts';
import { loadConfig, OwnCodeError } from './config-file.ts';
import { helpTexts } from './help.ts';
import { nearest } from './nearest.ts';
import { Terminal, type Sink } from './terminal.ts';

/** The arguments and dependencies of the program. */
export interface CliParts {
  readonly args: readonly string[];
  readonly env: Environs;
  readonly out: Sink;
  readonly err: Sink;
  /** Where a person types; without it nobody is asked. */
  readonly input?: Source | undefined;
  /** @defaultValue the process's folder */
  readonly cwd?: string | undefined;
}

const USED_WRONGLY = 2;

/** Each is loaded when it is run, so that help and mistakes are shown at once. */
const commands: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ['doctor', async () => (await import('./doctor/doctor.ts')).doctor],
  ['first-contact', async () => (await import('./first-contact/first-contact.ts')).firstContact],
  ['reconcile', async () => (await import('./reconcile.ts')).reconcile],
  ['init', async () => (await import('./init/init.ts')).init],
  ['refund', async () => (await import('./refund.ts')).refund],
  ['operations', async () => (await import('./operations.ts')).operations],
  ['secret', async () => (await import('./secret.ts')).secret],
  ['webhook', async () => (await import('./webhook.ts')).webhook],
  ['explain', async () => (await import('./explain.ts')).explainOrder],
  ['export', async () => (await import('./export/export.ts')).exportRows],
  ['migrate', async () => (await import('./migrate.ts')).migrate],
  ['archive', async () => (await import('./archive.ts')).archive],
  ['review', async () => (await import('./review.ts')).review],
]);

const commonOptions = {
  'env-file': { type: 'string' },
  config: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Runs one command. @returns the exit code: 0 well, 1 something was found, 2 used wrongly. */
export async function runCli(parts: CliParts): Promise<number> {
  const { args, env, out, err, input, cwd = process.cwd() } = parts;
  const terminal = new Terminal(out, err, (env['NO_COLOR'] ?? '') !== '');
  try {
    if (args.includes('--version')) return print(terminal, packageVersion());
    if (args[0] === 'help') return print(terminal, helpOf(commandIn(args.slice(1))));
    const name = commandIn(args);
    if (args.includes('--help') || args.includes('-h')) return print(terminal, helpOf(name));
    if (args.length === 0) return misuse(terminal, helpOf(''));
    const command = await commands.get(name)?.();
    if (command === undefined) throw new UsageError(whatToUse(name));
    const { values, positionals } = readArguments(args, name, command);
    const words = positionals.toSpliced(positionals.indexOf(name), 1);
    const settings = { ...readEnvFile(cwd, textOf(values, 'env-file')), ...env };
    const config =
      command.needsNoShop === true
        ? undefined
        : await loadConfig(cwd, textOf(values, 'config'), settings);
    return await command.run({ words, values, env: settings, cwd, config, terminal, input });
  } catch (error) {
    return explainFailure(terminal, error, args.includes('--json'));
  }
}

function print(terminal: Terminal, text: string): 0 {
  terminal.line(text);
  return 0;
}

function misuse(terminal: Terminal, text: string): number {
  terminal.error(text);
  return USED_WRONGLY;
}

/** The command among the words; else the first word, which may be a misspelt one. */
const commandIn = (args: readonly string[]): string =>
  args.find((arg) => commands.has(arg)) ?? args.find((arg) => /^\w/.test(arg)) ?? '';

/** @throws {@link UsageError} for a word that is no command. */
function helpOf(name: string): string {
  const text = helpTexts[name];
  if (text === undefined) throw new UsageError(whatToUse(name));
  return text;
}

function whatToUse(name: string): string {
  const names = [...commands.keys()];
  if (name === '') return `Name a command: ${names.join(', ')}.`;
  const like = nearest(name, names);
  const hint = like === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${like}?`;
  return `There is no command "${name.slice(0, 40)}". ${hint}`;
}

function readArguments(
  args: readonly string[],
  name: string,
  command: Command,
): { readonly values: Values; readonly positionals: readonly string[] } {
  const own = Object.entries(command.options).map(
    ([option, kind]) => [option, { type: kind === 'text' ? 'string' : 'boolean' }] as const,
  );
  const options: ParseArgsOptionsConfig = { ...Object.fromEntries(own), ...commonOptions };
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : '').split('. To specify');
    const [, option = ''] = /^Unknown option '--([\w-]+)'$/.exec(message) ?? [];
    const like = option === '' ? undefined : nearest(option, Object.keys(options));
    throw new UsageError(
      like === undefined ? message : `${message}. Did you mean --${like}?`,
      name,
    );
  }
}

/** Reads the file of `--env-file` or, without it, `.env` where there is one. */
function readEnvFile(cwd: string, named: string | undefined): Environs {
  const path = resolve(cwd, named ?? '.env');
  if (named === undefined && !existsSync(path)) return {};
  try {
    return parseEnv(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`The file ${named ?? '.env'} cannot be read (${nameOf(error)}).`);
  }
}

/** A failure is shown by what, why and how to mend it, never by a stack. */
function explainFailure(terminal: Terminal, error: unknown, isJson: boolean): number {
  if (error instanceof UsageError) {
    terminal.error(`pay-button: ${error.message}`);
    terminal.error(`Try: pay-button ${error.command === '' ? '' : `${error.command} `}--help`);
    return USED_WRONGLY;
  }
  if (error instanceof OwnCodeError) {
    if (isJson) terminal.json({ error: { code: 'invalid_config', message: error.message } });
    terminal.error(`pay-button: ${error.message}\n${inspect(error.cause)}`);
    return 1;
  }
  const isKnown =
    error instanceof ConfigurationError ||
    error instanceof PaymentsError ||
    error instanceof GatewayError;
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
