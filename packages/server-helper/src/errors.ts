/** Where the guides are. */
const GUIDES = 'https://github.com/pay-button/pay-button/blob/main/docs';

/** The address of a guide, or of a place in it, such as `operations.md#store`. */
export const guideAddress = (place: string): string => `${GUIDES}/${place}`;

/** Where a code is explained: meaning, what happened to the money, and the fix. */
export const helpAddress = (code: string): string => guideAddress(`errors.md#${code}`);

/** Codes of {@link PaymentsError}. Each has an entry in `docs/errors.md`. */
export type PaymentsErrorCode =
  | 'already_paid'
  | 'amount_too_large'
  | 'attempt_in_progress'
  | 'gateway_timeout'
  | 'hook_failed'
  | 'in_review'
  | 'invalid_operation'
  | 'invalid_order'
  | 'invalid_query'
  | 'not_confirmed'
  | 'not_found_in_store'
  | 'operation_in_progress'
  | 'operation_resolved'
  | 'order_cancelled'
  | 'order_not_found'
  | 'outcome_not_recorded'
  | 'recurring_token_unreadable'
  | 'request_id_reused'
  | 'same_person'
  | 'store_unavailable'
  | 'too_many_attempts'
  | 'wrong_state';

/**
 * A payment could not be started, changed or read, and no money was asked to move, but for
 * `outcome_not_recorded`. The gateway's own refusals and silences are {@link GatewayError}s.
 */
export class PaymentsError extends Error {
  override readonly name = 'PaymentsError';
  /** Stable code, explained in `docs/errors.md`. */
  readonly code: PaymentsErrorCode;
  /** The documentation's address of this code. */
  readonly help: string;
  /** The input that is at fault, where one is. */
  readonly field: string | undefined;

  constructor(
    code: PaymentsErrorCode,
    message: string,
    options: { readonly field?: string; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    this.help = helpAddress(code);
    this.field = options.field;
  }
}

/** Codes of {@link ConfigurationError}. Each has an entry in `docs/errors.md`. */
export type ConfigurationErrorCode =
  | 'asynchronous_hook'
  | 'body_already_read'
  | 'certificates_unchecked'
  | 'closed'
  | 'contradictory_options'
  | 'invalid_base_url'
  | 'invalid_breaker'
  | 'invalid_config'
  | 'invalid_connections'
  | 'invalid_cors_origins'
  | 'invalid_limit'
  | 'invalid_mount_path'
  | 'invalid_option'
  | 'invalid_page'
  | 'invalid_page_origins'
  | 'invalid_portal'
  | 'invalid_profile'
  | 'invalid_public_url'
  | 'invalid_timeout'
  | 'invalid_webhook_secret'
  | 'link_route_off'
  | 'missing_api_key'
  | 'missing_package'
  | 'missing_setting'
  | 'missing_store'
  | 'mount_mismatch'
  | 'not_a_request'
  | 'route_conflict'
  | 'router_not_called'
  | 'status_route_off'
  | 'store_not_migrated'
  | 'store_of_another_release'
  | 'store_of_another_scope'
  | 'swallowed_sql_error'
  | 'transaction_control'
  | 'unknown_environment'
  | 'unsafe_database_setting'
  | 'unsupported_database_url'
  | 'weak_encryption_key'
  | 'weak_token_secret'
  | 'wrong_credential_type'
  | 'wrong_environment';

/** The fault of one setting. Quotes no secret. */
export interface Mistake {
  /** The option or environment variable at fault, such as `gateway.baseUrl`. */
  readonly setting: string;
  /** What is wrong, as a sentence. */
  readonly what: string;
  /** Why that matters, as a sentence. */
  readonly why: string;
  /** How to mend it, as a sentence. */
  readonly fix: string;
}

/** One mistake in the settings, with its code and the address that explains it. */
export interface Finding extends Mistake {
  readonly code: ConfigurationErrorCode;
  readonly help: string;
}

/** The kit is wired wrongly. Thrown at start, before any shopper is let in, with all that is wrong at once. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';
  /** Stable code, explained in `docs/errors.md`; of the first finding when there are several. */
  readonly code: ConfigurationErrorCode;
  /** The documentation's address of this code. */
  readonly help: string;
  /** Every mistake in the settings; empty for one that showed itself only later. */
  declare readonly findings: readonly Finding[];

  constructor(
    code: ConfigurationErrorCode,
    details: string | Mistake,
    others: readonly Finding[] = [],
  ) {
    const help = helpAddress(code);
    const findings = typeof details === 'string' ? [] : [{ code, ...details, help }, ...others];
    super(typeof details === 'string' ? `${details} (${code}, see ${help})` : messageOf(findings));
    this.code = code;
    this.help = help;
    // Not among what a console prints below the message, which says them all.
    Object.defineProperty(this, 'findings', { enumerable: false, value: findings });
  }
}

/** One finding is a paragraph; several are a numbered list, each with its address. */
function messageOf(findings: readonly Finding[]): string {
  const paragraph = ({ code, what, why, fix, help }: Finding): string =>
    `${what} ${why} ${fix} (${code}, see ${help})`;
  if (findings.length === 1) return findings.map(paragraph).join('');
  const list = findings.map((one, index) => `${index + 1}. ${one.setting}: ${paragraph(one)}`);
  const head = `${findings.length} settings must be mended before payments can start.`;
  return [head, ...list].join('\n');
}

/** An error's code or name, for a log: its message could quote anything. */
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** @throws {@link ConfigurationError} with all findings, in their order, where there are some. */
export function throwFindings([first, ...others]: readonly Finding[]): void {
  if (first !== undefined) throw new ConfigurationError(first.code, first, others);
}

/** What a check finds wrong. An error that is not about settings is thrown on. */
export function findingsOf(check: () => unknown): readonly Finding[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof ConfigurationError) || error.findings.length === 0) throw error;
    return error.findings;
  }
}

export const invalidQuery = (field: string, message: string): PaymentsError =>
  new PaymentsError('invalid_query', message, { field });
