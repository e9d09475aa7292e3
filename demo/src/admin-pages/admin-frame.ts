import { html } from '@lit-labs/ssr';
import type { PaymentState } from '@pay-button/server-helper';
import type { Request } from 'express';
import type { Html, Page, View } from '../pages/page.ts';

/** What an admin is told at the top of a page after doing something. */
export interface Told {
  readonly notice?: string | undefined;
  readonly problem?: string | undefined;
}

/** What the address says that was just done. */
export function toldBy({ texts: { admin } }: View, request: Request): Told {
  const { done, problem } = request.query;
  const isProblem = typeof problem === 'string';
  const named = Object.entries(admin.problems).find(([name]) => name === problem)?.[1];
  return {
    notice: Object.entries(admin.notices).find(([name]) => name === done)?.[1],
    problem: isProblem ? (named ?? admin.problems.failed) : undefined,
  };
}

/** A page of the admin: its tabs, what was just done, and the page itself. */
export function adminPage(view: View, title: string, told: Told, body: Html): Page {
  return {
    title: `${title} · ${view.texts.admin.title}`,
    body: html`${tabs(view)} ${toldLine(told)} ${body}`,
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

function toldLine({ notice, problem }: Told): Html {
  return html`${notice === undefined ? '' : html`<p class="told" role="status">${notice}</p>`}
  ${problem === undefined ? '' : html`<p class="told complaints" role="alert">${problem}</p>`}`;
}

/** A payment's state, for eyes and tests. */
export function statePill({ texts }: View, state: PaymentState): Html {
  return html`<strong class="pill" data-state=${state}>${texts.states[state]}</strong>`;
}

/** An instant: short for eyes, exact for programs. */
export function instant(at: string): Html {
  return html`<time datetime=${at} dir="ltr">${at.slice(0, 19).replace('T', ' ')}</time>`;
}
