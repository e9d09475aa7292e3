import '@pay-button/widget';
import '@pay-button/widget/react';
import { useState } from 'react';

interface CheckoutProps {
  readonly orderId: string;
  /** Shown on the button; the price that is paid comes from the server. */
  readonly amount: string;
}

/** The button brings its own errors and retries: React has nothing to add but what the shop wants. */
export function Checkout({ orderId, amount }: CheckoutProps) {
  const [code, setCode] = useState<string | null>(null);
  return (
    <section>
      <h1>Order {orderId}</h1>
      <pay-button
        endpoint="/pay/checkout"
        order-id={orderId}
        amount={amount}
        currency="SAR"
        allowed-origins="http://127.0.0.1:4010"
        onpay-start={() => setCode(null)}
        onpay-error={(event) => setCode(event.code)}
      />
      {code === 'already_paid' && <p>This order is paid.</p>}
    </section>
  );
}
