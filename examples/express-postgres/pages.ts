import { isPaid, type PaymentState } from '@pay-button/server-helper';

/** The page that is paid on. The form inside the button works where scripts do not. */
export function checkoutPage(orderId: string, amount: string, hostedPageOrigin: string): string {
  return page(`<h1>Order ${orderId}</h1>
    <pay-button endpoint="/pay/checkout" order-id="${orderId}" amount="${amount}" currency="SAR"
        allowed-origins="${hostedPageOrigin}">
      <form method="post" action="/pay/checkout">
        <input type="hidden" name="orderId" value="${orderId}"><button>Pay ${amount} SAR</button>
      </form>
    </pay-button>`);
}

/** What the shopper comes back to. Until a script runs, the line says what the gateway has confirmed. */
export function statusPage(state: PaymentState | undefined, src: string): string {
  const line = isPaid(state)
    ? 'Thank you. Your order is paid.'
    : 'We are checking your payment. <a href="">Check again</a>';
  return page(`<h1>Order</h1><pay-status src="${src}"><p>${line}</p></pay-status>`);
}

function page(content: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8">
    <meta name="viewport" content="width=device-width"><title>Shop</title>
    <link rel="stylesheet" href="/pay/reserve.css">
    <script type="module" src="/pay/pay-elements.js"></script><main>${content}</main></html>`;
}
