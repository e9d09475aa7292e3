import '@pay-button/widget';
import '@pay-button/widget/svelte';
import type { SvelteHTMLElements } from 'svelte/elements';

/** The shop's own handling. */
declare function handle(...facts: readonly unknown[]): void;

/** The attributes that Svelte's language tools accept for `<pay-button>` and `<pay-status>` in a template. */
export const button: SvelteHTMLElements['pay-button'] = {
  endpoint: '/pay/checkout',
  'order-id': '1001',
  amount: '115.00',
  data: { note: 'gift' },
  'onpay-error': ({ code, retryable }) => handle(code, retryable),
};

// @ts-expect-error: there is no such variant
export const wrong: SvelteHTMLElements['pay-button'] = { variant: 'loud' };

export const status: SvelteHTMLElements['pay-status'] = {
  src: '/pay/status/token',
  'onpay-settled': ({ state }) => handle(state),
};
