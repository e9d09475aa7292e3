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
