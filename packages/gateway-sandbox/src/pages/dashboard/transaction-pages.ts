import { formatAmount } from '../../domain/requests.ts';
import { iso } from '../../domain/clock.ts';
import { refusalOfAuthorization } from '../../domain/moves.ts';
import { balanceOf } from '../../domain/transaction.ts';
import type { Session, Transaction } from '../../domain/transaction.ts';
import { badge, definitions, field, ltr, panel } from '../furniture.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { transactionStateOf } from '../inspector/payment-state.ts';
import { paymentDiagram } from '../inspector/state-diagram.ts';
import type { Language } from '../language.ts';
import { amountTag } from '../money.ts';
import type { Page } from '../page.ts';
import { recordsOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { apiForm, dashboardPage, guardedForm, instantText, mainButton } from './dashboard-page.ts';
import type { View } from './dashboard-page.ts';
import { merchantOf } from './sign-in.ts';
import { dashboardTexts } from './texts.ts';
import { cardText } from './transaction-list.ts';

/** One transaction: its state, the forms that it allows, and the status endpoint's row word for word. */
export function transactionPage(view: View, transaction: Transaction, answer: ApiAnswer): Page {
  const { language, parts } = view;
  const texts = dashboardTexts[language];
  const { tenant, tenantId } = merchantOf(view);
  const session = tenant.sessions.get(transaction.sessionId);
  const now = parts.machine.now(tenantId);
  const { data } = answer.body;
  const rows =
    typeof data === 'object' && data !== null
      ? recordsOf({ ...answer, body: Object.fromEntries(Object.entries(data)) }, 'content')
      : [];
  const answered = Object.entries(rows[0] ?? {}).map(
    ([name, value]) =>
      [ltr(name), html`<bdi dir="ltr" data-test="told-${name}">${String(value)}</bdi>`] as const,
  );
  const body = html`${session !== undefined && html`<div class="panel">${summary(language, session, transaction)} ${paymentDiagram(session, [transaction], now, language)}</div>`}
  ${panel({
    id: 'money-actions',
    title: texts.moneyActions,
    body: moneyActions(view, transaction),
  })}
  ${panel({ id: 'transaction', title: texts.statusAnswer, body: definitions('facts', answered) })}`;
  const heading = `${texts.order} ${session?.merchantOrderId ?? ''}`;
  return {
    ...dashboardPage(view, 'transactions', heading, body),
    path: `/dashboard/transactions/${transaction.id}`,
    scripts: ['current-state.js'],
  };
}

/** The amount, the state and what was refunded, as the list has them. */
function summary(language: Language, { currency }: Session, transaction: Transaction): Html {
  const texts = dashboardTexts[language];
  const state = transactionStateOf(transaction);
  const { refundedMinor } = balanceOf(transaction.entries);
  const refunded = [texts.refunded, amountTag(refundedMinor, currency, language)] as const;
  return html`<p class="row">
      <b class="total">${amountTag(transaction.amountMinor, currency, language)}</b>
      ${badge(state, texts.states[state])}
    </p>
    ${definitions('terms', [
      [texts.card, cardText(transaction)],
      [texts.created, instantText(iso(transaction.createdAt), language)],
      ...(refundedMinor > 0 ? [refunded] : []),
    ])}`;
}

/** Offers only what this transaction allows; the API decides in any case. */
function moneyActions(view: View, transaction: Transaction): Html {
  const texts = dashboardTexts[view.language];
  const isHeld = refusalOfAuthorization(transaction) === null;
  const { refundableMinor } = balanceOf(transaction.entries);
  const action = `/dashboard/transactions/${transaction.id}`;
  if (!isHeld && refundableMinor === 0) return html`<p class="empty">${texts.noMoneyActions}</p>`;
  const amountForm = (name: 'refund' | 'capture', minor: number) =>
    apiForm(view, {
      action: `${action}/${name}`,
      style: 'row amount-form',
      body: html`${field({
        id: `${name}-amount`,
        label: texts.amounts[name],
        input: html`name="amount" dir="ltr" inputmode="decimal" value="${formatAmount(minor)}"
        data-test="${name}-amount"`,
      })}
      ${mainButton(name, texts[name])}`,
    });
  const voiding = { open: texts.void, confirm: texts.voidConfirm, test: 'void' };
  return html`${refundableMinor > 0 && amountForm('refund', refundableMinor)}
  ${isHeld && amountForm('capture', transaction.amountMinor)}
  ${isHeld && guardedForm(view, { action: `${action}/void`, ...voiding })}`;
}
