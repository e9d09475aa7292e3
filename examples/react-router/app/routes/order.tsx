import '@pay-button/widget/react';
import { useEffect } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { payments } from '../lib/payments.server.ts';

/** A real shop first checks that the order is this shopper's. */
export const loader = ({ params }: LoaderFunctionArgs) => ({
  src: payments().statusUrl(params['orderId'] ?? ''),
});

export default function Order() {
  const { src } = useLoaderData<typeof loader>();
  useEffect(() => void import('@pay-button/widget'), []);
  return (
    <main>
      <h1>Order</h1>
      <pay-status src={src} />
    </main>
  );
}
