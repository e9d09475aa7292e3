export { createPayments, type Payments } from './create-payments.ts';
export { paymentsFromEnv, type EnvironmentOptions, type Environs } from './payments-from-env.ts';
export type { EventHandlers, Order, Pages, PaymentsOptions, Routes } from './options.ts';
export type { PaymentLinkView } from './flows/payment-flows.ts';
export type { PaymentView } from './flows/payment-view.ts';
export type { TickReport } from './flows/tick.ts';
export type { PaymentState } from './payments/payment.ts';
export type { PaymentEvent, PaymentEventType, ReviewReason } from './payments/payment-record.ts';
export { sqliteStore, type SqliteStoreOptions } from './stores/sqlite-store.ts';
export { postgresStore, type PostgresStoreOptions } from './stores/postgres-store.ts';
export type { PostgresTransaction } from './stores/postgres-commit.ts';
export type { Backlog, CommitHook, Store } from './stores/store.ts';
export {
  createGatewayClient,
  type GatewayClient,
  type GatewayClientOptions,
  type PaymentLink,
  type PaymentLinkInput,
  type Transaction,
} from './gateway/gateway-client.ts';
export type { CallOptions } from './gateway/call.ts';
export { GatewayError, type GatewayErrorCode, type Outcome } from './gateway/gateway-error.ts';
export type { Environment } from './gateway/settings.ts';
export {
  ConfigurationError,
  PaymentsError,
  type ConfigurationErrorCode,
  type PaymentsErrorCode,
} from './errors.ts';
export type { Clock } from './clock.ts';
export type { Logger } from './logger.ts';
