import { type Drift, entryOf } from '../../gateway/drift.ts';
import { instant } from '../format.ts';
import { html, type Html } from '../html.ts';
import type { Visit } from '../office.ts';
import { code, panel } from '../parts.ts';
import { gatewayTexts } from '../texts/gateway.ts';

/** What the gateway's answers had that the kit and the profile do not expect. */
export async function answersPanel(visit: Visit): Promise<Html> {
  const { language, office } = visit;
  const texts = gatewayTexts[language];
  const drift = office.payments.gateway.drift();
  const findings = await findingsOf(visit);
  return panel(
    'drift',
    texts.drift,
    html`${findings.map(
      (text) => html`<p class="mistake" data-test="gateway-finding">${text}</p>`,
    )}${
      drift.length === 0
        ? html`<p class="muted">${texts.noDrift}</p>`
        : html`<p class="hint">${texts.driftHint}</p>
            <ul class="cards">
              ${drift.map((one) => driftCard(visit, one))}
            </ul>`
    }`,
  );
}

/** The findings of the health route that are about the gateway; none where the store does not answer. */
async function findingsOf({ language, office }: Visit): Promise<readonly string[]> {
  const texts: Readonly<Record<string, string>> = gatewayTexts[language].findings;
  const { findings = [] } = (await office.parts.health()).json as { findings?: readonly string[] };
  return findings.flatMap((name) => texts[name] ?? []);
}

function driftCard(visit: Visit, drift: Drift): Html {
  const texts = gatewayTexts[visit.language];
  const { operation, kind, field, count, firstSeenAt, lastSeenAt } = drift;
  const at = (time: number): Html => instant(visit, new Date(time).toISOString());
  return html`<li data-test="drift" data-kind="${kind}">
    <p class="line">
      <strong>${texts.kinds[kind]}</strong>
      <span class="muted end">${texts.times(count)}</span>
    </p>
    <p class="line">
      ${code(operation)} ${field === '' ? html`<span>${texts.whole}</span>` : code(field)}
    </p>
    <p class="muted">
      ${texts.first} ${at(firstSeenAt)}${count > 1 && html` · ${texts.last} ${at(lastSeenAt)}`}
    </p>
    <p>${whatToDo(visit, drift)}</p>
  </li>`;
}

function whatToDo({ language }: Visit, drift: Drift): Html {
  const texts = gatewayTexts[language];
  if (drift.kind === 'refused_signature') return html`${texts.secretToCheck}`;
  const entry = entryOf(drift);
  if (entry !== undefined) return html`${texts.inProfile} ${code(entry)}`;
  return html`${drift.kind === 'unknown_field' ? texts.harmless : texts.forSupport}`;
}
