import type { Request, Response } from 'express';
import { linkSession, savedCardsOf, transactionsOf } from '../../domain/tenant.ts';
import { hasFailed, hasOpenChallenge, isOpen, sessionState } from '../../domain/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { languageOf } from '../language.ts';
import { checkoutAddress } from '../page-address.ts';
import { sendPage } from '../page.ts';
import { noValues } from './card-form.ts';
import { hostedPage } from './hosted-page.ts';
import type { HostedPageParts } from './hosted-page.ts';
import { noticePage } from './notice.ts';
import type { NoticeKind } from './notice.ts';
import { closesOnFailure } from '../../readings/readings.ts';

/** The parts of the page that depend on the form that was just sent. */
export type Shown = Pick<
  HostedPageParts,
  'faults' | 'values' | 'fill' | 'choice' | 'method' | 'refusal'
>;

const nothingSent: Shown = {
  faults: {},
  values: noValues,
  fill: null,
  choice: '',
  method: 'card',
  refusal: null,
};

/** Sends the page of the session that the address names, or the notice of its state. */
export function showHosted(
  parts: SandboxParts,
  request: Request,
  response: Response,
  shown: Partial<Shown>,
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
    const savedCards = savedCardsOf(tenant, session).map(({ id, card }) => ({
      id,
      scheme: card.scheme,
      lastFour: card.lastFour,
      isExpired: card.goodUntil <= now,
    }));
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
