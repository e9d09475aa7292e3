import { isPaid } from '@pay-button/server-helper';
import '@pay-button/widget/react';
import { useEffect } from 'react';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router';
import { payments } from '../lib/payments.server.ts';

/** What was last verified. A real shop first checks that the order is this shopper's. */
export async function loader({ params: { orderId = '' } }: LoaderFunctionArgs) {
  const payment = await payments().retrieve(orderId);
  return { isThanked: isPaid(payment?.state), src: payments().statusUrl(orderId) };
}

export default function Order() {
  const { isThanked, src } = useLoaderData<typeof loader>();
  useEffect(() => void import('@pay-button/widget'), []);
  return (
    <main>
      <h1>Order</h1>
      <pay-status src={src}>
        {isThanked ? 'Thank you. Your order is paid.' : 'We are checking your payment. '}
        {!isThanked && <a href="">Check again</a>}
      </pay-status>
    </main>
  );
}
