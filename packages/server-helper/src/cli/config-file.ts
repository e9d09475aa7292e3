import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigurationError } from '../errors.ts';
import type { Environs } from '../options/environment.ts';
import { type ShopConfig, UsageError } from './command.ts';

/** The names that are looked for, in this order. */
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
export async function loadConfig(
  cwd: string,
  named: string | undefined,
  env: Environs,
): Promise<ShopConfig | undefined> {
  const file = [named ?? configFiles].flat().find((name) => existsSync(resolve(cwd, name)));
  if (file === undefined) {
    if (named === undefined) return undefined;
    throw new UsageError(`There is no file ${named} (--config).`);
  }
  // The file reads process.env, which lacks what came from a file of settings.
  for (const [name, value] of Object.entries(env)) process.env[name] ??= value;
  return optionsOf(file, await importFile(resolve(cwd, file), file));
}

async function importFile(path: string, name: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(path).href)) as { readonly default?: unknown };
  } catch (error) {
    throw new OwnCodeError(`${name} could not be loaded.${adviceOn(error)}`, { cause: error });
  }
}

const advice: Readonly<Record<string, string>> = {
  ERR_MODULE_NOT_FOUND:
    'Node takes the names of imports as they stand: write ./orders.ts where the file is orders.ts. In a project that is compiled, name the compiled file: --config dist/pay.config.js.',
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    'Node only leaves types out: enums, namespaces and the like need a loader, such as NODE_OPTIONS="--import tsx".',
};

function adviceOn(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code in advice ? ` ${advice[code]}` : '';
}

function optionsOf(file: string, { default: options }: { readonly default?: unknown }): ShopConfig {
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
