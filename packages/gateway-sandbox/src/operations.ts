/** The gateway's operations by the client's method names (§1). */
export const operationNames = [
  'createPaymentLink',
  'retrieveStatus',
  'refund',
  'sale',
  'capture',
  'void',
  'chargeRecurring',
  'pollStatus',
  'listWebhooks',
  'createWebhook',
  'updateWebhook',
  'deleteWebhook',
  'retrieveCredentials',
  'rotateApiKey',
  'revokeApiKey',
  'listSdkTokens',
  'createSdkToken',
  'updateSdkToken',
  'logIn',
] as const;

export type OperationName = (typeof operationNames)[number];

/**
 * The operation that a control call names, or null. `pollStatus` is the same HTTP call as
 * `retrieveStatus` (N11): nothing distinguishes them, so either name means that call.
 */
export function findOperation(name: unknown): OperationName | null {
  const wanted = name === 'pollStatus' ? 'retrieveStatus' : name;
  return operationNames.find((known) => known === wanted) ?? null;
}
