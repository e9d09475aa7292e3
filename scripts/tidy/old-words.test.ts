import { describe, expect, it } from 'vitest';
import { oldWords } from './old-words.ts';

const advice = (text: string): string | undefined =>
  oldWords.find(({ pattern }) => pattern.test(text))?.advice;

describe('the words that a rename replaced', () => {
  it.each([
    ['await store.beginLook(request)', 'status check'],
    ['record.nextLookAt', 'status check'],
    ['next_look_at timestamptz', 'status check'],
    ['between two looks at an order', 'status check'],
    ['import type { Look, Store }', 'status check'],
    ['an intent is stored', 'operation'],
    ['intentId', 'operation'],
    ['orderOfIntent(id)', 'operation'],
    ['INSERT INTO pay_intents', 'operation'],
    ["payments.settle(id, 'done')", 'resolveOperation'],
    ["{ state: 'settled' }", 'succeeded'],
    ['isSettled(payment)', 'hasMoney'],
    ['doubtful money', 'discrepancy'],
    ['aDoubt', 'discrepancy'],
    ['deadEvents: 3', 'dead letter'],
    ['ToldRow', 'status row'],
    ['the whole story of an order', 'timeline'],
    ['StoryKind', 'timeline'],
    ['CheckoutDoor', 'Dependencies'],
    ['BY_ITSELF', 'batch'],
    ['PATIENCE_MS', 'time limit'],
    ["ifPutOff: 'wait'", 'onThrottled'],
    ['isOurs', 'matchesAttempt'],
    ['nobody’s rows', 'unowned'],
    ['Whoever sends one', 'caller'],
    ['what stands there', 'stored row'],
    ['a void frees the hold', 'authorization'],
    ['parts.courier', 'webhook dispatcher'],
    ['the fault struck', 'injected'],
    ['Weather', 'fault profile'],
    ['usualAftermath', 'side effects'],
    ['qa-desk.ts', 'test console'],
    ['the keeper of a server', 'process guard'],
    ['Saboteur', 'bug injector'],
    ['three truths', 'source comparison'],
    ['a victim', 'affected order'],
    ['BREATH', 'pause'],
    ['given back in full', 'refunded'],
    ['Tries that were paid', 'paid attempts'],
    ['إعادة المبلغ', 'استرداد'],
  ])('are found in "%s", with the new word "%s"', (text, word) => {
    expect(advice(text)).toContain(word);
  });

  it.each([
    'look at the log',
    'the look of the button',
    'PaymentIntent',
    'intentional',
    'Promise.allSettled(calls)',
    'settlesRefundsAtOnce',
    'no doubt',
    'store.history(orderId)',
    'the timeline has three lanes',
    'the help desk',
    'holds a lock',
    'hold one against the other',
    'the truth of the gateway',
    'استُرد المبلغ',
  ])('leave "%s" alone', (text) => {
    expect(advice(text)).toBeUndefined();
  });
});
