import { violationsOf } from '../../domain/money/invariants.ts';
import type { Transaction } from '../../domain/transaction/transaction.ts';
import { CoreRun } from './core-run.ts';
import { Model } from './model.ts';
import type { ModelPayment } from './model.ts';
import type { Move } from './moves.ts';
import { play } from './play.ts';

const start = Date.UTC(2030, 0, 1);

/**
 * Plays moves on the core and on the model side by side. Throws where they part, where a webhook
 * reports what the ledger does not hold, and where the money does not add up.
 */
export function drive(moves: readonly Move[]): void {
  const run = new CoreRun();
  const model = new Model(start);
  for (const [index, move] of moves.entries()) {
    model.catchUp();
    const { expected, got } = play(model, run, move);
    // What a move sets for its own instant happens with it.
    model.catchUp();
    // A move that found nothing to act on called no one, so time is noticed here.
    if (expected === '') run.execute({ kind: 'tick' }, model.now);
    const at = `move ${index} (${move.kind})`;
    same(`${at}: reply`, got, expected);
    compareEvents(at, model, run);
    for (const payment of model.payments) compareRow(at, payment, model, run);
    compareSessions(at, model, run);
  }
  const violations = violationsOf(run.tenant);
  same('violations', JSON.stringify(violations), '[]');
}

function compareEvents(at: string, model: Model, run: CoreRun): void {
  const told = run.events.map((event) => {
    const transaction: Transaction | undefined = run.tenant.transactions.get(event.transactionId);
    const entry = transaction?.entries.find(({ id }) => id === event.entryId);
    const isHeld = entry !== undefined && entry.amountMinor === event.amountMinor;
    if (!isHeld) throw new Error(`${at}: the webhook ${event.id} has no ledger entry`);
    const copies = event.plan.copies;
    return `${event.type} ${event.status} ${event.amountMinor} x${copies}`;
  });
  same(`${at}: events`, told.join(), model.events.join());
  run.events = [];
  model.events = [];
}

function compareRow(at: string, payment: ModelPayment, model: Model, run: CoreRun): void {
  const row = run.row(payment.id, model.now);
  for (const [name, value] of Object.entries(model.row(payment))) {
    same(`${at}: ${name} of ${payment.id}`, row[name], value);
  }
}

function compareSessions(at: string, model: Model, run: CoreRun): void {
  for (const session of model.sessions) {
    const known = run.tenant.sessions.get(session.id);
    same(`${at}: ${session.id} is paid by`, known?.paidBy ?? null, session.paidBy?.id ?? null);
  }
}

function same(what: string, got: unknown, expected: unknown): void {
  if (got === expected) return;
  throw new Error(`${what} is ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`);
}
