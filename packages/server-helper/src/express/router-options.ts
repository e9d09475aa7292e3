import { ConfigurationError, invalidOption } from '../errors.ts';

/** Options of `payments.router()`. */
export interface RouterOptions {
  /**
   * Whether the exception behind a 500 is also handed to Express's error handlers, by `next(error)`,
   * when the shopper's answer is sent whole. The handlers must not answer: `response.headersSent` is
   * true. The connection ends with that answer, since Express's own last handler closes it.
   *
   * @defaultValue `false`: `onError` gets the exception
   */
  readonly passErrors?: boolean;
}

/**
 * Checks what `payments.router` was given.
 *
 * @throws {@link ConfigurationError} `router_not_called`, `invalid_option`.
 */
export function checkRouterOptions(given: unknown): void {
  if (isRequest(given)) {
    throw new ConfigurationError(
      'router_not_called',
      'payments.router was mounted without being called, so it was given a request. Write app.use("/pay", payments.router()), with the brackets.',
    );
  }
  const [name, value] = Object.entries(given ?? {})[0] ?? [];
  if (name === undefined || (name === 'passErrors' && typeof value === 'boolean')) return;
  throw invalidOption({
    setting: `router.${name}`.slice(0, 60),
    what: 'payments.router takes the option passErrors, true or false, and no other.',
    why: 'A misspelt option would be left out without a word.',
    fix: 'Write payments.router() or payments.router({ passErrors: true }).',
  });
}

const isRequest = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'method' in given && 'headers' in given;
