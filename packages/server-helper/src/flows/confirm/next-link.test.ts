import { expect, it } from 'vitest';
import { aRow } from '../../../test-support/records.ts';
import { saveChange } from '../../../test-support/save-change.ts';
import { notFound } from '../../../test-support/simulated-answers.ts';
import { failure } from '../../../test-support/simulated-transactions.ts';
import { timeAt, toldLink } from '../../../test-support/told-link.ts';
import { manualClock } from '../../doubles/manual-clock.ts';
import { noteRefusedQuestion } from '../../gateway/answer.ts';
import { notePart, type Status } from '../../gateway/status.ts';
import { silentLogger } from '../../logger.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import type { FlowContext } from '../flow-context.ts';
import { lacksEvidence, requireFreshEvidence } from './confirm-order.ts';

// Whether another link, a sale or a cancellation may follow one, by what the gateway says of it at each age.

const rowsOf = (...words: readonly string[]): Status => ({
  transactions: words.map((word) => aRow({ transactionStatus: word, paymentStatus: word })),
});

const refusal = failure('retrieveStatus', 'rejected');
noteRefusedQuestion(refusal, 410);
const part = rowsOf('FAILED');
notePart(part, part.transactions, { missing: 1 });

/** What the gateway says; it throws an error. */
const says = {
  'no answer': failure('retrieveStatus', 'unknown'),
  'a refusal': refusal,
  'a 404': notFound(),
  'no rows': rowsOf(),
  'a pending try': rowsOf('PENDING'),
  'a declined try': rowsOf('FAILED'),
  'a part': part,
  'no transaction': notFound(),
};

async function mayFollow(said: keyof typeof says, told: string): Promise<boolean> {
  const { record, start, has } = toldLink(told);
  const store = memoryStore();
  const retrieveStatus = async (): Promise<Status> => {
    const answer = says[said];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  await saveChange(store, { ...record, payment: { ...record.payment, version: 1 }, events: [] });
  const context: Partial<FlowContext<undefined>> = {
    store,
    clock: manualClock(start),
    random: () => 0,
    logger: silentLogger,
    gateway: { retrieveStatus } as unknown as FlowContext<undefined>['gateway'],
    readings: {
      asksFor: said === 'no transaction' ? 'transaction' : 'session',
      notFound: 'unknown',
      afterEnd: has('ends gone') ? 'gone' : 'unknown',
      areHintsSigned: has('signed webhooks'),
    },
  };
  const asked = requireFreshEvidence(context as FlowContext<undefined>, '1001', 'it was not made');
  return asked.then(
    () => true,
    (error: { readonly code: string }) => {
      expect(error.code).toBe('not_confirmed');
      return false;
    },
  );
}

it.each<[said: keyof typeof says, told: string, may: boolean]>([
  ['no answer', '', false],
  ['no answer', 'closed, asked 300:00', false],
  ['a part', '', false],
  ['a part', 'closed, asked 300:00', false],
  // A refusal: once time has ended the link, or the end of each try was shown, and no hint is open.
  ['a refusal', '', false],
  ['a refusal', 'closed, asked 300:00', true],
  ['a refusal', 'closed, hinted 299:00, asked 300:00', false],
  ['a refusal', 'shown 48:15, asked 49:00', true],
  ['a refusal', 'shown 48:14, asked 49:00', false],
  ['a refusal', 'shown undecided 48:15, asked 49:00', false],
  ['a refusal', 'shown 48:15, hinted 48:30, asked 49:00', false],
  // A 404: nothing was paid yet, unless a hint says so or the link was known.
  ['a 404', '', true],
  ['a 404', 'hinted 0:55, asked 1:00', false],
  ['a 404', 'hinted 0:55, explained 0:55, asked 1:00', true],
  ['a 404', 'shown 0:05, asked 0:10', false],
  ['a 404', 'shown 0:30, asked 1:00', false],
  ['a 404', 'hinted 40:00, shown 40:20, asked 50:00', false],
  ['a 404', 'closed, order expired, hinted 40:00, shown 40:20, asked 300:00', true],
  ['a 404', 'closed, hinted 299:00, asked 300:00', false],
  ['a 404', 'ends gone, asked 49:00', true],
  ['a 404', 'ends gone, hinted 48:59, asked 49:00', false],
  // No rows.
  ['no rows', '', true],
  ['no rows', 'hinted 0:55, asked 1:00', true],
  ['no rows', 'success return 0:55, hinted 0:55, asked 1:00', false],
  ['no rows', 'signed webhooks, hinted 0:55, asked 1:00', false],
  // A link on offer takes the try; a page that takes no more cards may have taken another one.
  ['a pending try', '', true],
  ['a pending try', 'success return 0:55, hinted 0:55, asked 1:00', false],
  ['a pending try', 'withdrawn, asked 47:59', false],
  ['a pending try', 'withdrawn, asked 48:00', true],
  ['a pending try', 'withdrawn, without a session', true],
  ['a declined try', 'withdrawn', true],
  // A card that was charged waits for its money, and a person who has the link for their decision.
  ['a pending try', 'charged', false],
  ['a pending try', 'charged, resolved 3:00, asked 4:00', true],
  ['a 404', 'opened 0:30, asked 1:00', false],
  ['a 404', 'hinted 0:30, resolved 0:45, asked 1:00', true],
  ['no answer', 'closed, resolved 250:00, asked 300:00', true],
  ['no answer', 'closed, resolved 250:00, hinted 260:00, asked 270:00', false],
  // At a gateway that is asked by transactions, and knows none of the link.
  ['no transaction', '', false],
  ['no transaction', 'closed, asked 300:00', true],
  ['no transaction', 'closed, success return 299:00, hinted 299:00, asked 300:00', false],
  ['no transaction', 'shown 48:15, asked 49:00', true],
  ['no transaction', 'unknown id 0:50, asked 1:00', false],
  ['no transaction', 'closed, unknown id 250:00, asked 300:00', true],
])('a link of which the gateway says %s (%s): %s', async (said, told, may) => {
  expect(await mayFollow(said, told)).toBe(may);
});

// Before the next link is made, the gateway's answers are looked at once more, half a minute later at most.
it.each<[told: string, found: object, isAsked: boolean]>([
  ['', {}, false],
  ['', { answeredAt: timeAt('1:00') - 30_000 }, true],
  ['', { attempts: [] }, true],
  ['hinted 0:50', {}, false],
  ['hinted 0:51', {}, true],
  ['hinted 0:51', { isSecond: true }, false],
  ['hinted 1:01', {}, false], // by a clock that runs ahead
  ['order paid', { attempts: [] }, false],
])('answers of 0:50 about a link (%s), %j, are asked for again: %s', (told, found, isAsked) => {
  const { record, attempt } = toldLink(told);
  const asked = {
    attempts: [attempt],
    askedAt: timeAt('0:50'),
    answeredAt: timeAt('1:00'),
    isSecond: false,
  };
  expect(lacksEvidence(record, { ...asked, ...found }, timeAt('1:00'))).toBe(isAsked);
});
