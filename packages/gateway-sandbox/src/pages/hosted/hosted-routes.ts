import express from 'express';
import type { Request, Response, Router } from 'express';
import * as cards from '../../domain/outcome.ts';
import type { PaymentMeans } from '../../domain/pay.ts';
import type { Reply } from '../../domain/step.ts';
import { linkSession, savedCardsOf, wireId } from '../../domain/tenant.ts';
import {
  hasFailed,
  hasOpenChallenge,
  isOpen,
  sessionState,
  isApproved,
} from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import { nothingInjected, injectFaults, isCut } from '../../gateway/serve.ts';
import { hostedPage, noValues, nothingSent, noticePage } from './hosted-page.ts';
import type { Method, NoticeKind, Sent } from './hosted-page.ts';
import { languageOf, type Language } from '../html.ts';
import {
  checkoutAddress,
  formField,
  leaveFor,
  readForm,
  sendPage,
  challengeAddress,
} from '../page.ts';
import { closesOnFailure } from '../../readings/readings.ts';
import { withoutCardNumbers } from '../../redaction.ts';
import type { Visit } from '../../request-log.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';

/** The hosted page: `GET /checkout?sessionId=…`, its form, and the drawer's "expire now". */
export function hostedRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/checkout', (request, response) => {
    noteVisit(parts, 'page-opened', sessionIdOf(request));
    const fill = Number(request.query['card'] ?? Number.NaN);
    showHosted(parts, response, { fill: Number.isInteger(fill) ? fill : null });
  });
  router.post('/checkout', readForm, (_request, response) => submitPayment(parts, response));
  router.post('/checkout/expire', readForm, (request, response) => {
    const sessionId = sessionIdOf(request);
    const tenant = tenants.holderOf(sessionId);
    machine.execute({ kind: 'expire-session', tenant, sessionId });
    leaveFor(response, pageAddress(request));
  });
  return router;
}

/** The form of the hosted page: one payment attempt, and where the browser goes from it. */
async function submitPayment(parts: SandboxParts, response: Response): Promise<void> {
  const { req: request } = response;
  const { machine, tenants } = parts;
  const sessionId = sessionIdOf(request);
  const tenant = tenants.holderOf(sessionId);
  noteVisit(parts, 'payment-sent', sessionId);
  const read = readMeans(request, machine.now(tenant));
  if ('shown' in read) return showHosted(parts, response, read.shown);
  const page = { tenant, sessionId, response };
  if (await injectPageFaults(parts, page, 'before-commit')) return;
  const formKey = formField(request, 'formKey');
  const { reply } = machine.execute({
    kind: 'pay',
    tenant,
    sessionId,
    means: read.means,
    choice: cards.readOutcome(formField(request, 'outcome')),
    // The page writes a small number. No other text reaches the journal.
    formKey: /^\d{1,6}$/.test(formKey) ? formKey : null,
    closesOnFailure: closesOnFailure(parts),
  });
  if (await injectPageFaults(parts, page, 'after-commit')) return;
  if (await keepAnswerPlan(parts, reply, response)) return;
  if (reply.kind === 'unknown-saved-card' || reply.kind === 'phone-missing') {
    showHosted(parts, response, { ...asSent(request), refusal: reply.kind });
  } else if (reply.kind === 'decided' || reply.kind === 'repeated') {
    leaveAfterAttempt(parts, reply.transaction, response);
  } else leaveFor(response, pageAddress(request));
}

/** The means of payment, or the page that names its fault. */
function readMeans(
  request: Request,
  now: number,
): { readonly means: PaymentMeans } | { readonly shown: Partial<Sent> } {
  const method = methodOf(request);
  if (method === 'apple-pay') return { means: { kind: method } };
  if (method === 'saved-card') {
    return { means: { kind: method, savedCardId: formField(request, 'savedCard') } };
  }
  const text: cards.CardText = {
    number: formField(request, 'number'),
    expiry: formField(request, 'expiry'),
    cvv: formField(request, 'cvv'),
  };
  const read = cards.readCard(text, now);
  if ('entry' in read) return { means: { kind: 'card', entry: read.entry } };
  const values = keptValues(text, formField(request, 'holder'));
  return { shown: { ...asSent(request), faults: read.faults, values } };
}

/** No part of a real card is shown again, such as one in a date of more than six digits. */
function keptValues({ number, expiry: typed }: cards.CardText, holder: string): Sent['values'] {
  const isTestCard = cards.findTestCard(cards.plainDigits(number)) !== null;
  const expiry = cards.westernDigits(typed);
  return {
    ...noValues,
    number: isTestCard ? number : '',
    expiry: expiry.length <= 9 && expiry.replaceAll(/\D/g, '').length <= 6 ? expiry : '',
    holder: withoutCardNumbers(holder).slice(0, 100),
  };
}

function asSent(request: Request): Pick<Sent, 'method' | 'choice'> {
  return { method: methodOf(request), choice: formField(request, 'outcome') };
}

/** A form without the field pays by card, as older drivers of the page send it. */
function methodOf(request: Request): Method {
  const method = formField(request, 'method');
  return method === 'apple-pay' || method === 'saved-card' ? method : 'card';
}

