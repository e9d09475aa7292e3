import '@pay-button/widget/react';
import { useEffect } from 'react';
import { useLoaderData } from 'react-router';

export const loader = () => ({ allowedOrigins: process.env['HOSTED_PAGE_ORIGIN'] ?? '' });

export default function Home() {
  const { allowedOrigins } = useLoaderData<typeof loader>();
  useEffect(() => void import('@pay-button/widget'), []);
  return (
    <main>
      <h1>Order 1001</h1>
      <pay-button
        endpoint="/pay/checkout"
        order-id="1001"
        amount="115.00"
        currency="SAR"
        allowed-origins={allowedOrigins}
      />
    </main>
  );
}
