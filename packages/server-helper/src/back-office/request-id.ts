import { createHash, randomUUID } from 'node:crypto';

const REQUEST_ID = /^office-[0-9a-f-]{36}$/;

/** Whether a field of a form holds the id of a question that was asked. */
export const isRequestId = (text: string): boolean => REQUEST_ID.test(text);

/**
 * The id of one confirmation.
 *
 * @param state - Names what is asked, and the state that it is asked in: the same gets the same id.
 * @defaultValue a state of its own
 */
export function idOfQuestion(state: string = randomUUID()): string {
  const hex = createHash('sha256').update(`back-office request\0${state}`).digest('hex');
  return `office-${hex.slice(0, 36)}`;
}
