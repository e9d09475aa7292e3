import { html } from '../html.ts';
import type { Page } from '../send-page.ts';
import { scrollingTable } from '../inspector/panel.ts';
import { recordsOf, textOf } from './call-api.ts';
import type { ApiAnswer } from './call-api.ts';
import { dashboardLabels } from './labels.ts';
import { dashboardPage, deskForm, guardedForm, instantText, statusBadge } from './shell.ts';
import type { Desk } from './shell.ts';

/** Settings → API credentials: the keys as §4.13 answers them, rotation and revocation (§5.5). */
export function credentialsPage(desk: Desk, answer: ApiAnswer): Page {
  const { language } = desk;
  const labels = dashboardLabels[language];
  const rows = recordsOf(answer, 'credentials').map((key) => {
    const id = textOf(key, 'id');
    const status = textOf(key, 'status');
    return html`<tr>
      <td><code dir="ltr">${textOf(key, 'apiKey')}</code></td>
      <td>${statusBadge(status, language)}</td>
      <td>${instantText(textOf(key, 'createdAt'), language)}</td>
      <td>${instantText(textOf(key, 'expiresAt'), language)}</td>
      <td>
        ${
          status === 'ACTIVE' &&
          guardedForm(desk, {
            action: `/dashboard/credentials/${encodeURIComponent(id)}/revoke`,
            open: labels.revoke,
            confirm: labels.revokeConfirm,
            test: 'revoke-key',
          })
        }
      </td>
    </tr>`;
  });
  const table = scrollingTable({
    labelledBy: 'keys',
    head: [labels.apiKey, labels.status, labels.created, labels.expires, labels.actions],
    rows,
  });
  const heading = `${labels.settings}: ${labels.sections.credentials}`;
  return dashboardPage(
    desk,
    'credentials',
    heading,
    html`<section class="panel" aria-labelledby="keys">
      <div class="panel-head">
        <h2 id="keys">${labels.sections.credentials}</h2>
        ${deskForm(desk, {
          action: '/dashboard/credentials/rotate',
          body: html`<button class="tool tool-main" data-test="rotate-key">
            ${labels.rotate}
          </button>`,
        })}
      </div>
      <p class="soft">${labels.rotateHint}</p>
      ${table}
    </section>`,
  );
}
