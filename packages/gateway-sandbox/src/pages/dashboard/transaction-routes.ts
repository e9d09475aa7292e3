import type { Request, Router } from 'express';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { callApi, callPortal } from './call-api.ts';
import type { ApiAnswer, ApiCall } from './call-api.ts';
import { deskForm, deskPage } from './desk-routes.ts';
import type { DeskContext, DeskForm } from './desk-routes.ts';
import { merchantOf } from './merchant.ts';
import { sectionAddress } from './shell.ts';
import type { SignedIn } from './sign-in.ts';
import { transactionLabels } from './transaction-labels.ts';
import { transactionPage } from './transaction-page.ts';
import { transactionsPage } from './transactions-page.ts';

/** The transactions, and the three ways to move money that was paid (§4.3, §4.5, §4.6). */
export function addTransactionRoutes(router: Router, context: DeskContext): void {
  router.get(
    '/dashboard/transactions',
    deskPage(context, async (desk) => {
      const admitted = await askAdmission(context, desk.signedIn);
      return admitted.status === 401 ? admitted : transactionsPage(desk);
    }),
  );
  router.get(
    '/dashboard/transactions/:id',
    deskPage(context, async (desk, request) => {
      const admitted = await askAdmission(context, desk.signedIn);
      if (admitted.status === 401) return admitted;
      const { tenant } = merchantOf(desk);
      const transaction = tenant.transactions.get(String(request.params['id']));
      if (transaction === undefined) return transactionsPage(desk);
      const path = `/payment/checkout/status?id=${transaction.id}`;
      const answer = await sendPayment(context, desk.signedIn, { method: 'GET', path });
      return transactionPage(desk, transaction, answer);
    }),
  );
  for (const [name, form] of Object.entries(moves)) {
    router.post(`/dashboard/transactions/:id/${name}`, readForm, deskForm(context, form));
  }
}

const moves: Readonly<Record<'refund' | 'capture' | 'void', DeskForm>> = {
  refund: move('refund', 'refunded'),
  capture: move('capture', 'captured'),
  void: move('void', 'voided'),
};

function move(name: 'refund' | 'capture' | 'void', done: DeskForm['done']): DeskForm {
  return {
    section: 'transactions',
    back: (request) =>
      sectionAddress('transactions', languageOf(request), `/${encodeURIComponent(idOf(request))}`),
    call: (request) => ({
      method: 'POST',
      path: `/payment/s2s/${name}`,
      body: {
        transactionId: idOf(request),
        ...(name === 'void' ? {} : { amount: amountOf(formField(request, 'amount')) }),
      },
    }),
    send: async (context, signedIn, call) => {
      const admitted = await askAdmission(context, signedIn);
      return admitted.status === 401 ? admitted : sendPayment(context, signedIn, call);
    },
    done,
  };
}

/** The portal's token is good for no payment call, so one of its own calls tells whether it is good. */
function askAdmission({ parts }: DeskContext, signedIn: SignedIn): Promise<ApiAnswer> {
  return callPortal(parts, signedIn, { method: 'GET', path: '/merchant/account/credentials' });
}

/** A payment call takes the merchant's API key (§5). */
async function sendPayment(
  { parts }: DeskContext,
  signedIn: SignedIn,
  call: ApiCall,
): Promise<ApiAnswer> {
  const { apiKey, environment } = merchantOf({ parts, signedIn });
  if (apiKey === null) return { status: 409, body: { message: transactionLabels.en.noKey } };
  return callApi(parts, environment, { ...call, headers: { 'x-api-key': apiKey } });
}

/** A number goes out as one; anything else as it was typed, so that the API can say what it thinks. */
function amountOf(text: string): number | string {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

function idOf({ params }: Request): string {
  return String(params['id']);
}
