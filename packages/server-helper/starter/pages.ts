import { isPaid, isPayable, type PaymentState } from '@pay-button/server-helper';
import { orders } from './pay.config.ts';

/** What was last verified of an order's payment; `undefined` before there is one. */
type State = PaymentState | undefined;

/** The orders, each with its button while it can be paid. */
export function cartPage(states: readonly State[], hostedPage: string): string {
  const rows = [...orders].map(([orderId, { what, amount }], index) => {
    const state = states[index];
    const done = `<p class="done">${isPaid(state) ? 'Paid' : 'Nothing to pay'}</p>`;
    return `<section>
      <div><h2>${what}</h2><p>Order ${orderId} · ${amount} SAR</p></div>
      ${isPayable(state) ? payButton(orderId, amount, hostedPage) : done}
    </section>`;
  });
  return page('Your orders', rows.join(''));
}

// The form works where scripts do not.
const payButton = (orderId: string, amount: string, hostedPage: string): string => `
  <pay-button endpoint="/pay/checkout" order-id="${orderId}" amount="${amount}" currency="SAR"
      allowed-origins="${hostedPage}">
    <form method="post" action="/pay/checkout">
      <input type="hidden" name="orderId" value="${orderId}"><button>Pay ${amount} SAR</button>
    </form>
  </pay-button>`;

/** What the shopper comes back to. Until a script runs, the line says what the gateway has confirmed. */
export function thanksPage(state: State, statusUrl: string): string {
  const line = isPaid(state)
    ? 'Thank you. Your order is paid.'
    : 'We are checking your payment. <a href="">Check again</a>';
  return page(
    'Your payment',
    `<pay-status src="${statusUrl}"><p>${line}</p></pay-status><p><a href="/">All orders</a></p>`,
  );
}

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/pay/reserve.css">
    <script type="module" src="/pay/pay-elements.js"></script>
    <style>
      body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
      section { display: flex; gap: 1rem; align-items: center; justify-content: space-between;
        flex-wrap: wrap; padding: 1rem 0; border-top: 1px solid #8884; }
      h2 { margin: 0; font-size: 1.1rem; }
      p { margin: 0; }
      .done { font-weight: 600; color: #1a7f37; }
      :root { color-scheme: light dark; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`;
