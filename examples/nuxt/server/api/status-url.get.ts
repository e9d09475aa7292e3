/** A real shop first checks that the order is this shopper's. */
export default defineEventHandler((event) =>
  usePayments().statusUrl(String(getQuery(event).order)),
);
