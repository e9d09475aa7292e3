import { describe, expect, test } from 'vitest';
import { refundSettlesMs } from '../money/movements.ts';
import { newestDeliveries } from '../webhooks/outbox.ts';
import { start, yearMs } from '../../testing/money-for-test.ts';
import { CoreRun } from '../../testing/money-model/core-run.ts';
import { findTestCard } from './cards.ts';

const approved = '4201320111111010';
const declined = '4201320000311101';
const challenged = '4508750015741019';

/** A customer who pays links, and a merchant who listens. */
class PaymentsForTest {
  readonly run = new CoreRun();
  #links = 0;

  pay(number: string, goodUntil: number = start + yearMs) {
    const card = findTestCard(number);
    if (card === null || card === undefined) throw new Error('no such card');
    this.#links += 1;
    const created = this.run.execute(
      {
        kind: 'create-link',
        environment: 'staging',
        request: {
          merchantOrderId: `order-${this.#links}`,
          amountMinor: 11_500,
          currency: 'SAR',
          customerName: null,
          customerKey: 'a customer',
          successUrl: 'https://shop.example/s',
          failureUrl: 'https://shop.example/f',
        },
      },
      start,
    );
    if (created.kind !== 'created') throw new Error('the order is there already');
    const entry = { card, goodUntil, cvvDeclines: false };
    const { id: sessionId } = created.session;
    const reply = this.run.execute(
      { kind: 'pay', sessionId, means: { kind: 'card', entry }, choice: null, formKey: null },
      start,
    );
    if (reply.kind !== 'decided') throw new Error('the payment was not decided');
    return reply.transaction;
  }

  refund(transactionId: string): void {
    const name = { environment: 'staging', sameId: false, transactionId } as const;
    this.run.execute({ kind: 'refund', ...name, amountMinor: 100 }, start);
  }

  /** Until when the customer's saved cards are good, oldest first. */
  get savedCards(): readonly number[] {
    const { savedByCustomer, savedCards } = this.run.tenant;
    const ids = savedByCustomer.get('staging a customer') ?? [];
    return ids.map((id) => savedCards.get(id)?.card.goodUntil ?? NaN);
  }
}

describe('a typed card', () => {
  test('is saved when it is approved, and once', () => {
    const payments = new PaymentsForTest();
    payments.pay(approved);
    payments.pay(approved);
    expect(payments.savedCards).toEqual([start + yearMs]);
  });

  test('is not saved when it is declined', () => {
    const payments = new PaymentsForTest();
    expect(payments.pay(declined).status).toBe('FAILED');
    expect(payments.savedCards).toEqual([]);
  });

  test('is saved when its challenge is passed, and not before', () => {
    const payments = new PaymentsForTest();
    const { challenge } = payments.pay(challenged);
    expect(payments.savedCards).toEqual([]);
    const challengeId = challenge?.id ?? '';
    const answer = { kind: 'answer-challenge', challengeId, otp: '123456' } as const;
    payments.run.execute(answer, start);
    expect(payments.savedCards).toEqual([start + yearMs]);
  });

  test('keeps the newer expiry, in any state of an older payment with it', () => {
    const payments = new PaymentsForTest();
    const { id } = payments.pay(approved);
    payments.pay(approved, start + 2 * yearMs);
    payments.refund(id);
    expect(payments.savedCards).toEqual([start + 2 * yearMs]);
  });
});

test('every change of a payment is due at the webhook that subscribed to it', () => {
  const payments = new PaymentsForTest();
  const given = { environment: 'staging', url: 'https://shop.example/w', active: true } as const;
  payments.run.execute({ kind: 'create-webhook', ...given, events: [] }, start);
  const { id } = payments.pay(approved);
  const due = (): string[] =>
    [...newestDeliveries(payments.run.tenant)].map(({ event }) => event.id);
  const reports = (): string[] => payments.run.events.toReversed().map((event) => event.id);
  expect(due()).toEqual(reports());
  payments.refund(id);
  payments.run.execute({ kind: 'tick' }, start + refundSettlesMs);
  expect(due()).toEqual(reports());
  expect(reports()).toHaveLength(2);
});
