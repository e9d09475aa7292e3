import type { Payments } from '@pay-button/server-helper';
import { Router } from 'express';
import { formField } from '../pages/form-field.ts';

const DONE = '/admin?done=resolved';

/** What a person decides about the matters on the review list. */
export function reviewActions(payments: Pick<Payments, 'review' | 'resolveOperation'>): Router {
  const router = Router();
  router.post('/review/resolve', async (request, response) => {
    const reopen = formField(request, 'reopen') !== '';
    const why = formField(request, 'why');
    await payments.review.resolve(formField(request, 'id'), why, { reopen });
    response.redirect(303, DONE);
  });
  router.post('/review/settle', async (request, response) => {
    const outcome = formField(request, 'outcome') === 'succeeded' ? 'succeeded' : 'failed';
    const transactionId = formField(request, 'transactionId').trim() || undefined;
    const why = formField(request, 'why');
    await payments.resolveOperation(formField(request, 'id'), outcome, why, { transactionId });
    response.redirect(303, DONE);
  });
  router.post('/review/redeliver', async (request, response) => {
    await payments.review.redeliver(formField(request, 'id'));
    response.redirect(303, DONE);
  });
  return router;
}