/** Sends the page of the session that the address names, or the notice of its state. */
function showHosted(parts: SandboxParts, response: Response, shown: Partial<Sent>): void {
  const { machine, tenants } = parts;
  const language = languageOf(response.req);
  const merchant = parts.merchant[language];
  const sessionId = sessionIdOf(response.req);
  const tenantId = tenants.holderOf(sessionId);
  const tenant = machine.tenant(tenantId);
  const now = machine.now(tenantId);
  const session = linkSession(tenant, sessionId);
  const notice = (kind: NoticeKind, link: string | null) =>
    sendPage(response, noticePage(language, kind, link));
  if (session === undefined) return notice('unknown-session', null);
  const last = session.attempts.at(-1);
  const state = sessionState(session, now);
  if (state === 'PAID') notice('already-paid', session.successUrl);
  else if (last !== undefined && isOpen(last) && !hasOpenChallenge(last)) {
    // The issuer has not answered, and no step of the shopper can make it answer.
    notice('waiting-for-bank', session.failureUrl);
  } else if (state === 'EXPIRED') notice('expired', session.failureUrl);
  else if (closesOnFailure(parts) && hasFailed(session)) notice('closed', session.failureUrl);
  else {
    const savedCards = savedCardsOf(tenant, session);
    const sent = { ...nothingSent, ...shown };
    sendPage(response, hostedPage({ language, session, merchant, savedCards, now, ...sent }));
  }
}

function sessionIdOf({ query }: Request): string {
  const { sessionId } = query;
  return typeof sessionId === 'string' ? sessionId.slice(0, 64) : '';
}

function pageAddress(request: Request): string {
  return checkoutAddress(sessionIdOf(request), languageOf(request));
}

/** Records a shopper's step for the timeline. A step with an unknown id is not recorded. */
export function noteVisit(
  { machine, tenants, visits }: SandboxParts,
  kind: Visit['kind'],
  id: string,
): void {
  const tenant = tenants.holderOf(id);
  const { sessions, challenged } = machine.tenant(tenant);
  if (!sessions.has(id) && !challenged.has(id)) return;
  visits.add(tenant, { at: machine.now(tenant), kind, id });
}

/** After the commit, the payment is made and the redirect lost. True: the page must not answer. */
export function injectPageFaults(
  parts: SandboxParts,
  page: { readonly tenant: string; readonly sessionId: string; readonly response: Response },
  place: 'before-commit' | 'after-commit',
): Promise<boolean> {
  const { tenant, sessionId, response } = page;
  const session = parts.machine.tenant(tenant).sessions.get(sessionId);
  const merchantOrderId = session?.merchantOrderId ?? null;
  const target = { operation: 'hostedPage', merchantOrderId } as const;
  const requestId = parts.requestLog.nextId();
  const injected = nothingInjected();
  return injectFaults({ parts, tenant, target, response, requestId, injected }, place);
}

/** Keeps what a magic amount plans for an answer; true: the connection was cut. */
export async function keepAnswerPlan(
  parts: SandboxParts,
  reply: Reply<'pay'>,
  response: Response,
): Promise<boolean> {
  if (reply.kind === 'cut') return isCut(parts, response, { delayMs: 0, cut: true });
  if (reply.kind !== 'decided') return false;
  await parts.dispatcher.ahead(reply.transaction);
  return isCut(parts, response, reply.transaction.sideEffects);
}

/** The declined payment of a session that sends the shopper back to the shop (§3, §4.1). */
const lastDecline = 3;

export function leaveAfterAttempt(parts: SandboxParts, attempt: Transaction, response: Response) {
  const address = addressAfter(attempt, parts, languageOf(response.req));
  if (address.startsWith('http')) noteVisit(parts, 'sent-to-shop', attempt.session.id);
  leaveFor(response, address);
}

/** The page offers another try and says why. Only the merchant can repeat a sale. */
function addressAfter(attempt: Transaction, parts: SandboxParts, language: Language): string {
  const { session, challenge } = attempt;
  if (hasOpenChallenge(attempt)) return challengeAddress(challenge?.id ?? '', language);
  if (isApproved(attempt)) return returnAddress(parts, session.successUrl, attempt);
  if (session.kind !== 'link') return returnAddress(parts, session.failureUrl, attempt);
  return isFinal(parts, attempt)
    ? returnAddress(parts, session.failureUrl, attempt)
    : checkoutAddress(session.id, language);
}

/** Whether the page offers no further attempt after this one. */
function isFinal(parts: SandboxParts, { session, status }: Transaction): boolean {
  if (status !== 'FAILED') return false;
  if (parts.policy.has('declineLeaves') || closesOnFailure(parts)) return true;
  return session.attempts.filter((one) => one.status === 'FAILED').length >= lastDecline;
}

/** The merchant's address, with the id and the status that some gateways append (N1). */
function returnAddress({ policy }: SandboxParts, address: string, attempt: Transaction): string {
  const appended: Record<string, string> = {
    ...(policy.has('appendsTransactionId')
      ? { transactionId: wireId(attempt, policy.has('sameId')) }
      : {}),
    ...(policy.has('appendsSessionId') ? { sessionId: attempt.session.id } : {}),
  };
  if (Object.keys(appended).length === 0) return address;
  const [head = '', ...fragment] = address.split('#');
  const query = new URLSearchParams({ ...appended, status: attempt.status }).toString();
  return [`${head}${head.includes('?') ? '&' : '?'}${query}`, ...fragment].join('#');
}
