import type { PayButton } from '../src/pay-button.ts';

/** The states of a button, with its attributes. A button with an `answer` is pressed to reach its state. */
const buttons: readonly (Partial<PayButton> & {
  readonly name: string;
  readonly answer?: string;
})[] = [
  { name: 'idle', methods: 'mada visa mastercard apple-pay' },
  { name: 'outline', variant: 'outline' },
  { name: 'plain', variant: 'plain' },
  { name: 'disabled', disabled: true },
  { name: 'requesting', answer: 'hangs' },
  { name: 'stalled', answer: 'stays' },
  { name: 'failed: already_paid', answer: 'paid' },
  { name: 'failed: gateway_unreachable', answer: 'silent' },
  { name: 'failed: gateway_rejected', answer: 'refused' },
];

const statuses = ['pending', 'paid', 'failed', 'expired', 'refunded', 'review'];

/** Adds a button for each state, and a status for each of its views. */
export function showEveryState(gallery: HTMLElement): void {
  for (const { name, answer = '', ...properties } of buttons) {
    const button = document.createElement('pay-button');
    const endpoint = `/shop/checkout/${answer}`;
    Object.assign(button, properties, { endpoint, orderId: `gallery ${name}`, amount: '115.00' });
    gallery.append(exhibit(name, button));
    if (answer) void button.pay();
  }
  for (const state of statuses) {
    const status = document.createElement('pay-status');
    status.src = `/shop/status/${state}`;
    gallery.append(exhibit(`pay-status: ${state}`, status));
  }
}

function exhibit(name: string, element: HTMLElement): HTMLElement {
  const figure = document.createElement('figure');
  const caption = document.createElement('figcaption');
  caption.textContent = name;
  caption.dir = 'ltr';
  figure.append(element, caption);
  return figure;
}
