import { ConfigurationError } from '../errors.ts';
import { operations, type OperationName } from './operations.ts';

/** Operations whose path the specification states once and plainly: nothing to override. */
type FirmOperation = {
  [Name in OperationName]: (typeof operations)[Name]['tier'] extends 'spec' ? Name : never;
}[OperationName];

/** Operations whose tier is `contradiction`, `analogue` or `assumed`. */
export type OverridableOperation = Exclude<OperationName, FirmOperation>;

/**
 * Other readings of what the specification contradicts or does not show (`contract/`). The defaults
 * are this kit's readings; a path is relative to the base URL.
 */
export interface GatewayOverrides {
  /**
   * Paths by operation, such as `{ refund: '/payment/refund' }` (X3), `{ chargeRecurring:
   * '/payment/s2s/recurring' }` (X4), or the webhooks', credentials' and SDK tokens' (N12, N17 to
   * N19). Where the table has `{id}`, the override needs it too.
   */
  readonly paths?: { readonly [Name in OverridableOperation]?: string | undefined } | undefined;
  /** The portal login (N16). @defaultValue `"/auth/login"` */
  readonly loginPath?: string | undefined;
  /** The name of the status call's query (X1). @defaultValue `"id"` */
  readonly statusQuery?: 'id' | 'sessionId' | undefined;
}

/** Overrides that were checked and filled in. */
export interface ResolvedOverrides {
  readonly paths: ReadonlyMap<OperationName, string>;
  readonly loginPath: string;
  readonly statusQuery: string;
}

/** Where the portal token comes from (§5, assumption N16). */
const LOGIN_PATH = '/auth/login';

/** Plain segments without anything that a server would read in a second way. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))(?:[A-Za-z0-9._~-]+|\{id\}))+$/;

const optionNames: ReadonlySet<string> = new Set(['paths', 'loginPath', 'statusQuery']);

/**
 * Checks the overrides once, at start.
 *
 * @throws {@link ConfigurationError} `invalid_override`.
 */
export function resolveOverrides(overrides: GatewayOverrides = {}): ResolvedOverrides {
  for (const name of Object.keys(overrides)) {
    if (!optionNames.has(name)) throw invalid(name, 'is no override');
  }
  const { loginPath = LOGIN_PATH, statusQuery = 'id' } = overrides;
  if (!PATH.test(loginPath) || countIds(loginPath) !== 0) {
    throw invalid('loginPath', 'must be a path such as "/auth/login"');
  }
  if (statusQuery !== 'id' && statusQuery !== 'sessionId') {
    throw invalid('statusQuery', 'must be "id" or "sessionId"');
  }
  const paths = new Map<OperationName, string>();
  for (const [name, path] of Object.entries(overrides.paths ?? {})) {
    if (path !== undefined) paths.set(overridable(name), checkedPath(name, path));
  }
  return { paths, loginPath, statusQuery };
}

function overridable(name: string): OverridableOperation {
  const isKnown = Object.hasOwn(operations, name);
  if (isKnown && operations[name as OperationName].tier !== 'spec') {
    return name as OverridableOperation;
  }
  throw invalid(`paths.${name}`, isKnown ? 'is stated by the specification' : 'is no operation');
}

function checkedPath(name: string, path: string): string {
  const ids = countIds(operations[overridable(name)].path);
  if (typeof path === 'string' && PATH.test(path) && countIds(path) === ids) return path;
  const hint = ids === 0 ? '' : ' with {id} in it once';
  throw invalid(`paths.${name}`, `must be a path of plain segments, such as "/payment"${hint}`);
}

const countIds = (path: string): number => path.split('{id}').length - 1;

function invalid(name: string, why: string): ConfigurationError {
  return new ConfigurationError('invalid_override', {
    setting: `gateway.overrides.${name}`,
    what: `The option overrides.${name} ${why}.`,
    why: 'Calls would go to an address that the gateway does not have.',
    fix: 'Leave it out, or give a path below the base URL that starts with one slash.',
  });
}
