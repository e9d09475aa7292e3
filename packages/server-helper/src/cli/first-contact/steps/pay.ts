import { rowsNow } from '../ask-status.ts';
import { FAILURE_ADDRESS, made, type Step, type Visit } from '../visit.ts';
import { linkStep } from './link.ts';
import { noteWords } from './status-rows.ts';

const POLL_MS = 2_000;

const HOW = `Open the page in a browser and pay with a test card of the gateway; try a
declined card first, and one with 3-D Secure, if you have them. After each try
paste the address where the browser ends here and press Enter; the page itself
may be missing there. Type "closed" if the page takes no card any more.`;

const ASK = `No payment is seen. Pay, if you have not yet. Then paste the transaction’s id
from the dashboard, or the address where the browser ended; press Enter if there
is neither.`;

/** Waits for the person, or for the status to show the payment, whichever comes first. */
export const payStep: Step = {
  name: 'pay',
  does: 'shows the link and waits until you have paid it with a test card',
  missing: ({ session }) => (session === undefined ? 'there is no link to pay' : undefined),
  async run(visit) {
    const { conversation, say } = visit;
    say(conversation.isPossible ? HOW : 'Pay this page with a test card of the gateway.');
    showPage(visit);
    say(newsOf(visit, []));
    if (!(await waitForPayment(visit))) return;
    made(visit, `a payment link of 1.00 SAR, ${visit.orderName}`, 'paid with a test card');
  },
};

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
      if (!hasTyped) await askReturned(visit);
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
    if (line === 'closed') await replaceLink(visit);
    else if (line !== null) readPlace(visit, line);
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

/** Asks where the browser ended (N1): the payment can be seen before the person has pasted that. */
async function askReturned(visit: Visit): Promise<void> {
  const { conversation, say } = visit;
  if (!conversation.isPossible) return;
  say('The payment is seen. Paste the address where the browser ended, or press Enter without it:');
  const line = await conversation.next();
  if (line !== null) readPlace(visit, line);
}

/** N2: a page that is closed by a declined card needs another link. */
async function replaceLink(visit: Visit): Promise<void> {
  const { findings, history } = visit;
  const entry = { place: 'session.afterFailure', value: 'closed', usual: 'payable' };
  findings.noteEntry('N2', entry, 'the page takes no card after a declined one');
  history.clear();
  visit.transaction = undefined;
  await linkStep.run(visit);
  showPage(visit);
}

/** Takes an address, and the transaction's id in it, or the id itself. */
export function readPlace(visit: Visit, text: string): void {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    visit.returned = text;
    if (text.startsWith(FAILURE_ADDRESS)) {
      visit.findings.note('N2', 'not seen', 'a declined card left for failureUrl');
    }
    const found = ['transactionId', 'transaction_id', 'trans_id', 'id']
      .map((name) => url.searchParams.get(name))
      .find((id) => id !== null && id !== visit.session);
    visit.transaction = found ?? visit.transaction;
  } else if (/^(?=.*\d)[\w-]{4,100}$/.test(text)) {
    visit.transaction = text;
  }
}
