import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect, parseArgs, parseEnv, type ParseArgsOptionsConfig } from 'node:util';
import { ConfigurationError, nameOf, PaymentsError } from '../errors.ts';
import type { Environs } from '../index.ts';
import { packageVersion } from '../package-version.ts';
import { type Command, type ShopConfig, textOf, UsageError, type Values } from './command.ts';
import { type CommandName, type Definition, definitions } from './definitions.ts';
import { helpOf } from './help.ts';
import { Terminal, type Sink, type Source } from './terminal.ts';

export interface CliParts {
  readonly args: readonly string[];
  readonly env: Environs;
  readonly out: Sink;
  readonly err: Sink;
  readonly input?: Source | undefined;
  /** @defaultValue the process's folder */
  readonly cwd?: string | undefined;
}

const USED_WRONGLY = 2;

/** Each is loaded when it is run, so that help and mistakes are shown at once. */
const commands: Readonly<Record<CommandName, () => Promise<Command>>> = {
  init: async () => (await import('./init.ts')).init,
  secret: async () => (await import('./init.ts')).secret,
  doctor: async () => (await import('./doctor/doctor.ts')).doctor,
  'first-contact': async () => (await import('./first-contact/first-contact.ts')).firstContact,
  webhook: async () => (await import('./webhook.ts')).webhook,
  list: async () => (await import('./explain.ts')).listPayments,
  explain: async () => (await import('./explain.ts')).explainOrder,
  reconcile: async () => (await import('./reconcile.ts')).reconcile,
  review: async () => (await import('./review.ts')).review,
  refund: async () => (await import('./money.ts')).refund,
  operations: async () => (await import('./money.ts')).operations,
  export: async () => (await import('./export.ts')).exportRows,
  migrate: async () => (await import('./schema.ts')).migrate,
  archive: async () => (await import('./schema.ts')).archive,
};

