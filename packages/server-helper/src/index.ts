import '../supported-node.js';

// The kit: options in, a router and a few verbs out.
export { createPayments, type Payments } from './create-payments.ts';
export { defineConfig, paymentsFromEnv, type EnvironmentOptions } from './payments-from-env.ts';
export type { CheckoutData, EventHandlers, Order, Pages } from './options/payments-options.ts';
export type { PaymentsOptions, CorsOptions, HealthOptions } from './options/payments-options.ts';
export type { Limits, Routes } from './options/payments-options.ts';
export type { Environs } from './options/environment.ts';
export type { Router, RouterOptions } from './adapters/node.ts';
export type { Handle, HandleOptions } from './adapters/fetch.ts';
export type { Clock } from './clock.ts';
export type { ErrorHandler, ErrorPlace, Logger } from './logger.ts';
export { ConfigurationError, PaymentsError } from './errors.ts';
export type { ConfigurationErrorCode, Finding, Mistake, PaymentsErrorCode } from './errors.ts';

// What the verbs take and answer.
export type { PaymentLinkView } from './flows/checkout/checkout.ts';
export type { ExplainedAttempt, Explanation, PaymentView } from './flows/views.ts';
export type { MoneyOperation, SaleOperation } from './flows/views.ts';
export type { PaymentList, PaymentQuery } from './flows/list-payments.ts';
export type { DayFigures, Figures, FiguresQuery, MoneyFigures } from './flows/figures.ts';
export type { SumFigures } from './flows/figures.ts';
export type { MoneyVerbs } from './flows/money/money-verbs.ts';
export type { CaptureRequest, RecurringRequest, RefundRequest } from './flows/money/money-input.ts';
export type { SaleRequest, VoidRequest } from './flows/money/money-input.ts';
export type { ReviewEntry, ReviewVerbs } from './flows/money/review-verbs.ts';
export type { TickReport } from './flows/background/tick.ts';

// Payments: their states, their events and what is stored of them.
export { isPaid, isPayable } from './payments/record.ts';
export type { Operation, OperationKind, OperationState, Payment } from './payments/record.ts';
export type { PaymentState, Change, LedgerKind, LedgerRow, Movement } from './payments/record.ts';
export type { EventFields, PaymentEvent, PaymentEventOf } from './payments/record.ts';
export type { PaymentEventType, PaymentRecord, ReviewItem } from './payments/record.ts';
export type { ReviewReason } from './payments/record.ts';
export type { Attempt, AttemptKind, AttemptState } from './payments/attempt.ts';
export type { EvidenceRow, StatusRow } from './payments/answer.ts';
export type { AttemptStep, TimelineEntry, TimelineFact } from './payments/timeline.ts';
export type { TimelineKind } from './payments/timeline.ts';
export { describeEntry, type TimelineLanguage } from './payments/timeline-text.ts';
export type { HintChange, HintSource, TransactionHint } from './payments/transaction-hint.ts';
export { columnsOf, recordOf, textOf } from './payments/document.ts';
export type { Columns, Name, AuditEntry } from './payments/document.ts';
export type { MerchantOrderId, SessionId, TransactionId } from './ids.ts';
export type { Amount, Currency, Money } from './money.ts';
export { formatAmount, type FormattedAmount } from './format-amount.ts';

// Stores, and the interface for one of your own.
export { sqliteStore, type SqliteStoreOptions } from './stores/sqlite/sqlite-store.ts';
export { postgresStore } from './stores/postgres/postgres-store.ts';
export type { PostgresStoreOptions, PostgresTransaction } from './stores/postgres/connections.ts';
export { everyOrder, HOOK_TIMEOUT_MS } from './stores/store.ts';
export type { Backlog, CommitHook, Delivery, DeliveryReport, FigureSpan } from './stores/store.ts';
export type { History, HitCount, Listing, MatterPage, MovedMoney } from './stores/store.ts';
export type { OrderPage, PaymentPage, Position, PutOffPage, QueuedEvent } from './stores/store.ts';
export type { Save, SaveResult, Schema, Search, ShortLived, SpanFigures } from './stores/store.ts';
export type { Store, StoreHealth, Taken, Taking, Wanted } from './stores/store.ts';
export { saveOf } from './flows/change-payment.ts';

// The gateway client.
export { createGatewayClient } from './gateway/gateway-client.ts';
export type { BreakerState, GatewayClient } from './gateway/gateway-client.ts';
export type { GatewayClientOptions } from './gateway/gateway-client.ts';
export type { GatewayAnswerEvent, GatewayCallEvent } from './gateway/diagnostics.ts';
export type { GatewayDriftEvent, GatewayEndEvent } from './gateway/diagnostics.ts';
export type { DriftKind, GatewaySendEvent } from './gateway/diagnostics.ts';
export type { Drift } from './gateway/diagnostics.ts';
export type { GatewayProfile } from './gateway/profile.ts';
export type { PortalSettings, Environment } from './gateway/settings.ts';
export { saleHash, type SaleHash, type SaleToSign } from './gateway/sale.ts';
export type { AmountInput, CustomerInput } from './gateway/fields.ts';
export type { PaymentLink, PaymentLinkInput } from './gateway/payment-links.ts';
export type { PollInput, Status, StatusInput, Transaction } from './gateway/status.ts';
export type { CaptureInput, MoneyMove, RecurringCharge } from './gateway/money-moves.ts';
export type { RecurringChargeInput, Refund, RefundInput } from './gateway/money-moves.ts';
export type { VoidInput } from './gateway/money-moves.ts';
export type { CardInput, Sale, SaleInput } from './gateway/sale.ts';
export type { CreatedWebhook, CreateWebhookInput, DeleteWebhookInput } from './gateway/portal.ts';
export type { UpdateWebhookInput, Webhook, ApiCredential } from './gateway/portal.ts';
export type { CreatedSdkToken, CreateSdkTokenInput, SdkToken } from './gateway/portal.ts';
export type { UpdateSdkTokenInput } from './gateway/portal.ts';
export { TransportError, type TransportRequest } from './gateway/transport.ts';
export type { Transport, TransportAnswer, TransportFault } from './gateway/transport.ts';
export type { CallOptions } from './gateway/call.ts';
export type { SealedBody } from './gateway/gateway-error.ts';
export { GatewayError, type GatewayErrorCode, type Outcome } from './gateway/gateway-error.ts';

// What is reported of the work.
export type { Step, StepEndEvent, StepEvent, Trigger, Attributes } from './telemetry.ts';
