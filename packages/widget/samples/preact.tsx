/** @jsxImportSource preact */
import '@pay-button/widget';
import '@pay-button/widget/preact';

/** The shop's own handling. */
declare function handle(...facts: readonly unknown[]): void;

export function Checkout() {
  return (
    <section>
      <pay-button
        endpoint="/pay/checkout"
        order-id="1001"
        amount="115.00"
        variant="outline"
        methods="mada visa"
        data={{ note: 'gift' }}
        onpay-error={({ code, retryable }) => handle(code, retryable)}
      >
        Pay now
      </pay-button>
      {/* @ts-expect-error: there is no such variant */}
      <pay-button endpoint="/pay/checkout" order-id="1001" variant="loud" />
      <pay-status src="/pay/status/token" onpay-settled={({ state }) => handle(state)} />
    </section>
  );
}
