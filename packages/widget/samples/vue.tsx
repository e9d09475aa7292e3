/** @jsxImportSource vue */
import '@pay-button/widget';
import '@pay-button/widget/vue';
import type { GlobalComponents } from 'vue';

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
        onPayError={({ code, retryable }) => handle(code, retryable)}
      >
        Pay now
      </pay-button>
      {/* @ts-expect-error: there is no such variant */}
      <pay-button endpoint="/pay/checkout" order-id="1001" variant="loud" />
      <pay-status src="/pay/status/token" onPaySettled={({ state }) => handle(state)} />
    </section>
  );
}

/** The props that Vue's language tools accept for `<pay-button>` in a template. */
type TemplateProps = InstanceType<GlobalComponents['pay-button']>['$props'];

export const inTemplate: TemplateProps = { endpoint: '/pay/checkout', orderId: '1001' };
// @ts-expect-error: there is no such size
export const wrong: TemplateProps = { size: 'huge' };
