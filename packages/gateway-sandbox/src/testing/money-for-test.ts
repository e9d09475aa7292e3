import type { Reply } from '../domain/step.ts';
import { findTestCard } from '../domain/cards.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { ArmableOperation } from '../domain/tenant.ts';
import { CoreRun } from './money-model/core-run.ts';

/** When the sale is made. */
export const start = Date.UTC(2030, 0, 1);

export const yearMs = 365 * 24 * 3_600_000;

/** The core with one sale in it, and the moves that a merchant can make. */
export class MoneyForTest {
  readonly run = new CoreRun();
  readonly id: string;
  now = start;

  constructor(auth: 'Y' | 'N', amountMinor = 11_500, card = '4201320111111010') {
    const found = findTestCard(card);
    if (found === null) throw new Error('no such card');
    const request = {
      merchantOrderId: 'order-1',
      amountMinor,
      currency: 'SAR',
      successUrl: 'https://shop.example/s',
      failureUrl: 'https://shop.example/f',
      customerName: null,
      customerKey: null,
      auth,
      recurringInit: 'Y',
    } as const;
    const entry = { card: found, goodUntil: start + yearMs, cvvDeclines: false };
    const reply = this.run.execute(
      { kind: 'sale', environment: 'staging', request, entry },
      this.now,
    );
    if (reply.kind !== 'decided') throw new Error('the sale was cut');
    this.id = reply.transaction.id;
  }

  get transaction() {
    return this.run.tenant.transactions.get(this.id);
  }

  move(
    kind: 'capture' | 'refund',
    amountMinor: number,
    transactionId = this.id,
  ): Reply<'capture' | 'refund'> {
    const name = { environment: 'staging', sameId: false, transactionId } as const;
    return this.run.execute({ kind, ...name, amountMinor }, this.now);
  }

  void(transactionId = this.id): Reply<'void'> {
    const name = { environment: 'staging', sameId: false, transactionId } as const;
    return this.run.execute({ kind: 'void', ...name }, this.now);
  }

  endRefund(refundId: string, succeeds: boolean) {
    return this.run.execute({ kind: 'end-refund', refundId, succeeds }, this.now);
  }

  arm(outcome: Outcome, operation: ArmableOperation) {
    const one = { outcome, operation, merchantOrderId: null };
    this.run.execute({ kind: 'arm-next', ...one }, this.now);
  }

  later(milliseconds: number): void {
    this.now += milliseconds;
    this.run.execute({ kind: 'tick' }, this.now);
  }
}
