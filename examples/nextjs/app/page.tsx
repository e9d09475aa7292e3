import { PayButton } from './pay-button.tsx';

export default function Page() {
  return (
    <main>
      <h1>Order 1001</h1>
      <PayButton orderId="1001" amount="115.00" />
    </main>
  );
}
