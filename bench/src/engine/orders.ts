/** What every shop knows of an order. */
export const orderOf = (orderId: string) => ({
  orderId,
  amount: '115.00',
  currency: 'SAR',
  customer: { name: 'Noura Al-Qahtani', email: 'noura@example.com', phone: '0501234567' },
});

/** The gateway's key. */
export const apiKey = 'staging-key-0123456789abcdef';