/** Runs one command. @returns the exit code: 0 well, 1 something was found, 2 used wrongly. */
export async function runCli(parts: CliParts): Promise<number> {
  const { args, env, out, err, input, cwd = process.cwd() } = parts;
  const terminal = new Terminal(out, err, (env['NO_COLOR'] ?? '') !== '');
  const asked = args[0] === 'help' ? args.slice(1) : args;
  // The command among the words; else the first word, which may be a misspelt one.
  const name =
    asked.find((arg) => definitions.has(arg)) ?? asked.find((arg) => /^\w/.test(arg)) ?? '';
  const isJson = args.includes('--json');
  try {
    if (args.length === 0) {
      terminal.error(helpOf(''));
      return USED_WRONGLY;
    }
    const definition = definitions.get(name);
    const asksHelp = args[0] === 'help' || args.includes('--help') || args.includes('-h');
    const isHelpful = asksHelp && (definition !== undefined || name === '');
    if (isHelpful || args.includes('--version')) {
      terminal.line(args.includes('--version') ? packageVersion() : helpOf(name));
      return 0;
    }
    if (definition === undefined) {
      const names = [...definitions.keys()];
      if (name === '') throw new UsageError(`Name a command: ${names.join(', ')}.`);
      const like = nearest(name, names);
      const hint = like === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${like}?`;
      throw new UsageError(`There is no command "${name.slice(0, 40)}". ${hint}`);
    }
    const { values, positionals } = readArguments(args, definition);
    const words = positionals.toSpliced(positionals.indexOf(name), 1);
    const settings = { ...readEnvFile(cwd, textOf(values, 'env-file')), ...env };
    const config =
      definition.needsNoShop === true
        ? undefined
        : await loadConfig(cwd, textOf(values, 'config'), settings);
    const command = await commands[name as CommandName]();
    const given = { name, words, values, isJson, env: settings, cwd, config, terminal, input };
    return await command(given);
  } catch (error) {
    return explainFailure(terminal, error, definitions.has(name) ? name : '', isJson);
  }
}

function readArguments(args: readonly string[], { options: own = {} }: Definition) {
  const all = [...Object.keys(own), 'json', 'env-file FILE', 'config FILE'];
  const options: ParseArgsOptionsConfig = Object.fromEntries(
    all.map((given) => {
      const [option = '', text] = given.split(' ');
      return [option, { type: text === undefined ? 'boolean' : 'string' }];
    }),
  );
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { values: values as Values, positionals };
  } catch (error) {
    const [message = ''] = (error instanceof Error ? error.message : '').split('. To specify');
    const [, option = ''] = /^Unknown option '--([\w-]+)'$/.exec(message) ?? [];
    const like = option === '' ? undefined : nearest(option, Object.keys(options));
    throw new UsageError(like === undefined ? message : `${message}. Did you mean --${like}?`);
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

export const configFiles = ['ts', 'mts', 'js', 'mjs'].map((ending) => `pay.config.${ending}`);

/** The shop's own code, or a file that it imports, failed while it was loaded. */
export class OwnCodeError extends Error {
  override readonly name = 'OwnCodeError';
}

/**
 * Loads the shop's options, where there is such a file.
 *
 * @param named - The file of `--config`; without it the folder is searched.
 * @throws {@link OwnCodeError} with the shop's own exception as its `cause`.
 */
export async function loadConfig(cwd: string, named: string | undefined, env: Environs) {
  const file = [named ?? configFiles].flat().find((name) => existsSync(resolve(cwd, name)));
  if (file === undefined) {
    if (named === undefined) return undefined;
    throw new UsageError(`There is no file ${named} (--config).`);
  }
  // The file reads process.env, which lacks what came from a file of settings.
  for (const [name, value] of Object.entries(env)) process.env[name] ??= value;
  const { default: options } = (await import(pathToFileURL(resolve(cwd, file)).href).catch(
    (error: unknown) => {
      const advice = loadingAdvice[nameOf(error)];
      const words = `${file} could not be loaded.${advice === undefined ? '' : ` ${advice}`}`;
      throw new OwnCodeError(words, { cause: error });
    },
  )) as { readonly default?: unknown };
  if (typeof options === 'object' && options !== null && 'loadOrder' in options) {
    return options as ShopConfig;
  }
  throw new ConfigurationError('invalid_config', {
    setting: file,
    what: `The default export of ${file} holds no options.`,
    why: 'The commands and your shop share the options of this file.',
    fix: 'Write: export default defineConfig({ loadOrder, pages, … }).',
  });
}

const loadingAdvice: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND:
    'Node takes the names of imports as they stand: write ./orders.ts where the file is orders.ts. In a project that is compiled, name the compiled file: --config dist/pay.config.js.',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    'Node only leaves types out: enums, namespaces and the like need a loader, such as NODE_OPTIONS="--import tsx".',
};

/** A failure is shown by what, why and how to mend it, never by a stack. */
async function explainFailure(
  terminal: Terminal,
  error: unknown,
  command: string,
  isJson: boolean,
): Promise<number> {
  if (error instanceof UsageError) {
    terminal.error(`pay-button: ${error.message}`);
    terminal.error(`Try: pay-button ${command === '' ? '' : `${command} `}--help`);
    return USED_WRONGLY;
  }
  if (error instanceof OwnCodeError) {
    if (isJson) terminal.json({ error: { code: 'invalid_config', message: error.message } });
    terminal.error(`pay-button: ${error.message}\n${inspect(error.cause)}`);
    return 1;
  }
  // What help needs not is loaded when it is needed.
  const { GatewayError } = await import('../index.ts');
  const isKnown =
    error instanceof ConfigurationError ||
    error instanceof PaymentsError ||
    error instanceof GatewayError;
  // Of an error of ours or of the database the code may be shown, and what is missing where that is known.
  const { adviceOf, databaseErrorIn } = await import('../parts.ts');
  const database = databaseErrorIn(error);
  const advice = database === null ? undefined : adviceOf(database);
  const failure = `Something went wrong (${nameOf(error)})${advice === undefined ? '' : `: ${advice}`}.`;
  const message = isKnown ? error.message : failure;
  if (isJson) terminal.json({ error: { code: isKnown ? error.code : 'internal_error', message } });
  terminal.error(`pay-button: ${message}`);
  if (isKnown && !message.includes(error.help)) terminal.error(`See ${error.help}`);
  return 1;
}

/** A text of the known ones that a misspelt word may mean; `undefined` where none is like it. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((text) => ({ text, distance: distanceOf(word, text) }))
    .toSorted((a, b) => a.distance - b.distance);
  const most = Math.max(2, Math.floor(word.length / 3));
  return closest !== undefined && closest.distance <= most ? closest.text : undefined;
}

/** How many letters must be added, taken or replaced to make one text of the other. */
function distanceOf(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [row, letter] of one.split('').entries()) {
    const line = [row + 1];
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (above[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      line.push(Math.min(replaced, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1));
    }
    above = line;
  }
  return above.at(-1) ?? 0;
}
