/**
 * What the command line and the back office use beside the public API: whoever writes a command or an office of
 * their own has the same. Other than the API's, these names may change with any release.
 */
import '../supported-node.js';

export { collectBody, readBody } from './edges/body.ts';
export { LATE } from './edges/health.ts';
export { type Answer, type EdgeRequest, placeBelow, seeOther } from './edges/http.ts';
export { languagesOf, plainPage, problem } from './edges/problem.ts';
export { handledTypes } from './flows/background/tick.ts';
export { loadPayment } from './flows/change-payment.ts';
export { compareAttempt, type Contradiction, type StatusReadings } from './flows/confirm/ask.ts';
export { leaveHints } from './flows/confirm/confirm-order.ts';
export { dayAt, MAX_DAYS, nextDay, startOfDay } from './days.ts';
export type { FlowContext } from './flows/flow-context.ts';
export { listPayments } from './flows/list-payments.ts';
export { readWhy } from './flows/money/money-input.ts';
export { noPayment } from './flows/money/money-operation.ts';
export { createRecurringTokens } from './flows/money/recurring-tokens.ts';
export { findEntry, isOutdated, openProposals, reviewVerbs } from './flows/money/review-verbs.ts';
export { archivePage } from './flows/store-opening.ts';
export { explanationOf, operationOf } from './flows/views.ts';
export { withDeadline } from './flows/waiting.ts';
export { refusedWith } from './gateway/answer.ts';
export { entryOf } from './gateway/diagnostics.ts';
export { type Fields, isFields } from './gateway/fields.ts';
export type { OperationName } from './gateway/gateway-error.ts';
export { messagesOf, parseJson, statusIn } from './gateway/meaning.ts';
export { valueAt } from './gateway/operation.ts';
export { changeOf, operations, type Profile, readProfile } from './gateway/profile.ts';
export { maskedKey, quotable, withoutPersonal } from './gateway/quotable.ts';
export { isThisMachine, readClientSettings } from './gateway/settings.ts';
export { asPage, lackOf } from './gateway/status.ts';
export { poolTransport } from './gateway/transport.ts';
export { mistakesIn } from './options/check-options.ts';
export { type EnvironmentSettings, inEnvironmentWords } from './options/environment.ts';
export { readEnvironment, sqliteFileOf } from './options/environment.ts';
export { pathRule, publicMountOf, routesOf } from './options/wiring.ts';
export { storeFromUrl } from './payments-from-env.ts';
export { type KeyTrial, partsOf, type PaymentsParts } from './payments-parts.ts';
export { acceptMoney, moneyOfReview } from './payments/accept-money.ts';
export { isMoney } from './payments/answer.ts';
export { isAskable } from './payments/attempt.ts';
export { takenOf } from './payments/document.ts';
export { isSamePerson, type KnownPerson } from './payments/money-decision.ts';
export { PERSON_ID, personText } from './payments/money-decision.ts';
export { everyPaymentState, hasMoney } from './payments/record.ts';
export { type MoneyRequest, targetOf } from './payments/refund.ts';
export { reviewId } from './payments/reviews.ts';
export { adviceOf, databaseErrorIn, faultText, storeFaultOf } from './stores/database-error.ts';
export { migrations as mysqlMigrations } from './stores/mysql/migrations.ts';
export { migrations as postgresMigrations } from './stores/postgres/migrations.ts';
export { asScript, migrationSql } from './stores/sql.ts';
export { migrations as sqliteMigrations } from './stores/sqlite/migrations.ts';
export { MAX_COUNTED } from './stores/store.ts';
