import { randomBytes, randomUUID } from 'node:crypto';
import { attemptName } from '../../ids.ts';
import { changeOf } from '../../gateway/profile.ts';
import {
  envelopeOf,
  formOf,
  isFields,
  isInvalid,
  isSuccess,
  toldOf,
  type Answer,
} from './gateway-line.ts';
import { askStatus, remember, rowsOf } from './status-call.ts';
import { queryNames, RETURN_ADDRESS, type Step, type Visit } from './visit.ts';

const SAUDI = '0500000000';
const ABROAD = '971500000000';

const linkBody = (name: string, customerPhone: string) => ({
  merchantOrderId: name,
  amount: 1,
  currency: 'SAR',
  customerName: 'First contact',
  customerEmail: 'first-contact@shop.example',
  customerPhone,
  successUrl: RETURN_ADDRESS,
  failureUrl: `${RETURN_ADDRESS}/failed`,
});

const createLink = ({ line, profile, apiKey }: Visit, name: string, phone: string) =>
  line.ask({
    method: 'POST',
    path: '/payment/checkout/intiate',
    body: { ...changeOf(profile, 'createPaymentLink').add, ...linkBody(name, phone) },
    headers: { 'x-api-key': apiKey },
  });

const freshName = () => attemptName(`first-contact-${randomBytes(6).toString('hex')}`, 1);

/** Questions that need no payment: each is refused, and that is what they are for. */
export const errorsStep: Step = {
  name: 'errors',
  does: 'asks about a session that does not exist, with a wrong key and with an empty phone number',
  async run(visit) {
    const { findings, profile } = visit;
    const unknown = await askStatus(visit, profile.status.parameter, randomUUID());
    noteUnknown(visit, unknown);
    const refused = await askStatus(
      visit,
      'id',
      randomUUID(),
      `wrong-${randomBytes(8).toString('hex')}`,
    );
    findings.state('§7', 'a wrong key gets 401 in envelope B', isB(refused, 401), toldOf(refused));
    const invalid = await createLink(visit, freshName(), '');
    const isList = isFields(invalid.body) && Array.isArray(invalid.body['message']);
    findings.state(
      '§4.1',
      'an empty phone number gets 400 in envelope B with a list of messages',
      isB(invalid, 400) && isList,
      toldOf(invalid),
    );
  },
};

const isB = (answer: Answer, status: number) =>
  answer.status === status && envelopeOf(answer) === 'envelope B';

function noteUnknown({ findings }: Visit, answer: Answer): void {
  if (answer.status === 0 || answer.status === 401 || answer.status >= 500) return;
  if (isInvalid(answer)) return; // The name of the query is another one (X1).
  const isUsual = answer.status === 404 && envelopeOf(answer) === 'envelope A';
  const seen = rowsOf(answer)?.length === 0 ? 'an empty content' : toldOf(answer);
  findings.note('N21', isUsual ? 'confirmed' : 'contradicted', `an unknown id: ${seen}`);
}

/** Makes the link that the other steps speak of. */
export const linkStep: Step = {
  name: 'link',
  does: 'creates a payment link of 1.00 SAR, and asks its status before it is paid',
  async run(visit) {
    const { findings } = visit;
    const name = freshName();
    const answer = await createLink(visit, name, SAUDI);
    const { id, redirectUrl } = isFields(answer.body) ? answer.body : {};
    const page = typeof redirectUrl === 'string' ? URL.parse(redirectUrl) : null;
    const holds =
      answer.status === 201 && typeof id === 'string' && /^https?:$/.test(page?.protocol ?? '');
    const forms = `${toldOf(answer)}; id ${formOf(id)}, redirectUrl ${page === null ? formOf(redirectUrl) : 'an address'}`;
    findings.state('§4.1', 'a link is created by 201 with id and redirectUrl', holds, forms);
    if (!isSuccess(answer) || typeof id !== 'string') {
      findings.remark(`No link was created: ${[toldOf(answer), ...answer.messages].join('; ')}`);
      return;
    }
    visit.session = id;
    visit.orderName = name;
    visit.page = findings.holdsSecret(page?.href ?? '') ? undefined : page?.href;
    const refusal = page === null ? undefined : visit.refusalOfPage(page.href);
    if (refusal !== undefined) findings.remark(`Payments would not use this link: ${refusal}`);
    visit.unpaid = {
      id: await askStatus(visit, 'id', id),
      sessionId: await askStatus(visit, 'sessionId', id),
    };
  },
};

