import type { Request, Router } from 'express';
import { formField, readForm } from '../form.ts';
import { languageOf } from '../language.ts';
import { callApi, callPortal } from './call-api.ts';
import type { ApiAnswer, ApiCall } from './call-api.ts';
import { sectionAddress } from './dashboard-page.ts';
import { formRoute, pageRoute } from './page-routes.ts';
import type { DashboardContext, FormRoute } from './page-routes.ts';
import { merchantOf } from './sign-in.ts';
import type { SignedIn } from './sign-in.ts';
import { dashboardTexts } from './texts.ts';
import { readFilter } from './transaction-filter.ts';
import { transactionsPage } from './transaction-list.ts';
import { transactionPage } from './transaction-pages.ts';

/** The transactions, and refunds, captures and voids (§4.3, §4.5, §4.6). */
export function addTransactionRoutes(router: Router, context: DashboardContext): void {
  router.get(
    '/dashboard/transactions',
    pageRoute(context, async (view, request) => {
      const admitted = await askAdmission(context, view.signedIn);
      return admitted.status === 401 ? admitted : transactionsPage(view, readFilter(request));
    }),
  );
  router.get(
    '/dashboard/transactions/:id',
    pageRoute(context, async (view, request) => {
      const admitted = await askAdmission(context, view.signedIn);
      if (admitted.status === 401) return admitted;
      const { tenant } = merchantOf(view);
      const transaction = tenant.transactions.get(String(request.params['id']));
      if (transaction === undefined) return transactionsPage(view, readFilter(request));
      const path = `/payment/checkout/status?id=${transaction.id}`;
      const answer = await sendPayment(context, view.signedIn, { method: 'GET', path });
      return transactionPage(view, transaction, answer);
    }),
  );
  for (const [name, form] of Object.entries(moneyForms)) {
    router.post(`/dashboard/transactions/:id/${name}`, readForm, formRoute(context, form));
  }
}

const moneyForms: Readonly<Record<'refund' | 'capture' | 'void', FormRoute>> = {
  refund: moneyForm('refund', 'refunded'),
  capture: moneyForm('capture', 'captured'),
  void: moneyForm('void', 'voided'),
};

function moneyForm(name: 'refund' | 'capture' | 'void', done: FormRoute['done']): FormRoute {
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

/** A payment call does not check the portal's token, so a portal call checks it first. */
function askAdmission({ parts }: DashboardContext, signedIn: SignedIn): Promise<ApiAnswer> {
  return callPortal(parts, signedIn, { method: 'GET', path: '/merchant/account/credentials' });
}

/** A payment call takes the merchant's API key (§5). */
async function sendPayment(
  { parts }: DashboardContext,
  signedIn: SignedIn,
  call: ApiCall,
): Promise<ApiAnswer> {
  const { apiKey, environment } = merchantOf({ parts, signedIn });
  if (apiKey === null) return { status: 409, body: { message: dashboardTexts.en.noKey } };
  return callApi(parts, environment, { ...call, headers: { 'x-api-key': apiKey } });
}

/** A number goes out as a number. Other text goes out as typed, so that the API refuses it. */
function amountOf(text: string): number | string {
  return /^\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
}

function idOf({ params }: Request): string {
  return String(params['id']);
}
