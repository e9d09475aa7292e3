import { ConfigurationError, helpAddress, nameOf } from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import type { Logger, OnceAMinute } from '../logger.ts';

/** Where errors of the routes are written. */
export interface ErrorLogParts {
  readonly logger: Logger;
  /** The logger itself, or the console where the shop has none. */
  readonly notices: Pick<Logger, 'error'>;
  readonly once: OnceAMinute;
}

/**
 * Logs errors, but no answer that is a refusal, which a shopper can cause at will. A gateway that
 * gives no link reaches the console of a shop without a logger, once a minute and code: otherwise a
 * wrong key would show itself to shoppers only.
 */
export function errorLog({ logger, notices, once }: ErrorLogParts) {
  return (error: unknown, status: number): void => {
    if (status < 500) return;
    if (error instanceof GatewayError) {
      const { code, operation, outcome, httpStatus, gatewayMessages } = error;
      const gatewayRequestId = error.requestId;
      const fields = { code, operation, outcome, httpStatus, gatewayMessages, gatewayRequestId };
      const words = `the gateway gave no payment link. See ${helpAddress(code)}; npx pay-button doctor checks the key and the address.`;
      logger.error(fields, words);
      if (notices !== logger && once.lets(`link ${code}`)) {
        notices.error({ code, said: gatewayMessages.join(' ') || 'no words' }, words);
      }
      return;
    }
    // The message of a configuration error says how to mend it; another message could quote anything.
    const words = error instanceof ConfigurationError ? `: ${error.message}` : '';
    const fields = { error: nameOf(error), status };
    logger.error(fields, `a request could not be answered well${words}`);
  };
}
