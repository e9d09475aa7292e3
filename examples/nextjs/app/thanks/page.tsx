import { isPaid } from '@pay-button/server-helper';
import { payments } from '../../lib/payments.ts';

interface ThanksProps {
  readonly searchParams: Promise<{ readonly order?: string }>;
}

/** Shows what was last verified. A real shop first checks that the order is this shopper's. */
export default async function Thanks({ searchParams }: ThanksProps) {
  const { order = '' } = await searchParams;
  const payment = await payments().retrieve(order);
  if (isPaid(payment?.state)) return <main>Thank you. Your order is paid.</main>;
  return (
    <main>
      We are checking your payment. <a href="">Check again</a>
    </main>
  );
}
