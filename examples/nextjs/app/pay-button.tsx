'use client';

import '@pay-button/widget/react';
import { useEffect } from 'react';

/** The element is the browser's: the server sends its tag, and it wakes up there. */
export function PayButton({
  orderId,
  amount,
  allowedOrigins,
}: {
  readonly orderId: string;
  readonly amount: string;
  readonly allowedOrigins: string;
}) {
  useEffect(() => {
    void import('@pay-button/widget');
  }, []);
  return (
    <pay-button
      endpoint="/pay/checkout"
      order-id={orderId}
      amount={amount}
      currency="SAR"
      allowed-origins={allowedOrigins}
    />
  );
}
