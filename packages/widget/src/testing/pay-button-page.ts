import { fixture, html } from '@open-wc/testing-helpers';
import axe from 'axe-core';
import { expect } from 'vitest';
import '../index.ts';
import type { CheckoutPhase } from '../checkout-state.ts';
import type { PayErrorEvent } from '../events.ts';
import type { PayButton } from '../pay-button.ts';
import { type Answer, script } from './script.ts';

let orders = 0;

/** An order id that no other test uses. */
export function freshOrder(): string {
  return `order-${Date.now()}-${orders++}`;
}

/** A button on the page that never leaves it: `pay-redirect` is cancelled and recorded. */
export async function payButton(endpoint: string, properties: Partial<PayButton> = {}) {
  const element = await fixture<PayButton>(html`<pay-button></pay-button>`);
  Object.assign(element, { endpoint, orderId: freshOrder(), amount: '115.00', ...properties });
  element.addEventListener('pay-redirect', (event) => event.preventDefault());
  await element.updateComplete;
  return element;
}

/** A button on the page, and the shop that gives it these answers in turn. */
export async function buttonOf(answers: readonly Answer[], properties?: Partial<PayButton>) {
  const { url, requests } = await script(...answers);
  return { element: await payButton(url, properties), requests };
}

/** A button on the page whose redirect the browser swallows: the address answers 204. */
export async function stayingButton(properties: Partial<PayButton> = {}) {
  const stays = await script({ status: 204 });
  const redirectUrl = new URL(stays.url, location.href).href;
  const { url, requests } = await script({ status: 201, body: { redirectUrl } });
  const element = await payButton(url, properties);
  const swallow = (event: Event) => event.stopImmediatePropagation();
  element.addEventListener('pay-redirect', swallow, { capture: true });
  return { element, redirectUrl, requests };
}

/** Fails with axe's findings. */
export async function expectAccessible(element: Element): Promise<void> {
  const { violations } = await axe.run(element);
  expect(violations.map(({ id, nodes }) => [id, ...nodes.map((node) => node.html)])).toEqual([]);
}

/** An element within the shadow root, by its part. */
export function part(element: Element, name: string): HTMLElement {
  const found = element.shadowRoot?.querySelector<HTMLElement>(`[part="${name}"]`);
  if (!found) throw new Error(`There is no part ${name}.`);
  return found;
}

/** Waits until the element reaches a phase. */
export async function phase(element: PayButton, wanted: CheckoutPhase): Promise<void> {
  while (element.state !== wanted) {
    await new Promise((resolve) => element.addEventListener('pay-state', resolve, { once: true }));
  }
  await element.updateComplete;
}

/** Presses the button and returns the error that follows. */
export async function errorOf(element: PayButton): Promise<PayErrorEvent> {
  const failed = new Promise<PayErrorEvent>((resolve) => {
    element.addEventListener('pay-error', resolve, { once: true });
  });
  part(element, 'button').click();
  const event = await failed;
  await element.updateComplete;
  return event;
}

/** The size of the element's box in the page's layout. */
export function boxOf(element: HTMLElement): readonly [number, number] {
  return [element.offsetWidth, element.offsetHeight];
}
