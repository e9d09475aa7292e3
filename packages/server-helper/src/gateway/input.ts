import { DEFAULT_CURRENCY, InvalidMoneyError, money, type Money } from '../money.ts';
import { GatewayError } from './gateway-error.ts';
import type { OperationName } from './operations.ts';

/** Reads an amount, or says that nothing was sent. */
export function readMoney(
  operation: OperationName,
  amount: string,
  currency = DEFAULT_CURRENCY as string,
): Money {
  try {
    return money(amount, currency);
  } catch (error) {
    if (error instanceof InvalidMoneyError) throw invalidInput(operation, error.message);
    throw error;
  }
}

/** Refuses an empty input. */
export function requireText(operation: OperationName, name: string, value: string): void {
  if (typeof value !== 'string' || value.trim() === '') {
    throw invalidInput(operation, `${name} is empty.`);
  }
}

/** Refuses an address that a browser cannot be sent to. */
export function requireWebAddress(operation: OperationName, name: string, value: string): void {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw invalidInput(operation, `${name} is no http(s) address.`);
  }
}

/** The error of an input that was refused before anything was sent. */
export function invalidInput(operation: OperationName, what: string): GatewayError {
  return new GatewayError({
    code: 'invalid_input',
    operation,
    outcome: 'not-sent',
    message: `${operation}: ${what} Nothing was sent (invalid_input, not-sent).`,
  });
}
