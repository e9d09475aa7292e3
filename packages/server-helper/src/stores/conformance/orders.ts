import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { attemptName, sessionId, transactionId } from '../../ids.ts';
import { type Attempt, newAttempt } from '../../payments/attempt.ts';
import { apply, entryOf, type Name, newNames } from '../../payments/document.ts';
import { aboutTransaction, emptyRecord, eventAbout } from '../../payments/draft.ts';
import type * as Records from '../../payments/record.ts';
import {
  type Change,
  everyPaymentState,
  type Operation,
  type Payment,
  type PaymentRecord,
  type ReviewItem,
} from '../../payments/record.ts';
import type { PaymentPage, Save, Store } from '../store.ts';
import { NOW } from './case.ts';

export { lease, LEASE_MS, NOW, taking } from './case.ts';

type AnyStore = Store<unknown>;
type Stored = PaymentRecord | null;
/** A change, and an order's document, say this of a payment. */
type Paid = Pick<Change, 'payment'>;

export const idOf = ({ payment }: Paid): string => payment.orderId;

/** A change of a payment alone, or with more. */
export function changeOf(payment: Payment, rest: Partial<Change> = {}): Change {
  return { payment, attempts: [], ledger: [], reviews: [], operations: [], events: [], ...rest };
}

/** The change after another one, or of a document. */
export const after = ({ payment }: Paid, rest?: Partial<Change>, next?: Partial<Payment>): Change =>
  changeOf({ ...payment, ...next, version: payment.version + 1 }, rest);

/** The change that says when all of an order's attempts are checked next, and no more. */
export function watchedAt(record: PaymentRecord, at: number | null, rest?: Partial<Attempt>) {
  const attempts = record.attempts.map((one) => ({ ...one, nextCheckAt: at, ...rest }));
  return after(record, { attempts });
}

const AMOUNT = { minorUnits: 11_500, currency: 'SAR' } as const;

/** The changes that make an order and open a link for it. */
export function openOrder(createdAt = NOW, dueAt = createdAt + 15_000, id?: string) {
  const orderId = id ?? randomUUID();
  const creating = newAttempt({ orderId, number: 1, kind: 'link', amount: AMOUNT }, createdAt);
  const redirectUrl = 'https://gateway.example/checkout?sessionId=1';
  const link = { sessionId: sessionId(randomUUID()), redirectUrl, nextCheckAt: dueAt };
  const payment: Payment = { ...emptyRecord(orderId, AMOUNT, createdAt).payment, version: 1 };
  const reserved = changeOf(payment, { attempts: [creating] });
  const open: Attempt = { ...creating, state: 'open', ...link };
  const pending = { state: 'pending', currentAttempt: 1 } as const;
  return { reserved, opened: after(reserved, { attempts: [open] }, pending) };
}

/** The change that opens a second link for an order. */
export function secondLink(record: PaymentRecord, session: string, nextCheckAt = NOW): Change {
  const merchantOrderId = attemptName(idOf(record), 2);
  const link = { number: 2, merchantOrderId, sessionId: sessionId(session), nextCheckAt };
  return after(record, { attempts: record.attempts.map((one) => ({ ...one, ...link })) });
}

/** The change that pays an order by a transaction. */
export function paidChange(before: Paid, transaction: string = randomUUID()): Change {
  const { orderId, amount } = before.payment;
  const id = transactionId(transaction);
  const paid = { state: 'paid', transactionId: id, capturedMinorUnits: amount.minorUnits } as const;
  const row = { attemptNumber: 1, refundedMinorUnits: 0, recordedAt: NOW };
  const ledger = [{ transactionId: id, orderId, kind: 'payment' as const, amount, ...row }];
  const change = after(before, { ledger }, paid);
  return { ...change, events: [eventAbout(change.payment, 'paid', NOW, aboutTransaction(id))] };
}

/** An event of an order. Its id says nothing about the order of events. */
export function eventOf({ payment }: Paid, type: Records.PaymentEventType): Records.PaymentEvent {
  const event = eventAbout(payment, 'paid', NOW, aboutTransaction(transactionId('t')));
  return { ...event, type, id: `${payment.orderId}/${randomUUID()}` } as Records.PaymentEvent;
}

/** A review of an order: an open one, unless `rest` says more. */
export function reviewOf(order: Paid, reason: ReviewItem['reason'], rest?: Partial<ReviewItem>) {
  const open = { createdAt: NOW, resolvedAt: null, resolution: null, resolvedBy: null };
  return { orderId: idOf(order), reason, subject: randomUUID(), ...open, ...rest };
}

/** A refund that is about to be sent, unless `rest` says more. */
export function refundOf({ payment }: Paid, id: string, rest?: Partial<Operation>): Operation {
  const { orderId, transactionId: of } = payment;
  const terms = { kind: 'refund', state: 'sending', terms: 'refund 20.00' } as const;
  const amount = { minorUnits: 2_000, currency: 'SAR' } as const;
  const about = { attemptNumber: 1, transactionId: of, amount, baselineMinorUnits: 0 };
  const people = { owner: randomUUID(), requestedBy: 'Noura', approvedBy: null, resolvedBy: null };
  const open = { createdAt: NOW, sentAt: NOW, updatedAt: NOW, reference: null, reason: null };
  return { id, orderId, requestId: id, ...terms, ...about, ...people, ...open, ...rest };
}

/** Money that an order took at a moment, unless `rest` says more. */
export function movementOf(order: Paid, recordedAt: number, rest?: Partial<Records.Movement>) {
  const taken = { kind: 'taken', minorUnits: 11_500, currency: 'SAR', confirmMs: null } as const;
  return { orderId: idOf(order), recordedAt, ...taken, ...rest };
}

export function saveOf(before: Stored, change: Change, rest: Partial<Save> = {}): Save {
  const record = apply(before, change);
  const written = { names: newNames(before, record), entry: entryOf(before, change) };
  return { record, ...written, events: change.events, movements: [], at: NOW, ...rest };
}

/** Saves a change; answers with the document after it. */
export async function savedIn(...[store, ...saving]: [AnyStore, ...Parameters<typeof saveOf>]) {
  const save = saveOf(...saving);
  assert.equal((await store.save(save)).outcome, 'saved');
  return save.record;
}

/** Saves a new order with an open link. */
export async function openedIn(store: AnyStore, ...times: Parameters<typeof openOrder>) {
  const { reserved, opened } = openOrder(...times);
  return savedIn(store, await savedIn(store, null, reserved, { mayBeLost: true }), opened);
}

/** A payment that is not saved. */
export const unsaved = (): Paid => ({ payment: emptyRecord(randomUUID(), AMOUNT, NOW).payment });

/** Saves a new order of which nothing was asked. */
export const createdIn = (store: AnyStore, rest: Partial<Payment>): Promise<PaymentRecord> =>
  savedIn(store, null, after(unsaved(), {}, rest));

/** The ids of the listed payments: of all that there are, unless `asked` says less. */
export async function listed(store: AnyStore, asked: Partial<PaymentPage>) {
  const below = { createdAt: Number.MAX_SAFE_INTEGER, orderId: '' };
  const all = { of: 'payments', states: everyPaymentState, since: 0, below, limit: 100 } as const;
  return (await store.list({ ...all, ...asked })).map(idOf);
}

export const namedIn = (store: AnyStore, ...names: readonly Name[]) =>
  listed(store, { search: { orderId: '', beginnings: [], names } });
