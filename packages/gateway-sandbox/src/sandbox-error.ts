/** Why a sandbox did not start, or why its control API refused. */
export type SandboxErrorCode =
  | 'invalid_option'
  | 'invalid_profile'
  | 'production_refused'
  | 'port_busy'
  | 'host_unavailable'
  | 'seed_mismatch'
  | 'data_in_use'
  | 'data_unwritable'
  | 'journal_damaged'
  | 'journal_unwritable';

/** An error of the sandbox itself. The message names the mistake and its remedy. */
export class SandboxError extends Error {
  readonly code: SandboxErrorCode;

  constructor(code: SandboxErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SandboxError';
    this.code = code;
  }
}
