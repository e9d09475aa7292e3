import '../supported-node.js';
export { createPayments, type Payments } from './create-payments.ts';
export {
  defineConfig,
  paymentsFromEnv,
  type EnvironmentOptions,
} from './options/payments-from-env.ts';
export type { Environs } from './options/settings-from-env.ts';
export type {
  CheckoutData,
  EventHandlers,
  Order,
  Pages,
  PaymentsOptions,
} from './options/payments-options.ts';
export type { CorsOptions, HealthOptions, Limits, Routes } from './options/edge-options.ts';
export type { Router } from './express/router.ts';
export type { RouterOptions } from './express/router-options.ts';
export type { Handle, HandleOptions } from './fetch/handle.ts';
export type { PaymentLinkView } from './flows/checkout/checkout.ts';
export type { Explanation, ExplainedAttempt } from './flows/list-payments.ts';
export type { ReviewEntry, ReviewVerbs } from './flows/money/review-verbs.ts';
export type { MoneyVerbs } from './flows/money/money-verbs.ts';
export type {
  CaptureRequest,
  RecurringRequest,
  RefundRequest,
  SaleRequest,
  VoidRequest,
} from './flows/money/money-input.ts';
export type { MoneyOperation, SaleOperation } from './flows/views.ts';
export type { PaymentList, PaymentQuery } from './flows/list-payments.ts';
export type {
  DayFigures,
  Figures,
  FiguresQuery,
  MoneyFigures,
  SumFigures,
} from './flows/figures.ts';
export type { PaymentView } from './flows/views.ts';
export type { TickReport } from './flows/background/tick.ts';
export type { Operation, OperationKind, OperationState } from './payments/record.ts';
export type { Attempt, AttemptKind, AttemptState } from './payments/attempt.ts';
export type { EvidenceRow, StatusRow } from './payments/answer.ts';
export type {
  AttemptStep,
  TimelineEntry,
  TimelineFact,
  TimelineKind,
} from './payments/timeline.ts';
export { describeEntry, type TimelineLanguage } from './payments/timeline-text.ts';
export { isPaid, isPayable, type Payment, type PaymentState } from './payments/record.ts';
export type {
  Change,
  LedgerKind,
  LedgerRow,
  Movement,
  PaymentEvent,
  PaymentEventOf,
  PaymentEventType,
  PaymentRecord,
  ReviewItem,
  ReviewReason,
} from './payments/record.ts';
export { sqliteStore, type SqliteStoreOptions } from './stores/sqlite/sqlite-store.ts';
export { postgresStore, type PostgresStoreOptions } from './stores/postgres/postgres-store.ts';
export type { PostgresTransaction } from './stores/postgres/connections.ts';
export {
  everyOrder,
  HOOK_TIMEOUT_MS,
  type Backlog,
  type CommitHook,
  type Delivery,
  type DeliveryReport,
  type FigureSpan,
  type History,
  type HitCount,
  type Listing,
  type MatterPage,
  type MovedMoney,
  type OrderPage,
  type PaymentPage,
  type Position,
  type PutOffPage,
  type QueuedEvent,
  type Save,
  type SaveResult,
  type Schema,
  type Search,
  type ShortLived,
  type SpanFigures,
  type Store,
  type StoreHealth,
  type Taken,
  type Taking,
  type Wanted,
} from './stores/store.ts';
export { saveOf } from './flows/change-payment.ts';
export { columnsOf, recordOf, textOf, type Columns, type Name } from './payments/document.ts';
export {
  createGatewayClient,
  type BreakerState,
  type GatewayClient,
  type GatewayClientOptions,
} from './gateway/gateway-client.ts';
export type {
  GatewayAnswerEvent,
  GatewayCallEvent,
  GatewayDriftEvent,
  GatewayEndEvent,
  GatewaySendEvent,
} from './gateway/diagnostics.ts';
export type { Step, StepEndEvent, StepEvent } from './observability/steps.ts';
export type { Trigger } from './observability/steps.ts';
export type { Attributes } from './observability/instruments.ts';
export type { Drift } from './gateway/drift.ts';
export type { DriftKind } from './gateway/diagnostics.ts';
export type { GatewayProfile } from './gateway/profile.ts';
export type { PortalSettings } from './gateway/settings.ts';
export { saleHash, type SaleHash, type SaleToSign } from './gateway/sale.ts';
export type { AmountInput, CustomerInput } from './gateway/input.ts';
export type { PaymentLink, PaymentLinkInput } from './gateway/payment-links.ts';
export type { PollInput, Status, StatusInput, Transaction } from './gateway/status.ts';
export type {
  CaptureInput,
  MoneyMove,
  RecurringCharge,
  RecurringChargeInput,
  Refund,
  RefundInput,
  VoidInput,
} from './gateway/money-moves.ts';
export type { CardInput, Sale, SaleInput } from './gateway/sale.ts';
export type {
  CreatedWebhook,
  CreateWebhookInput,
  DeleteWebhookInput,
  UpdateWebhookInput,
  Webhook,
} from './gateway/webhooks.ts';
export type { ApiCredential } from './gateway/portal.ts';
export type {
  CreatedSdkToken,
  CreateSdkTokenInput,
  SdkToken,
  UpdateSdkTokenInput,
} from './gateway/portal.ts';
export {
  TransportError,
  type Transport,
  type TransportAnswer,
  type TransportFault,
  type TransportRequest,
} from './gateway/transport.ts';
export type { CallOptions } from './gateway/call.ts';
export type { SealedBody } from './gateway/gateway-error.ts';
export { GatewayError, type GatewayErrorCode, type Outcome } from './gateway/gateway-error.ts';
export type { Environment } from './gateway/settings.ts';
export {
  ConfigurationError,
  PaymentsError,
  type ConfigurationErrorCode,
  type Finding,
  type Mistake,
  type PaymentsErrorCode,
} from './errors.ts';
export type { MerchantOrderId, SessionId, TransactionId } from './ids.ts';
export type { AuditEntry } from './payments/document.ts';
export type { HintChange, HintSource, TransactionHint } from './payments/transaction-hint.ts';
export type { Amount, Currency, Money } from './money.ts';
export { formatAmount, type FormattedAmount } from './format-amount.ts';
export type { Clock } from './clock.ts';
export type { ErrorHandler, ErrorPlace } from './error-reports.ts';
export type { Logger } from './logger.ts';