const POLL_MS = 2_000;

/** Waits for the person, or for the gateway's word, whichever comes first. */
export const payStep: Step = {
  name: 'pay',
  does: 'shows the link and waits until you have paid it with a test card',
  missing: ({ session }) => (session === undefined ? 'there is no link to pay' : undefined),
  async run(visit) {
    const { conversation, page, session, orderName, findings, say } = visit;
    say(`Open ${page ?? 'the link'} in a browser and pay with a test card of the gateway.`);
    say('Try a declined card first, if you have one: that shows more.');
    if (conversation.isPossible) {
      say(
        'Then paste the address where the browser ended and press Enter; Enter alone does too. The page itself does not exist.',
      );
    }
    const isSeen = await waitForPayment(visit);
    if (isSeen || visit.transaction !== undefined) return;
    if (conversation.isPossible) await askForTransaction(visit);
    if (visit.transaction !== undefined) return;
    findings.remarkWithId(
      `No payment was seen. Go on later: --steps status --session ${session} --order ${orderName}, and --transaction ID if the dashboard shows one.`,
    );
  },
};

async function waitForPayment(visit: Visit): Promise<boolean> {
  const { conversation, waitMs } = visit;
  const until = performance.now() + waitMs;
  for (;;) {
    if (await isDecided(visit)) return true;
    const left = until - performance.now();
    if (left <= 0) return false;
    const said = conversation.isPossible
      ? await conversation.next(Math.min(POLL_MS, left))
      : await pause(Math.min(POLL_MS, left));
    if (said === null) continue;
    readPlace(visit, said);
    return isDecided(visit);
  }
}

const pause = (ms: number) => new Promise<null>((resolve) => setTimeout(resolve, ms, null));

/** Asks by every name of the query that was not refused before the payment. */
async function isDecided(visit: Visit): Promise<boolean> {
  const { session = '', unpaid } = visit;
  for (const name of queryNames) {
    if (unpaid !== undefined && isInvalid(unpaid[name])) continue;
    const rows = rowsOf(await askStatus(visit, name, session)) ?? [];
    remember(visit, rows);
    if (rows.some(({ transactionStatus }) => transactionStatus === 'SUCCESS')) return true;
  }
  return false;
}

async function askForTransaction(visit: Visit): Promise<void> {
  const said = await visit.conversation.ask(
    'The session shows no payment. Paste the transaction’s id from the dashboard, or the address where the browser ended; Enter if there is none:',
  );
  readPlace(visit, said ?? '');
}

/** Takes an address, and the transaction's id in it, or the id itself. */
export function readPlace(visit: Visit, text: string): void {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) {
    visit.returned = text;
    const found = ['transactionId', 'transaction_id', 'trans_id', 'id']
      .map((name) => url.searchParams.get(name))
      .find((id) => id !== null && id !== visit.session);
    visit.transaction ??= found ?? undefined;
  } else if (/^[\w-]{4,100}$/.test(text)) {
    visit.transaction = text;
  }
}

/** One more link, for a shopper from abroad. */
export const phonesStep: Step = {
  name: 'phones',
  does: 'creates one more link, for a phone number of another country; nobody pays it',
  async run(visit) {
    const answer = await createLink(visit, freshName(), ABROAD);
    if (isSuccess(answer))
      visit.findings.note('N20', 'confirmed', 'a number of the Emirates is taken');
    else if (isInvalid(answer))
      visit.findings.note(
        'N20',
        'contradicted',
        `a number of the Emirates is refused (${toldOf(answer)})`,
      );
  },
};
