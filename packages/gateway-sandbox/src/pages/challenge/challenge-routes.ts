import express from 'express';
import type { Request, Response, Router } from 'express';
import { plainDigits } from '../../domain/card-entry.ts';
import { rateOf } from '../../domain/clock.ts';
import type { ChallengeAction } from '../../domain/command.ts';
import type { Session } from '../../domain/session.ts';
import { hasOpenChallenge, isApproved } from '../../domain/transaction.ts';
import type { Transaction } from '../../domain/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import type { Language } from '../language.ts';
import { leaveFor } from '../leave.ts';
import { noteVisit } from '../note-visit.ts';
import { noticePage } from '../notice.ts';
import { challengeAddress, challengePath, checkoutAddress } from '../page-address.ts';
import { strikePage } from '../strike-page.ts';
import { sendPage } from '../send-page.ts';
import { challengePage } from './challenge-page.ts';

/** The 3-D Secure page of one transaction: `/challenge/:id`. */
export function challengeRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/challenge/:id', async (request, response) => {
    await machine.settled();
    noteVisit(parts, 'challenge-shown', request.params['id']);
    showChallenge(parts, request, response);
  });
  // Where the HTML of a sale posts itself (§4.4), from whatever site shows it.
  router.post('/challenge/:id/start', (request, response) => {
    leaveFor(response, challengeAddress(request.params['id'], languageOf(request)));
  });
  router.post('/challenge/:id', readForm, async (request, response) => {
    const challengeId = request.params['id'];
    const action = formField(request, 'action');
    if (action === 'hang') {
      leaveFor(response, challengeAddress(challengeId, languageOf(request), { hanging: '1' }));
      return;
    }
    const answer: ChallengeAction =
      action === 'fail' || action === 'cancel'
        ? { action }
        : { otp: plainDigits(formField(request, 'otp')).slice(0, 12) };
    const tenant = tenants.ofChallenge(challengeId);
    noteVisit(parts, 'challenge-answered', challengeId);
    await machine.execute({ kind: 'answer-challenge', tenant, challengeId, ...answer });
    const found = find(parts, challengeId);
    if (found !== null && (await isLost(parts, tenant, response, found))) return;
    const address = found === null ? request.originalUrl : addressAfter(request, found);
    if (found !== null && address.startsWith('http')) {
      noteVisit(parts, 'sent-to-shop', found.session.id);
    }
    leaveFor(response, address);
  });
  return router;
}

/** Whether a fault took the place of the redirect. */
function isLost(
  parts: SandboxParts,
  tenant: string,
  response: Response,
  { session }: Found,
): Promise<boolean> {
  return strikePage(parts, { tenant, sessionId: session.id, response }, 'after-commit');
}

interface Found {
  readonly tenant: string;
  readonly session: Session;
  readonly transaction: Transaction;
}

function find({ machine, tenants }: SandboxParts, challengeId: string): Found | null {
  const tenant = tenants.ofChallenge(challengeId);
  const { challenged, transactions, sessions } = machine.tenant(tenant);
  const stored = transactions.get(challenged.get(challengeId) ?? '');
  const session = sessions.get(stored?.sessionId ?? '');
  if (stored === undefined || session === undefined) return null;
  return { tenant, session, transaction: stored };
}

/** Where a challenge leads once it was answered: on, back to the card form, or to itself. */
function addressAfter(request: Request, { session, transaction }: Found): string {
  const lang = languageOf(request);
  if (hasOpenChallenge(transaction)) {
    return challengeAddress(transaction.challenge?.id ?? '', lang);
  }
  return isApproved(transaction) ? session.successUrl : afterDecline(session, lang);
}

/** A link's session can be paid in another way; a sale is the merchant's to repeat. */
function afterDecline(session: Session, lang: Language): string {
  return session.kind === 'link' ? checkoutAddress(session.id, lang) : session.failureUrl;
}

function showChallenge(parts: SandboxParts, request: Request, response: Response): void {
  const language = languageOf(request);
  const challengeId = String(request.params['id']);
  const path = challengePath(challengeId);
  const parameters = new URLSearchParams();
  const found = find(parts, challengeId);
  if (found === null || found.transaction.challenge === null) {
    sendPage(
      response,
      noticePage({ language, kind: 'unknown-session', path, parameters, link: null }),
    );
    return;
  }
  const { session, transaction, tenant } = found;
  if (!hasOpenChallenge(transaction)) {
    leaveFor(
      response,
      session.kind === 'link'
        ? checkoutAddress(session.id, language)
        : addressAfter(request, found),
    );
    return;
  }
  const { challenge } = found.transaction;
  const hangs = request.query['hanging'] === '1';
  if (hangs) parameters.set('hanging', '1');
  sendPage(
    response,
    hangs || challenge.kind === 'never-returns'
      ? noticePage({
          language,
          kind: 'waiting-for-bank',
          path,
          parameters,
          link: session.failureUrl,
        })
      : challengePage({
          language,
          session,
          transaction,
          challenge,
          now: parts.machine.now(tenant),
          rate: rateOf(parts.machine.tenant(tenant).clock),
        }),
  );
}
