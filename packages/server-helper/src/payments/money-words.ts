/** Words that say that there is no money, exactly as written (assumption N4). */
const denials: ReadonlySet<unknown> = new Set(['FAILED', 'PENDING', 'DECLINED']);

const is = (word: unknown, wanted: string): boolean =>
  typeof word === 'string' && word.trim().toUpperCase() === wanted;

/** The two words of a row, as the gateway wrote them, whatever they are. */
interface Words {
  readonly transactionStatus?: unknown;
  readonly paymentStatus?: unknown;
}

/** Payment is confirmed only by both words, exactly (§2.2). */
export const isMoney = ({ transactionStatus, paymentStatus }: Words): boolean =>
  transactionStatus === 'SUCCESS' && paymentStatus === 'APPROVED';

/** Whether one of the two words says money, in whichever case, and neither denies it. */
export const mayBeMoney = ({ transactionStatus, paymentStatus }: Words): boolean =>
  (is(transactionStatus, 'SUCCESS') || is(paymentStatus, 'APPROVED')) &&
  !denials.has(transactionStatus) &&
  !denials.has(paymentStatus);
