import type { CoreRun } from './core-run.ts';
import type { Model, ModelPayment } from './model.ts';
import type { Move } from './moves.ts';
import { addPayment, at, verdictFor } from './new-payment.ts';
import type { Played } from './new-payment.ts';

const nothing: Played = { got: '', expected: '' };
const unknown = 'unknown-transaction';

type MoneyMove = Extract<
  Move,
  { kind: 'capture' | 'void' | 'refund' | 'end-refund' | 'charge' | 'revoke' }
>;

/** Makes a move that is about a payment which there is already. */
export function playMoneyMove(model: Model, run: CoreRun, move: MoneyMove): Played {
  const payment = at(model.payments, move.payment);
  if (payment === undefined) return nothing;
  if ('isKnown' in move && !move.isKnown) return askForUnknown(model, run, move.kind);
  switch (move.kind) {
    case 'capture':
      return capture(model, run, payment, sizeOf(move.part, payment.amount));
    case 'void':
      return giveUp(model, run, payment);
    case 'refund':
      return refund(model, run, payment, move);
    case 'end-refund':
      return endRefund(model, run, payment, move.succeeds);
    case 'charge':
      return charge(model, run, payment, move);
    case 'revoke': {
      if (payment.token === null) return nothing;
      payment.isRevoked = true;
      run.execute({ kind: 'revoke-token', recurringToken: payment.token }, model.now);
      return nothing;
    }
  }
}

function askForUnknown(model: Model, run: CoreRun, kind: 'capture' | 'void'): Played {
  const name = nameOf('none');
  const reply =
    kind === 'capture'
      ? run.execute({ kind, ...name, amountMinor: 1 }, model.now)
      : run.execute({ kind, ...name }, model.now);
  return { got: reply.kind, expected: unknown };
}

function sizeOf(part: 'one' | 'half' | 'all' | 'above', whole: number): number {
  return {
    one: 1,
    half: Math.max(Math.floor(whole / 2), 1),
    all: Math.max(whole, 1),
    above: whole + 1,
  }[part];
}

function nameOf(transactionId: string) {
  return { environment: 'staging', sameId: false, transactionId } as const;
}

/** Why nothing is held, or null. */
function authorizationFault({
  isAuthorization,
  captured,
  isVoided,
  state,
}: ModelPayment): string | null {
  if (!isAuthorization) return 'no-authorization';
  if (captured > 0) return 'already-captured';
  if (isVoided) return 'voided';
  return state === 'approved' ? null : 'not-authorized';
}

function capture(model: Model, run: CoreRun, payment: ModelPayment, amountMinor: number): Played {
  const got = run.execute({ kind: 'capture', ...nameOf(payment.id), amountMinor }, model.now).kind;
  const fault =
    authorizationFault(payment) ?? (amountMinor > payment.amount ? 'above-authorized' : null);
  if (fault !== null) return { got, expected: fault };
  const armed = model.takeArmed('capture');
  const declines = armed === null ? payment.magic === 990_802 : armed !== 'approve';
  model.tell('Capture', declines ? 'Declined' : 'Approved', amountMinor);
  if (!declines) payment.captured = amountMinor;
  return { got, expected: declines ? 'declined' : 'accepted' };
}

function giveUp(model: Model, run: CoreRun, payment: ModelPayment): Played {
  const got = run.execute({ kind: 'void', ...nameOf(payment.id) }, model.now).kind;
  const fault = authorizationFault(payment);
  if (fault === 'no-authorization' && payment.captured > 0) {
    return { got, expected: 'already-captured' };
  }
  if (fault !== null) return { got, expected: fault };
  payment.isVoided = true;
  model.tell('Void', 'Approved', payment.amount);
  return { got, expected: 'accepted' };
}

function refund(
  model: Model,
  run: CoreRun,
  payment: ModelPayment,
  { part, by }: Extract<Move, { kind: 'refund' }>,
): Played {
  const left = model.refundable(payment);
  const amountMinor = sizeOf(part, left);
  const sessionId = payment.session?.id ?? run.tenant.transactions.get(payment.id)?.sessionId ?? '';
  const ids = {
    transaction: payment.id,
    session: sessionId,
    payment: payment.paymentId,
    other: 'none',
  };
  const name = { ...nameOf(ids[by]), amountMinor };
  const reply = run.execute({ kind: 'refund', ...name }, model.now);
  const got = reply.kind;
  if (by !== 'transaction') return { got, expected: unknown };
  if (payment.captured === 0) return { got, expected: 'nothing-taken' };
  if (amountMinor > left) return { got, expected: 'above-balance' };
  const armed = model.takeArmed('refund');
  const isFirst = payment.refunds.length === 0;
  const fails = armed === null ? payment.magic === 990_801 && isFirst : armed !== 'approve';
  const id = reply.kind === 'accepted' ? reply.entry.id : '';
  payment.refunds.push({
    id,
    amount: amountMinor,
    dueAt: model.now + 2000,
    fails,
    result: 'pending',
  });
  return { got, expected: 'accepted' };
}

function endRefund(
  model: Model,
  run: CoreRun,
  { refunds }: ModelPayment,
  succeeds: boolean,
): Played {
  const last = refunds.at(-1);
  if (last === undefined) return nothing;
  const got = run.execute({ kind: 'end-refund', refundId: last.id, succeeds }, model.now).kind;
  if (last.result !== 'pending') return { got, expected: 'already-ended' };
  model.endRefund(last, succeeds);
  return { got, expected: 'ended' };
}

function charge(
  model: Model,
  run: CoreRun,
  origin: ModelPayment,
  { tokenOf, amount }: Extract<Move, { kind: 'charge' }>,
): Played {
  const owner = at(model.payments, tokenOf) ?? origin;
  const fault = model.tokenFault(origin, owner);
  const reply = run.execute(
    {
      kind: 'charge-recurring',
      ...nameOf(origin.id),
      recurringToken: owner.token ?? 'none',
      amountMinor: amount,
      order: { number: 'charge', currency: 'SAR' },
    },
    model.now,
  );
  if (reply.kind !== 'decided') {
    const got = reply.kind === 'declined' ? reply.reason : reply.kind;
    return { got, expected: fault ?? 'decided' };
  }
  const { decidedBy, responseCode } = reply.transaction;
  const got = `decided by ${decidedBy}: ${responseCode ?? 'open'}`;
  if (fault !== null) return { got, expected: fault };
  const { text, verdict } = verdictFor(model, 'chargeRecurring', 0, amount);
  const about = { session: null, isSale: false, isAuthorization: false, amount, form: null };
  if (verdict !== null) addPayment(model, reply.transaction, verdict, about);
  return { got, expected: text };
}
