import express from 'express';
import type { Request, Response, Router } from 'express';
import { findTestCard, plainDigits, readCard, westernDigits } from '../../domain/cards.ts';
import type { CardText } from '../../domain/cards.ts';
import { readOutcome } from '../../domain/outcome.ts';
import type { PaymentMeans } from '../../domain/pay.ts';
import type { Reply } from '../../domain/step.ts';
import { withoutCardNumbers } from '../../redaction.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { addressAfterAttempt } from '../after-attempt.ts';
import { formField, leaveFor, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { keepAnswerPlan, noteVisit, injectPageFaults } from '../shopper-step.ts';
import { noValues } from './card-form.ts';
import type { Refusal } from './hosted-page.ts';
import type { Method } from './payment-methods.ts';
import { pageAddress, sessionIdOf, showHosted } from './show-hosted.ts';
import type { Shown } from './show-hosted.ts';
import { closesOnFailure } from '../../readings/readings.ts';

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
  const { reply } = machine.execute({
    kind: 'pay',
    tenant,
    sessionId,
    means: read.means,
    choice: readOutcome(formField(request, 'outcome')),
    formKey: readFormKey(formField(request, 'formKey')),
    closesOnFailure: closesOnFailure(parts),
  });
  if (await injectPageFaults(parts, page, 'after-commit')) return;
  if (await keepAnswerPlan(parts, reply, response)) return;
  const refusal = refusalOf(reply);
  if (refusal !== null) {
    showHosted(parts, request, response, { ...asSent(request), refusal });
    return;
  }
  const address =
    reply.kind === 'decided' || reply.kind === 'repeated'
      ? addressAfterAttempt(parts, { tenant, ...reply }, languageOf(request))
      : pageAddress(request);
  if (address.startsWith('http')) noteVisit(parts, 'sent-to-shop', sessionId);
  leaveFor(response, address);
}

/** The means of payment, or the page that names its fault. */
function readMeans(
  request: Request,
  now: number,
): { means: PaymentMeans } | { shown: Partial<Shown> } {
  switch (methodOf(request)) {
    case 'apple-pay':
      return { means: { kind: 'apple-pay' } };
    case 'saved-card':
      return { means: { kind: 'saved-card', savedCardId: formField(request, 'savedCard') } };
    case 'card': {
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
  }
}

/**
 * Only a test card's number is shown again: no trace of another card may remain. A date has at most
 * six digits, so a longer one may contain a part of a card number.
 */
function keptValues({ number, expiry: typed }: CardText, holder: string): Shown['values'] {
  const isTestCard = findTestCard(plainDigits(number)) !== null;
  const expiry = westernDigits(typed);
  return {
    ...noValues,
    number: isTestCard ? number : '',
    expiry: expiry.length <= 9 && expiry.replaceAll(/\D/g, '').length <= 6 ? expiry : '',
    holder: withoutCardNumbers(holder).slice(0, 100),
  };
}

function asSent(request: Request): Pick<Shown, 'method' | 'choice'> {
  return { method: methodOf(request), choice: formField(request, 'outcome') };
}

/** A form without the field pays by card, as older drivers of the page send it. */
function methodOf(request: Request): Method {
  const method = formField(request, 'method');
  return method === 'apple-pay' || method === 'saved-card' ? method : 'card';
}

function refusalOf({ kind }: Reply<'pay'>): Refusal | null {
  return kind === 'unknown-saved-card' || kind === 'phone-missing' ? kind : null;
}

/** The page writes a small number. No other text reaches the journal. */
function readFormKey(text: string): string | null {
  return /^\d{1,6}$/.test(text) ? text : null;
}
