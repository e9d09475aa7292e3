import { orders } from './pay.config.ts';

/** The orders, each with its button or with the word that it is paid. */
export function cartPage(paid: ReadonlySet<string>, hostedPage: string): string {
  const rows = [...orders].map(
    ([orderId, { what, amount }]) => `<section>
      <div><h2>${what}</h2><p>Order ${orderId} · ${amount} SAR</p></div>
      ${paid.has(orderId) ? '<p class="paid">Paid</p>' : payButton(orderId, amount, hostedPage)}
    </section>`,
  );
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

/** What the shopper comes back to: it shows what the gateway has confirmed, and nothing else. */
export function thanksPage(statusUrl: string): string {
  return page(
    'Your payment',
    `<pay-status src="${statusUrl}"><p slot="paid">Thank you. We are packing your order.</p></pay-status>
    <p><a href="/">All orders</a></p>`,
  );
}

const page = (title: string, content: string): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <script type="module" src="/pay/pay-elements.js"></script>
    <style>
      body { margin: 0 auto; max-width: 40rem; padding: 2rem 1rem; font: 1rem/1.5 system-ui, sans-serif; }
      section { display: flex; gap: 1rem; align-items: center; justify-content: space-between;
        flex-wrap: wrap; padding: 1rem 0; border-top: 1px solid #8884; }
      h2 { margin: 0; font-size: 1.1rem; }
      p { margin: 0; }
      .paid { font-weight: 600; color: #1a7f37; }
      :root { color-scheme: light dark; }
    </style>
  </head>
  <body>
    <h1>${title}</h1>
    ${content}
  </body>
</html>
`;
