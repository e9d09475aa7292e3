import { randomBytes } from 'node:crypto';
import { isFields } from '../../parts.ts';
import { attemptName } from '../../ids.ts';
import { formOf, isInvalid, isSuccess, summaryOf } from './line.ts';
import { askByBothNames, noteWords, rowsNow } from './status.ts';
import { FAILURE_ADDRESS, made, readPlace, RETURN_ADDRESS, needs, type Visit } from './visit.ts';

/** Makes the link that the other steps speak of (§4.1). */
export async function takeLink(visit: Visit): Promise<void> {
  const { findings, line } = visit;
  // Our name of a payment says when it was made, in seconds, so that a later run knows its age (N3).
  const at = Math.floor(Date.now() / 1_000).toString(36);
  const name = attemptName(`first-contact-${at}-${randomBytes(4).toString('hex')}`, 1);
  const link = await line.ask((client) =>
    client.createPaymentLink({
      merchantOrderId: name,
      amount: '1.00',
      currency: 'SAR',
      customer: {
        name: 'First contact',
        email: 'first-contact@shop.example',
        phone: '0500000000',
      },
      successUrl: RETURN_ADDRESS,
      failureUrl: FAILURE_ADDRESS,
    }),
  );
  const { answer, error } = link;
  // The answer as it came: a page that the shop would refuse can be paid here all the same.
  const { id, redirectUrl } = isFields(answer.body) ? answer.body : {};
  const page = typeof redirectUrl === 'string' ? URL.parse(redirectUrl) : null;
  const pageForm = page === null ? formOf(redirectUrl) : 'an address';
  const seen = `${summaryOf(answer)}; id ${formOf(id)}, redirectUrl ${pageForm}`;
  const holds = answer.status === 201 && typeof id === 'string' && page !== null;
  findings.check('§4.1', holds, seen);
  // An accepted link missed no field.
  if (holds) findings.setUnseen('§4.1', '');
  if (!isSuccess(answer) || typeof id !== 'string') {
    findings.remark(`No link was created: ${findings.wordsOf(answer)}`);
    if (isInvalid(answer)) {
      findings.remark(
        'If it asks for a field that the specification does not state, give it in the profile: operations.createPaymentLink.add',
      );
    }
    return;
  }
  made(visit, linkName(name), 'no payment of it was seen; it ends after 48 hours');
  visit.session = id;
  visit.orderName = name;
  visit.page = findings.holdsSecret(page?.href ?? '') ? undefined : page?.href;
  if (error !== undefined) findings.remark(`Payments would not use this link: ${error.message}`);
  visit.unpaid = await askByBothNames(visit, id);
}

const linkName = (name: string | undefined): string => `a payment link of 1.00 SAR, ${name}`;

const POLL_MS = 2_000;

const HOW = `Open the page in a browser and pay with a test card of the gateway; try a
declined card first, and one with 3-D Secure, if you have them. After each try
paste the address where the browser ends here and press Enter; the page itself
may be missing there. Type "closed" if the page takes no card any more.`;

const SEEN =
  'The payment is seen. Paste the address where the browser ended, or press Enter without it:';

const ASK = `No payment is seen. Pay, if you have not yet. Then paste the transaction’s id
from the dashboard, or the address where the browser ended; press Enter if there
is neither.`;

/** Waits for the person, or for the status to show the payment, whichever comes first. */
export async function takePay(visit: Visit): Promise<void> {
  needs(visit.session !== undefined, 'there is no link to pay');
  const { conversation, say } = visit;
  say(conversation.isPossible ? HOW : 'Pay this page with a test card of the gateway.');
  showPage(visit);
  say(newsOf(visit, []));
  if (!(await waitForPayment(visit))) return;
  made(visit, linkName(visit.orderName), 'paid with a test card');
}

const showPage = ({ page, say }: Visit) => say(`Open ${page ?? 'the link'}`);

async function waitForPayment(visit: Visit): Promise<boolean> {
  const { conversation, findings, say, waitMs } = visit;
  const until = performance.now() + waitMs;
  let line: string | null = null;
  let isAsked = false;
  let hasTyped = false;
  let shown = newsOf(visit, []);
  for (;;) {
    const rows = await rowsNow(visit);
    noteWords(findings, rows);
    const words = new Set(rows.map(({ transactionStatus }) => transactionStatus));
    if (words.has('SUCCESS')) {
      // The payment can be seen before the person has pasted where the browser ended (N1).
      if (hasTyped || !conversation.isPossible) return true;
      say(SEEN);
      const place = await conversation.next();
      if (place !== null) readPlace(visit, place);
      return true;
    }
    if (line !== null && words.size === 0) {
      if (isAsked && line === '') return false;
      say(ASK);
      isAsked = true;
    }
    const news = newsOf(visit, rows);
    if (news !== shown) {
      say(news);
      if (!words.has('PENDING')) hasTyped = false;
    }
    shown = news;
    const left = until - performance.now();
    if (left <= 0) return false;
    line = await conversation.next(Math.min(POLL_MS, left));
    hasTyped ||= line !== null;
    if (line === 'closed') {
      // N2: a page that is closed by a declined card needs another link.
      const seen = 'the page takes no card after a declined one';
      findings.noteEntry('N2', 'session.afterFailure', 'closed', seen);
      visit.history.clear();
      visit.transaction = undefined;
      await takeLink(visit);
      showPage(visit);
    } else if (line !== null) readPlace(visit, line);
  }
}

/** The state of the payment before it is paid, for the person at the page. */
function newsOf({ page }: Visit, rows: Awaited<ReturnType<typeof rowsNow>>): string {
  const states = rows.map(({ transactionStatus }) => transactionStatus);
  if (states.includes('PENDING')) return 'The payment is under way: finish it.';
  const declined = states.filter((state) => state === 'FAILED').length;
  if (declined === 0) return 'Waiting for the payment …';
  const cards = declined === 1 ? 'The declined card is' : `${declined} declined cards are`;
  return `${cards} seen. Now pay:\nOpen ${page ?? 'the link'}`;
}
