import { PayButton } from './pay-button.tsx';

/** The gateway's address is a setting of the server that runs, and none of the build. */
export const dynamic = 'force-dynamic';

export default function Page() {
  return (
    <main>
      <h1>Order 1001</h1>
      <PayButton
        orderId="1001"
        amount="115.00"
        allowedOrigins={process.env['HOSTED_PAGE_ORIGIN'] ?? ''}
      />
    </main>
  );
}
