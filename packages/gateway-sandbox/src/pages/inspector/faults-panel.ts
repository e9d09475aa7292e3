import {
  callFaultKinds,
  deliveryFaultKinds,
  faultOperations,
  faultPlaces,
} from '../../faults/fault.ts';
import type { Fault } from '../../faults/fault.ts';
import { profileNames } from '../../faults/profiles.ts';
import { html } from '../html.ts';
import type { Html } from '../html.ts';
import { faultLabels } from './fault-labels.ts';
import { panel } from './panel.ts';
import { inspectorAddress } from './view.ts';
import type { View } from './view.ts';

/** The faults that wait, the named weather, and a form for one more. */
export function faultsPanel(view: View): Html {
  const { parts, tenant, language } = view;
  const labels = faultLabels[language];
  const waiting = parts.faults.list(tenant);
  const profile = parts.faults.profile(tenant);
  const body = html`<form
      method="post"
      action="${inspectorAddress(view, '/profile')}"
      class="tool-row"
    >
      <label class="visually-hidden" for="profile">${labels.profile}</label>
      <select id="profile" name="profile" class="tool-select" dir="ltr">
        ${profileNames.map((name) => html`<option ${name === profile && html` selected`}>${name}</option>`)}
      </select>
      <button class="tool" data-test="set-profile">${labels.setProfile}</button>
      ${waiting.length > 0 && html`<button class="tool tool-danger" name="clear" value="yes" data-test="clear-faults">${labels.clear}</button>`}
    </form>
    ${
      waiting.length === 0
        ? html`<p class="empty">${labels.none}</p>`
        : html`<ul class="faults">
            ${waiting.map((fault) => faultRow(fault, labels.always))}
          </ul>`
    }
    ${newFault(view)}`;
  const badge = profile === 'healthy' && waiting.length === 0 ? 'ok' : 'pending';
  return panel({
    id: 'faults',
    title: labels.title,
    aside: html`<bdi class="badge badge-${badge}" dir="ltr">${profile}</bdi>`,
    body,
  });
}

function faultRow({ place, kind, operation, count, every }: Fault, always: string): Html {
  return html`<li>
    <bdi dir="ltr"
      ><b>${kind}</b>
      ${place}${operation !== null && html` · ${operation}`}${every > 1 && html` · 1/${every}`}</bdi
    >
    <span class="soft">${count === null ? always : `× ${count}`}</span>
  </li>`;
}

function newFault(view: View): Html {
  const labels = faultLabels[view.language];
  const choice = (name: string, label: string, values: readonly string[], first: string | null) =>
    html`<div class="desk-field">
      <label for="fault-${name}">${label}</label>
      <select id="fault-${name}" name="${name}" dir="ltr" data-test="fault-${name}">
        ${first !== null && html`<option value="">${first}</option>`}
        ${values.map((value) => html`<option>${value}</option>`)}
      </select>
    </div>`;
  return html`<details class="fold" id="new-fault">
    <summary>${labels.add}</summary>
    <form method="post" action="${inspectorAddress(view, '/faults')}" class="fault-form">
      ${choice('operation', labels.operation, faultOperations, labels.every)}
      ${choice('place', labels.place, faultPlaces, null)}
      ${choice('kind', labels.kind, [...callFaultKinds, ...deliveryFaultKinds], null)}
      <div class="desk-field">
        <label for="fault-count">${labels.count}</label>
        <input
          id="fault-count"
          name="count"
          inputmode="numeric"
          value="1"
          dir="ltr"
          data-test="fault-count"
        />
      </div>
      <button class="tool tool-main" data-test="add-fault">${labels.add}</button>
    </form>
  </details>`;
}
