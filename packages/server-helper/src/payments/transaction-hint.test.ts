import { expect, it } from 'vitest';
import { NOW } from '../../test-support/records.ts';
import { transactionId } from '../ids.ts';
import {
  changedHints,
  hasSign,
  hintsToAsk,
  type HintSource,
  SIGN_OF_MONEY,
  type TransactionHint,
} from './transaction-hint.ts';

// Anyone can send webhooks, and with them ids of any kind. None may push out the order's own.

/** An order's hints after some ids, one a second. */
const after = (hints: readonly TransactionHint[], source: HintSource, ...ids: readonly string[]) =>
  ids.reduce((stored, id, index) => {
    const noted = [{ transactionId: transactionId(id), source }];
    return changedHints(stored, { noted }, NOW + index * 1_000);
  }, hints);

const forged = (count: number) => Array.from({ length: count }, (_, index) => `forged-${index}`);
const isNoted = (hints: readonly TransactionHint[]) =>
  hints.some((hint) => hint.transactionId === 'own');
const isAsked = (hints: readonly TransactionHint[]) => isNoted(hintsToAsk(hints, []).asked);

it.each(['return', 'signed'] as const)('an id that a %s brings finds room', (source) => {
  expect(isAsked(after(after([], 'unsigned', ...forged(40)), source, 'own'))).toBe(true);
});

it('an id that was there before a flood stays, and is asked about first', () => {
  expect(isAsked(after([], 'unsigned', 'own', ...forged(40)))).toBe(true);
});

it('an id that finds no room leaves a sign of money, until another one was answered', () => {
  const full = after([], 'unsigned', ...forged(5));
  const none = after(full, 'unsigned', 'own');
  expect([isNoted(none), hasSign(none, SIGN_OF_MONEY)]).toEqual([false, true]);
  const answered = changedHints(full, { answered: [transactionId('forged-3')] }, NOW);
  const noted = after(answered, 'unsigned', 'own');
  expect([isNoted(noted), hasSign(noted, SIGN_OF_MONEY)]).toEqual([true, false]);
});

it('ids that need no question, such as the order’s own sessions, keep out no other', () => {
  const hints = after([], 'return', 'session-1', 'session-2', 'session-3', 'own');
  const { asked, needless } = hintsToAsk(hints, ['session-1', 'session-2', 'session-3']);
  expect([isNoted(asked), needless]).toEqual([true, ['session-1', 'session-2', 'session-3']]);
});
