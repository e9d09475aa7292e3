import { amount, BodyFields, notAnObject, requiredText } from './body-fields.ts';

/** What a refund or a capture asks for (§4.3, §4.5). */
export interface MoveRequest {
  readonly transactionId: string;
  readonly amountMinor: number;
}

/** Checks a refund's or a capture's body. */
export function readMoveRequest(body: unknown): { request: MoveRequest } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const transactionId = fields.take('transactionId', transactionName, '');
  const amountMinor = fields.take('amount', amount, 0);
  const { messages } = fields;
  return messages.length > 0 ? { messages } : { request: { transactionId, amountMinor } };
}

/** Checks a void's body (§4.6). */
export function readVoidRequest(
  body: unknown,
): { request: Pick<MoveRequest, 'transactionId'> } | { messages: string[] } {
  const fields = BodyFields.of(body);
  if (fields === null) return { messages: notAnObject };
  const transactionId = fields.take('transactionId', transactionName, '');
  const { messages } = fields;
  return messages.length > 0 ? { messages } : { request: { transactionId } };
}

/**
 * A payment id that was sent as a number is an id that nothing has, like the same digits as text:
 * both get the 404 that says so (§2.3).
 */
function transactionName(value: unknown): ReturnType<typeof requiredText> {
  return requiredText(Number.isSafeInteger(value) ? String(value) : value);
}
