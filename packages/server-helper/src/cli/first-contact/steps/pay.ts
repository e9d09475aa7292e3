import { rowsNow } from '../ask-status.ts';
import { FAILURE_ADDRESS, made, type Step, type Visit } from '../visit.ts';
import { linkStep } from './link.ts';
import { noteWords } from './status-rows.ts';

const POLL_MS = 2_000;

const HOW = `Open the page in a browser and pay with a test card of the gateway; try a
declined card first, if you have one. The page where the browser ends does not
exist: paste its address here and press Enter, after each try. Type "closed" if
the page takes no card any more.`;

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
  for (;;) {
    const rows = await rowsNow(visit);
    noteWords(findings, rows);
    const words = new Set(rows.map(({ transactionStatus }) => transactionStatus));
    if (words.has('SUCCESS')) return true;
    if (line !== null && words.size === 0) {
      if (isAsked && line === '') return false;
      say(ASK);
      isAsked = true;
    } else if (line !== null) {
      const isOpen = words.has('PENDING');
      say(isOpen ? 'The payment is under way: finish it.' : 'The declined card is seen. Now pay:');
      if (!isOpen) showPage(visit);
    }
    const left = until - performance.now();
    if (left <= 0) return false;
    line = await conversation.next(Math.min(POLL_MS, left));
    if (line === 'closed') await replaceLink(visit);
    else if (line !== null) readPlace(visit, line);
  }
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
