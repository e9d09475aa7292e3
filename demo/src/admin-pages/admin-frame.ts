import { html } from '@lit-labs/ssr';
import type { PaymentState } from '@pay-button/server-helper';
import type { Request } from 'express';
import type { AdminParts } from '../admin/admin-api.ts';
import type { AdminSessionParts } from '../admin/admin-sessions.ts';
import type { ShopDatabase } from '../database/shop-database.ts';
import type { Html, Page, View } from '../pages/page.ts';

/** The result of the last action, at the top of a page. */
export interface Feedback {
  readonly notice?: string | undefined;
  readonly problem?: string | undefined;
}

/** Reads the result of the last action from the address. */
export function feedbackOf({ texts: { admin } }: View, request: Request): Feedback {
  const { done, problem } = request.query;
  const isProblem = typeof problem === 'string';
  const named = Object.entries<string>(admin.problems).find(([name]) => name === problem)?.[1];
  return {
    notice: Object.entries<string>(admin.notices).find(([name]) => name === done)?.[1],
    problem: isProblem ? (named ?? admin.problems.failed) : undefined,
  };
}

/** A page of the admin: its tabs, the result of the last action, and the page itself. */
export function adminPage(view: View, title: string, feedback: Feedback, body: Html): Page {
  return {
    title: `${title} · ${view.texts.admin.title}`,
    body: html`${tabs(view)} ${feedbackLine(feedback)} ${body}`,
  };
}

function tabs({ texts: { admin }, path }: View): Html {
  const current = (href: string): 'page' | 'false' => (path === href ? 'page' : 'false');
  return html`<div class="admin-bar">
    <nav aria-label=${admin.title}>
      <a href="/admin" aria-current=${current('/admin')}>${admin.orders}</a>
      <a href="/admin/portal" aria-current=${current('/admin/portal')}>${admin.portal}</a>
    </nav>
    <form method="post" action="/admin/sign-out">
      <button class="small quiet" data-test="admin-sign-out">${admin.signOut}</button>
    </form>
  </div>`;
}

function feedbackLine({ notice, problem }: Feedback): Html {
  return html`${notice === undefined ? '' : html`<p class="feedback" role="status">${notice}</p>`}
  ${problem === undefined ? '' : html`<p class="feedback complaints" role="alert">${problem}</p>`}`;
}

/** A payment's state, for eyes and tests. */
export function statePill({ texts }: View, state: PaymentState): Html {
  return html`<strong class="pill" data-state=${state}>${texts.states[state]}</strong>`;
}

/** An instant: short for eyes, exact for programs. */
export function instant(at: string): Html {
  return html`<time datetime=${at} dir="ltr">${at.slice(0, 19).replace('T', ' ')}</time>`;
}

/** What the admin's pages work with. */
export interface AdminPagesParts extends AdminParts {
  readonly database: AdminParts['database'] &
    AdminSessionParts['database'] &
    Pick<ShopDatabase<never>, 'confirmSeconds'>;
  readonly publicUrl: string;
  /** Where 3-D Secure pages may lead. */
  readonly gatewayOrigins: readonly string[];
}
