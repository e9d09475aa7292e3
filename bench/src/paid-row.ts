/** A status row as an approved payment leaves it, of the fields that the specification states. */
export const paidRow = (transactionId: string, amount: string) => ({
  transactionId,
  amount,
  transactionStatus: 'SUCCESS',
  paymentStatus: 'APPROVED',
  refundStatus: 'NONE',
  totalRefundAmount: '0.00',
  pan: '420132******1010',
  cardScheme: 'MADA',
});
