import { html } from '../html.ts';
import type { Language } from '../language.ts';
import type { Page } from '../send-page.ts';
import { dashboardLabels } from './labels.ts';
import { framedPage } from './shell.ts';

/** The portal's login as a page. `complaint` is what the API said to the last try. */
export function signInPage(
  language: Language,
  { complaint, username }: { complaint: string | null; username: string },
): Page {
  const labels = dashboardLabels[language];
  const main = html`<main class="sign-in">
    <h1>${labels.signIn}</h1>
    ${
      complaint !== null &&
      html`<div class="note note-refused" role="alert" data-test="refused">
        <p><bdi>${complaint}</bdi></p>
      </div>`
    }
    <form method="post" action="/dashboard/sign-in?lang=${language}" class="panel desk-form">
      <div class="desk-field">
        <label for="username">${labels.username}</label>
        <input
          id="username"
          name="username"
          dir="ltr"
          required
          autocomplete="username"
          value="${username}"
          data-test="username"
        />
      </div>
      <div class="desk-field">
        <label for="password">${labels.password}</label>
        <input
          id="password"
          name="password"
          type="password"
          dir="ltr"
          required
          autocomplete="current-password"
          data-test="password"
        />
      </div>
      <div class="desk-field">
        <label for="environment">${labels.environment}</label>
        <select id="environment" name="environment" data-test="environment">
          <option value="staging">${labels.environments.staging}</option>
          <option value="production">${labels.environments.production}</option>
        </select>
      </div>
      <button class="tool tool-main" data-test="sign-in">${labels.signInButton}</button>
    </form>
    <p class="soft">${labels.signInHint} <a href="/_sandbox?lang=${language}">/_sandbox</a></p>
  </main>`;
  return framedPage(language, labels.signIn, '/dashboard', main);
}
