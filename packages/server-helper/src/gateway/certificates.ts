import { ConfigurationError } from '../errors.ts';
import type { Environment } from './settings.ts';

const VARIABLE = 'NODE_TLS_REJECT_UNAUTHORIZED';

/**
 * Refuses a production process whose environment tells Node to take any certificate. The client's
 * own connections check theirs all the same; those of the database and of the shop's code do not.
 *
 * @throws {@link ConfigurationError} `certificates_unchecked`.
 */
export function checkCertificates(
  environment: Environment,
  env: Readonly<Record<string, string | undefined>> = process.env,
): void {
  if (environment !== 'production' || env[VARIABLE] !== '0') return;
  throw new ConfigurationError('certificates_unchecked', {
    setting: VARIABLE,
    what: `${VARIABLE} is 0 in production.`,
    why: 'Node then takes any certificate, so that an impostor reads API keys and answers for the gateway.',
    fix: 'Unset it; for an authority of your own, set NODE_EXTRA_CA_CERTS to its certificate.',
  });
}
