import { invalidOption } from '../errors.ts';

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const MAX_FIELDS = 40;

/** What the shop itself says of an order: of these a browser is never believed, so none is taken. */
const ours: ReadonlySet<string> = new Set(['orderId', 'amount', 'currency', 'customer']);

/**
 * Checks the names of the fields that a checkout may bring.
 *
 * @throws {@link ConfigurationError} `invalid_option`.
 */
export function checkDataFields(given: unknown = []): void {
  const isList = Array.isArray(given) && given.length <= MAX_FIELDS;
  const isName = (name: unknown): boolean =>
    typeof name === 'string' && NAME.test(name) && !ours.has(name);
  if (isList && given.every(isName)) return;
  throw invalidOption({
    setting: 'dataFields',
    what: `dataFields must be a list of at most ${MAX_FIELDS} names of letters, digits, dots, dashes and underscores, without ${[...ours].join(', ')}.`,
    why: 'A browser that named the price, or the customer, could change it.',
    fix: 'Give the names of the fields in the element’s data or in your form, such as ["note"], or leave it out.',
  });
}
