import { html } from '@lit-labs/ssr';
import type { Request, Response } from 'express';
import { sendPage, viewFor } from './page.ts';

/** What can go wrong with a page. */
export type PageError = 'notFound' | 'forbidden' | 'badRequest' | 'failed';

const statusOf: Readonly<Record<PageError, number>> = {
  notFound: 404,
  forbidden: 403,
  badRequest: 400,
  failed: 500,
};

/** Answers with a page that says what happened, what it means for the shopper, and where to go. */
export function sendErrorPage(request: Request, response: Response, error: PageError): void {
  const view = viewFor(request, response);
  const [title, explanation] = view.texts.errors[error];
  sendPage(response, statusOf[error], view, {
    title,
    body: html`<section class="message">
      <img src="/images/empty-basket.svg" alt="" width="160" height="120" />
      <h1>${title}</h1>
      <p>${explanation}</p>
      <p><a class="button" href="/">${view.texts.toShop}</a></p>
    </section>`,
  });
}
