import express from 'express';
import type { Request, Response, Router } from 'express';
import { hasFailed, hasOpenChallenge, isOpen, sessionState } from '../../domain/transaction.ts';
import { linkSession, savedCardsOf, transactionsOf } from '../../domain/tenant.ts';
import { findTestCard, plainDigits, readCard, westernDigits } from '../../domain/cards.ts';
import type { CardText } from '../../domain/cards.ts';
import { readOutcome } from '../../domain/outcome.ts';
import type { PaymentMeans } from '../../domain/pay.ts';
import { closesOnFailure } from '../../readings/readings.ts';
import { withoutCardNumbers } from '../../redaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { languageOf } from '../html.ts';
import { checkoutAddress, formField, leaveFor, readForm, sendPage } from '../page.ts';
import { injectPageFaults, keepAnswerPlan, leaveAfterAttempt, noteVisit } from '../shopper-step.ts';
import { hostedPage, noValues, nothingSent, noticePage } from './hosted-page.ts';
import type { Method, NoticeKind, Sent } from './hosted-page.ts';

/** The hosted page: `GET /checkout?sessionId=…`, its form, and the drawer's "expire now". */
export function hostedRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/checkout', (request, response) => {
    noteVisit(parts, 'page-opened', sessionIdOf(request));
    const fill = Number(request.query['card'] ?? Number.NaN);
    showHosted(parts, request, response, { fill: Number.isInteger(fill) ? fill : null });
  });
  router.post('/checkout', readForm, async (request, response) => {
    await submitPayment(parts, request, response);
  });
  router.post('/checkout/expire', readForm, (request, response) => {
    const sessionId = sessionIdOf(request);
    const tenant = tenants.ofSession(sessionId);
    machine.execute({ kind: 'expire-session', tenant, sessionId });
    leaveFor(response, pageAddress(request));
  });
  return router;
}

/** The form of the hosted page: one payment attempt, and where the browser goes from it. */
async function submitPayment(
  parts: SandboxParts,
  request: Request,
  response: Response,
): Promise<void> {
  const { machine, tenants } = parts;
  const sessionId = sessionIdOf(request);
  const tenant = tenants.ofSession(sessionId);
  noteVisit(parts, 'payment-sent', sessionId);
  const read = readMeans(request, machine.now(tenant));
  if ('shown' in read) {
    showHosted(parts, request, response, read.shown);
    return;
  }
  const page = { tenant, sessionId, response };
  if (await injectPageFaults(parts, page, 'before-commit')) return;
  const formKey = formField(request, 'formKey');
  const { reply } = machine.execute({
    kind: 'pay',
    tenant,
    sessionId,
    means: read.means,
    choice: readOutcome(formField(request, 'outcome')),
    // The page writes a small number. No other text reaches the journal.
    formKey: /^\d{1,6}$/.test(formKey) ? formKey : null,
    closesOnFailure: closesOnFailure(parts),
  });
  if (await injectPageFaults(parts, page, 'after-commit')) return;
  if (await keepAnswerPlan(parts, reply, response)) return;
  if (reply.kind === 'unknown-saved-card' || reply.kind === 'phone-missing') {
    showHosted(parts, request, response, { ...asSent(request), refusal: reply.kind });
  } else if (reply.kind === 'decided' || reply.kind === 'repeated') {
    leaveAfterAttempt(parts, { tenant, ...reply }, languageOf(request), response);
  } else leaveFor(response, pageAddress(request));
}

/** The means of payment, or the page that names its fault. */
function readMeans(
  request: Request,
  now: number,
): { means: PaymentMeans } | { shown: Partial<Sent> } {
  const method = methodOf(request);
  if (method === 'apple-pay') return { means: { kind: method } };
  if (method === 'saved-card') {
    return { means: { kind: method, savedCardId: formField(request, 'savedCard') } };
  }
  const text: CardText = {
    number: formField(request, 'number'),
    expiry: formField(request, 'expiry'),
    cvv: formField(request, 'cvv'),
  };
  const read = readCard(text, now);
  if ('entry' in read) return { means: { kind: 'card', entry: read.entry } };
  const values = keptValues(text, formField(request, 'holder'));
  return { shown: { ...asSent(request), faults: read.faults, values } };
}

/**
 * Only a test card's number is shown again: no trace of another card may remain. A date has at most
 * six digits, so a longer one may contain a part of a card number.
 */
function keptValues({ number, expiry: typed }: CardText, holder: string): Sent['values'] {
  const isTestCard = findTestCard(plainDigits(number)) !== null;
  const expiry = westernDigits(typed);
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
export function showHosted(
  parts: SandboxParts,
  request: Request,
  response: Response,
  shown: Partial<Sent>,
): void {
  const { machine, tenants } = parts;
  const language = languageOf(request);
  const merchant = parts.merchant[language];
  const tenantId = tenants.ofSession(sessionIdOf(request));
  const tenant = machine.tenant(tenantId);
  const now = machine.now(tenantId);
  const session = linkSession(tenant, sessionIdOf(request));
  const notice = (kind: NoticeKind, link: string | null) => {
    const parameters = { sessionId: sessionIdOf(request) };
    sendPage(response, noticePage({ language, kind, path: '/checkout', parameters, link }));
  };
  if (session === undefined) {
    notice('unknown-session', null);
    return;
  }
  const attempts = transactionsOf(tenant, session);
  const lastAttempt = attempts.at(-1) ?? null;
  const state = sessionState(session, now);
  if (state === 'PAID') notice('already-paid', session.successUrl);
  else if (lastAttempt !== null && isOpen(lastAttempt) && !hasOpenChallenge(lastAttempt)) {
    // The issuer has not answered, and no step of the shopper can make it answer.
    notice('waiting-for-bank', session.failureUrl);
  } else if (state === 'EXPIRED') notice('expired', session.failureUrl);
  else if (closesOnFailure(parts) && hasFailed(attempts)) {
    notice('closed', session.failureUrl);
  } else {
    const savedCards = savedCardsOf(tenant, session);
    const sent = { ...nothingSent, ...shown };
    sendPage(
      response,
      hostedPage({ language, session, merchant, lastAttempt, savedCards, now, ...sent }),
    );
  }
}

export function sessionIdOf({ query }: Request): string {
  const { sessionId } = query;
  return typeof sessionId === 'string' ? sessionId.slice(0, 64) : '';
}

export function pageAddress(request: Request): string {
  return checkoutAddress(sessionIdOf(request), languageOf(request));
}
