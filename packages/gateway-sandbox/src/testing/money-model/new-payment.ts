import type { Transaction } from '../../domain/transaction/transaction.ts';
import { cardOf } from './model.ts';
import type { Model, ModelPayment, ModelVerdict } from './model.ts';

/** The core's answer to a move and the model's, as short texts. */
export interface Played {
  readonly got: string;
  readonly expected: string;
}

/** What the model decides; a payment that is cut takes no armed outcome, since none decided. */
export function verdictFor(
  model: Model,
  operation: string,
  cardIndex: number,
  amount: number,
): { text: string; verdict: ModelVerdict | null } {
  const isCharge = operation === 'chargeRecurring';
  const verdict = model.decide(model.takeArmed(operation), cardOf(cardIndex), amount, isCharge);
  if (verdict === null) return { text: 'cut', verdict: null };
  return { text: `decided by ${verdict.by}: ${verdict.code ?? 'open'}`, verdict };
}

/** Takes a payment over into the model, decided as the model says. */
export function addPayment(
  model: Model,
  { id, paymentId, recurringToken, challenge }: Transaction,
  verdict: ModelVerdict,
  about: Pick<ModelPayment, 'session' | 'isSale' | 'isAuthorization' | 'amount' | 'form'>,
): void {
  const { waitMs } = verdict;
  const limit = verdict.challenge === null || verdict.challenge.hangs ? null : 600_000;
  const dueIn = waitMs ?? limit;
  const payment: ModelPayment = {
    ...about,
    id,
    paymentId,
    token: recurringToken,
    createdAt: model.now,
    magic: verdict.by === 'magic-amount' ? about.amount : null,
    state: 'open',
    challenge:
      verdict.challenge === null
        ? null
        : { ...verdict.challenge, id: challenge?.id ?? '', wrong: 0 },
    due:
      dueIn === null
        ? null
        : { at: model.now + dueIn, code: waitMs === null ? '3T' : (verdict.code ?? '') },
    captured: 0,
    isVoided: false,
    isRevoked: false,
    refunds: [],
  };
  model.payments.push(payment);
  if (verdict.code !== null && waitMs === null) {
    model.settle(payment, verdict.code);
  } else if (payment.challenge === null) {
    model.tell(payment.isAuthorization ? 'Authorization' : 'Purchase', 'Pending', payment.amount);
  } else if (payment.isSale) {
    model.tell(payment.isAuthorization ? 'Authorization' : 'Purchase', 'Redirect', payment.amount);
  }
}

/** The element that a move's number stands for, whatever there is so far. */
export function at<One>(list: readonly One[], index: number): One | undefined {
  return list[index % Math.max(list.length, 1)];
}
