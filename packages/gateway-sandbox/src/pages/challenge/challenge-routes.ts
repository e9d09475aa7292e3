import express from 'express';
import type { Request, Response, Router } from 'express';
import { plainDigits } from '../../domain/cards.ts';
import { rateOf } from '../../domain/clock.ts';
import type { ChallengeAction } from '../../domain/pay.ts';
import { hasOpenChallenge } from '../../domain/transaction.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { addressAfterAttempt } from '../after-attempt.ts';
import { formField, leaveFor, readForm } from '../form.ts';
import { noticePage } from '../hosted/notice.ts';
import type { NoticeKind } from '../hosted/notice.ts';
import { languageOf } from '../language.ts';
import { challengeAddress, challengePath, checkoutAddress } from '../page-address.ts';
import { sendPage } from '../page.ts';
import { noteVisit, injectPageFaults } from '../shopper-step.ts';
import { challengePage } from './challenge-page.ts';

/** The 3-D Secure page of one transaction: `/challenge/:id`. */
export function challengeRoutes(parts: SandboxParts): Router {
  const { machine, tenants } = parts;
  const router = express.Router();
  router.get('/challenge/:id', (request, response) => {
    noteVisit(parts, 'challenge-shown', request.params['id']);
    showChallenge(parts, request, response);
  });
  // The HTML of a sale posts itself here (§4.4), from any site that shows it.
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
    machine.execute({ kind: 'answer-challenge', tenant, challengeId, ...answer });
    const found = find(parts, challengeId);
    if (found === null) {
      leaveFor(response, request.originalUrl);
      return;
    }
    const sessionId = found.session.id;
    if (await injectPageFaults(parts, { tenant, sessionId, response }, 'after-commit')) return;
    const address = addressAfterAttempt(parts, found, languageOf(request));
    if (address.startsWith('http')) noteVisit(parts, 'sent-to-shop', sessionId);
    leaveFor(response, address);
  });
  return router;
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

function showChallenge(parts: SandboxParts, request: Request, response: Response): void {
  const language = languageOf(request);
  const challengeId = String(request.params['id']);
  const hangs = request.query['hanging'] === '1';
  const notice = (kind: NoticeKind, link: string | null) => {
    const parameters = hangs && link !== null ? { hanging: '1' } : {};
    const path = challengePath(challengeId);
    sendPage(response, noticePage({ language, kind, path, parameters, link }));
  };
  const found = find(parts, challengeId);
  const challenge = found?.transaction.challenge ?? null;
  if (found === null || challenge === null) {
    notice('unknown-session', null);
    return;
  }
  const { session, transaction, tenant } = found;
  if (!hasOpenChallenge(transaction)) {
    const isLink = session.kind === 'link';
    const page = checkoutAddress(session.id, language);
    leaveFor(response, isLink ? page : addressAfterAttempt(parts, found, language));
  } else if (hangs || challenge.kind === 'never-returns') {
    notice('waiting-for-bank', session.failureUrl);
  } else {
    const now = parts.machine.now(tenant);
    const rate = rateOf(parts.machine.tenant(tenant).clock);
    const merchant = parts.merchant[language];
    const shown = { language, session, merchant, transaction, challenge, now, rate };
    sendPage(response, challengePage(shown));
  }
}
