import type { Response } from 'express';
import { assetUrl } from './assets.ts';
import type { AssetName } from './assets.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { directionOf } from './language.ts';
import type { Language } from './language.ts';

export interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /** Addresses that this page's forms may lead to besides the sandbox: the merchant's. */
  readonly formTargets?: readonly string[];
  /** Addresses whose sites may show this page in a frame; without any, nobody may. */
  readonly framedBy?: readonly string[];
  /** Whether its script asks the sandbox for news. */
  readonly live?: boolean;
  /** The style sheet: the shopper's, unless told. */
  readonly style?: 'sandbox.css' | 'tools.css';
  /** Small scripts that make the page more comfortable; it works without them. */
  readonly scripts?: readonly AssetName[];
}

/**
 * Sends a page. It answers 200 whatever the session's state: a browser reports any other status of
 * a page as an error in its console, and there is none.
 */
export function sendPage(response: Response, page: Page): void {
  response
    .status(200)
    .set({
      'cache-control': 'no-store',
      'content-security-policy': policyOf(page),
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      vary: 'accept-language',
    })
    .type('html')
    .send(documentOf(page).toString());
}

function documentOf({ language, title, body, style = 'sandbox.css', scripts = [] }: Page): Html {
  return html`<!doctype html>
    <html lang="${language}" dir="${directionOf(language)}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="icon" href="${assetUrl('favicon.svg')}" type="image/svg+xml" />
        <link rel="stylesheet" href="${assetUrl(style)}" />
        ${scripts.map((name) => html`<script src="${assetUrl(name)}" defer></script>`)}
      </head>
      <body>
        ${body}
      </body>
    </html> `;
}

/**
 * Chromium holds redirects after a form post against `form-action` too, so the merchant's origins
 * have to be in it or a paid shopper would be stuck here.
 */
function policyOf({ formTargets = [], framedBy = [], live = false }: Page): string {
  const targets = new Set(formTargets.map(policySource));
  const framers = ["'self'", ...new Set(framedBy.map(policySource))].join(' ');
  return [
    "default-src 'none'",
    "script-src 'self'",
    ...(live ? ["connect-src 'self'"] : []),
    "style-src 'self'",
    "img-src 'self'",
    `form-action ${["'self'", ...targets].join(' ')}`,
    `frame-ancestors ${framedBy.length === 0 ? "'none'" : framers}`,
    "base-uri 'none'",
  ].join('; ');
}

/** A policy cannot name an IPv6 address, so such a shop is let through by its scheme. */
function policySource(address: string): string {
  const { origin, hostname, protocol } = new URL(address);
  return hostname.startsWith('[') ? protocol : origin;
}
