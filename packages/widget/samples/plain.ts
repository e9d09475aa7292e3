import '@pay-button/widget';

/** Whatever the shop does with it. */
declare function tell(...facts: readonly unknown[]): void;

const element = document.createElement('pay-button');
element.orderId = '1001';
element.data = { note: 'gift' };
element.addEventListener('pay-start', (event) => event.waitUntil(Promise.resolve()));
element.addEventListener('pay-error', ({ code, outcome }) => tell(code, outcome));
// @ts-expect-error: there is no such target
element.target = 'blank';

const outcome = await element.pay();
if (outcome.outcome !== 'redirected') tell(outcome.code, outcome.retryable);

document.querySelector('pay-status')?.addEventListener('pay-settled', ({ state }) => {
  tell(state);
});
