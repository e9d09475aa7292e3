import { payments } from '../../lib/payments.ts';

interface ThanksProps {
  readonly searchParams: Promise<{ readonly order?: string }>;
}

/** Shows what was last verified. A real shop first looks whether the order is this shopper's. */
export default async function Thanks({ searchParams }: ThanksProps) {
  const { order = '' } = await searchParams;
  const payment = await payments().retrieve(order);
  return <main>{payment?.state === 'paid' ? 'Thank you.' : 'We are waiting for the bank.'}</main>;
}
