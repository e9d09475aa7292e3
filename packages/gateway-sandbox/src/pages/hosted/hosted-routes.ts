import express from 'express';
import type { Request, Response, Router } from 'express';
import { plainDigits, readCard } from '../../domain/card-entry.ts';
import type { CardText } from '../../domain/card-entry.ts';
import { findTestCard, withoutCardNumbers } from '../../domain/cards.ts';
import type { PayReply } from '../../domain/command.ts';
import { readOutcome } from '../../domain/outcome.ts';
import { sessionState } from '../../domain/session.ts';
import { linkSession, transactionsOf } from '../../domain/state.ts';
import { hasOpenChallenge } from '../../domain/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { leaveFor } from '../leave.ts';
import { noteVisit } from '../note-visit.ts';
import { noticePage } from '../notice.ts';
import type { NoticeKind } from '../notice.ts';
import { challengeAddress, checkoutAddress } from '../page-address.ts';
import { sendPage } from '../send-page.ts';
import { strikePage } from '../strike-page.ts';
import { noValues } from './card-form.ts';
import type { HostedPageParts } from './hosted-page.ts';
import { hostedPage } from './hosted-page.ts';

/** The hosted page: `GET /checkout?sessionId=…`, its form, and the drawer's "expire now". */
export function hostedRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/checkout', async (request, response) => {
    await machine.settled();
    noteVisit(parts, 'page-opened', sessionIdOf(request));
    const fill = Number(request.query['card'] ?? Number.NaN);
    show(parts, request, response, {
      faults: {},
      values: noValues,
      fill: Number.isInteger(fill) ? fill : null,
      choice: '',
    });
  });
  router.post('/checkout', readForm, async (request, response) => {
    await submitCard(parts, request, response);
  });
  router.post('/checkout/expire', readForm, async (request, response) => {
    const sessionId = sessionIdOf(request);
    const tenant = tenants.ofSession(sessionId);
    await machine.execute({ kind: 'expire-session', tenant, sessionId });
    leaveFor(response, pageAddress(request));
  });
  return router;
}

async function submitCard(
  parts: SandboxParts,
  request: Request,
  response: Response,
): Promise<void> {
  const { machine, tenants } = parts;
  const sessionId = sessionIdOf(request);
  const tenant = tenants.ofSession(sessionId);
  const text: CardText = {
    number: formField(request, 'number'),
    expiry: formField(request, 'expiry'),
    cvv: formField(request, 'cvv'),
  };
  const choice = formField(request, 'outcome');
  noteVisit(parts, 'payment-sent', sessionIdOf(request));
  const read = readCard(text, machine.now(tenant));
  if ('faults' in read) {
    await machine.settled();
    // Only a test card's number comes back: of any other, nothing may be left behind.
    const isTestCard = findTestCard(plainDigits(text.number)) !== null;
    const values = {
      number: isTestCard ? text.number : '',
      expiry: /^[\d/ ]{0,7}$/.test(text.expiry) ? text.expiry : '',
      cvv: '',
      holder: withoutCardNumbers(formField(request, 'holder')).slice(0, 100),
    };
    show(parts, request, response, { faults: read.faults, values, fill: null, choice });
    return;
  }
  const page = { tenant, sessionId, response };
  if (await strikePage(parts, page, 'before-commit')) return;
  const { reply } = await machine.execute({
    kind: 'pay',
    tenant,
    sessionId,
    means: { kind: 'card', entry: read.entry },
    choice: readOutcome(choice),
    formKey: readFormKey(formField(request, 'formKey')),
  });
  if (await strikePage(parts, page, 'after-commit')) return;
  const address = nextAddress(request, reply);
  if (address.startsWith('http')) noteVisit(parts, 'sent-to-shop', sessionId);
  leaveFor(response, address);
}

/** The page writes a small number; nothing else gets as far as the journal. */
function readFormKey(text: string): string | null {
  return /^\d{1,6}$/.test(text) ? text : null;
}

/** Where an attempt leads: to the shop when paid, to a challenge, or back to the page, which says why. */
function nextAddress(request: Request, reply: PayReply): string {
  if (reply.kind !== 'decided' && reply.kind !== 'repeated') return pageAddress(request);
  const { session, transaction } = reply;
  if (transaction.status === 'SUCCESS') return session.successUrl;
  if (!hasOpenChallenge(transaction) || transaction.challenge === null) {
    return pageAddress(request);
  }
  return challengeAddress(transaction.challenge.id, languageOf(request));
}

function show(
  { machine, tenants }: SandboxParts,
  request: Request,
  response: Response,
  rest: Pick<HostedPageParts, 'faults' | 'values' | 'fill' | 'choice'>,
): void {
  const language = languageOf(request);
  const tenant = tenants.ofSession(sessionIdOf(request));
  const now = machine.now(tenant);
  const session = linkSession(machine.tenant(tenant), sessionIdOf(request));
  const notice = (kind: NoticeKind, link: string | null) => {
    const parameters = new URLSearchParams({ sessionId: sessionIdOf(request) });
    sendPage(response, noticePage({ language, kind, path: '/checkout', parameters, link }));
  };
  if (session === undefined) {
    notice('unknown-session', null);
    return;
  }
  const standing = sessionState(session, now);
  if (standing === 'PAID') notice('already-paid', session.successUrl);
  else if (standing === 'EXPIRED') notice('expired', session.failureUrl);
  else {
    const lastAttempt = transactionsOf(machine.tenant(tenant), session).at(-1) ?? null;
    sendPage(response, hostedPage({ language, session, lastAttempt, now, ...rest }));
  }
}

function sessionIdOf({ query }: Request): string {
  const { sessionId } = query;
  return typeof sessionId === 'string' ? sessionId.slice(0, 64) : '';
}

function pageAddress(request: Request): string {
  return checkoutAddress(sessionIdOf(request), languageOf(request));
}
