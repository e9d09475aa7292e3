import { newestSessions, transactionsOf } from './tenant.ts';
import type { Tenant } from './tenant.ts';
import { amountFrom, balanceOf, isApproved, statusFrom } from './transaction.ts';
import type { LedgerEntry, Session, Transaction } from './transaction.ts';

/** A violated rule. */
export interface Violation {
  /** Which rule, in words that stay the same. */
  readonly rule: string;
  /** The session or the transaction that breaks it. */
  readonly id: string;
}

/** A rule about one session or one transaction; true: it holds. */
type Rule<Subject> = readonly [rule: string, holds: (subject: Subject) => boolean];

const transactionRules: readonly Rule<Transaction>[] = [
  [
    'refunded and pending refunds are at most what was captured',
    ({ entries }) => balanceOf(entries).refundableMinor >= 0,
  ],
  [
    'what was captured is at most what was authorized',
    ({ entries }) => balanceOf(entries).capturedMinor <= balanceOf(entries).authorizedMinor,
  ],
  ['every movement is a whole, positive amount', ({ entries }) => entries.every(isSound)],
  ['a movement ends once, and not before it began', ({ entries }) => entries.every(isTimely)],
  [
    'status and amount follow from the ledger',
    ({ entries, status, amountMinor }) =>
      status === statusFrom(entries) && amountMinor === amountFrom(entries),
  ],
  [
    'money moved only with the issuer’s approval',
    (transaction) => balanceOf(transaction.entries).capturedMinor === 0 || isApproved(transaction),
  ],
];

/** Everything that is wrong with a tenant's money; nothing ever should be. */
export function violationsOf(tenant: Tenant): readonly Violation[] {
  const violations: Violation[] = [];
  for (const session of newestSessions(tenant)) {
    const transactions = transactionsOf(tenant, session);
    for (const [rule, holds] of sessionRules(transactions)) {
      if (!holds(session)) violations.push({ rule, id: session.id });
    }
    for (const transaction of transactions) {
      for (const [rule, holds] of transactionRules) {
        if (!holds(transaction)) violations.push({ rule, id: transaction.id });
      }
    }
  }
  return violations;
}

function sessionRules(transactions: readonly Transaction[]): readonly Rule<Session>[] {
  const successes = transactions.filter(({ status }) => status === 'SUCCESS');
  return [
    ['a session is paid at most once', () => successes.length <= 1],
    [
      'a session is paid exactly when one of its transactions succeeded',
      ({ paidBy }) => paidBy === (successes[0]?.id ?? null),
    ],
    [
      'a session holds its own transactions, and all of them',
      ({ id, transactionIds }) =>
        transactionIds.length === transactions.length &&
        transactions.every(({ sessionId }) => sessionId === id),
    ],
    [
      'a payment is made for what its session asks',
      ({ amountMinor }) =>
        transactions.every(({ entries }) => entries[0]?.amountMinor === amountMinor),
    ],
  ];
}

function isSound({ amountMinor }: LedgerEntry): boolean {
  return Number.isSafeInteger(amountMinor) && amountMinor > 0;
}

function isTimely({ result, createdAt, finishedAt }: LedgerEntry): boolean {
  return result === 'pending'
    ? finishedAt === null
    : finishedAt !== null && finishedAt >= createdAt;
}
