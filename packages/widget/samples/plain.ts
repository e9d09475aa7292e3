import '@pay-button/widget';

/** The shop's own handling. */
declare function handle(...facts: readonly unknown[]): void;

const element = document.createElement('pay-button');
element.orderId = '1001';
element.data = { note: 'gift' };
element.addEventListener('pay-start', (event) => event.waitUntil(Promise.resolve()));
element.addEventListener('pay-error', ({ code, outcome }) => handle(code, outcome));
// @ts-expect-error: there is no such target
element.target = 'blank';

const outcome = await element.pay();
if (outcome.outcome !== 'redirected') handle(outcome.code, outcome.retryable);

document.querySelector('pay-status')?.addEventListener('pay-settled', ({ state }) => {
  handle(state);
});
