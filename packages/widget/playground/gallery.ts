import type { PayButton } from '../src/pay-button.ts';

/** A state and its button. A button with an `answer` is pressed to reach the state. */
interface Exhibit {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly answer?: string;
}

const buttons: readonly Exhibit[] = [
  { name: 'idle', attributes: { methods: 'mada visa mastercard apple-pay' } },
  { name: 'outline', attributes: { variant: 'outline' } },
  { name: 'plain', attributes: { variant: 'plain' } },
  { name: 'disabled', attributes: { disabled: '' } },
  { name: 'requesting', answer: 'hangs' },
  { name: 'stalled', answer: 'stays' },
  { name: 'failed: already_paid', answer: 'paid' },
  { name: 'failed: gateway_unreachable', answer: 'silent' },
  { name: 'failed: gateway_rejected', answer: 'refused' },
];

const statuses = ['pending', 'paid', 'failed', 'expired', 'refunded', 'review'];

/** Adds a button for each state, and a status for each of its views. */
export function showEveryState(gallery: HTMLElement): void {
  const pressed: PayButton[] = [];
  for (const { name, attributes = {}, answer } of buttons) {
    const button = document.createElement('pay-button');
    button.endpoint = `/shop/checkout/${answer ?? 'link'}`;
    button.orderId = `gallery ${name}`;
    button.amount = '115.00';
    for (const [attribute, value] of Object.entries(attributes))
      button.setAttribute(attribute, value);
    gallery.append(exhibit(name, button));
    if (answer) pressed.push(button);
  }
  for (const state of statuses) {
    const status = document.createElement('pay-status');
    status.src = `/shop/status/${state}`;
    gallery.append(exhibit(`pay-status: ${state}`, status));
  }
  for (const button of pressed) void button.pay();
}

function exhibit(name: string, element: HTMLElement): HTMLElement {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  caption.dir = 'ltr';
  figure.append(element, caption);
  return figure;
}
