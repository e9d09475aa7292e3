import { rateOf } from '../../domain/clock.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { clockLabels, clockLeaps } from './clock-labels.ts';
import { inspectorLabels } from './labels.ts';
import { panel } from './panel.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** The one clock of everything, and the buttons that move it. */
export function clockPanel(view: View): Html {
  const { tenant, language } = view;
  const { machine } = view.parts;
  const labels = clockLabels[language];
  const { clock } = machine.tenant(tenant);
  const { kind } = clock;
  const now = new Date(machine.now(tenant)).toISOString();
  const next = kind === 'running' ? 'freeze' : 'resume';
  const body = html`<p class="clock-now">
      <time datetime="${now}" dir="ltr" data-rate="${rateOf(clock)}"
        ><span>${now.slice(0, 10)}</span> <b>${now.slice(11, 19)}</b> <span>UTC</span></time
      >
    </p>
    <form method="post" action="${inspectorAddress(view, '/clock')}" class="tool-row">
      <button class="tool" name="action" value="${next}">${labels[next]}</button>
      ${clockLeaps.map(
        (leap) =>
          html`<button class="tool" name="action" value="${leap}" data-test="clock-${leap}">
            +<bdi>${labels.leaps[leap]}</bdi>
          </button>`,
      )}
    </form>`;
  return panel({
    id: 'clock',
    title: inspectorLabels[language].clock,
    aside: html`<span class="badge badge-${kind}">${inspectorLabels[language][kind]}</span>`,
    body,
  });
}
