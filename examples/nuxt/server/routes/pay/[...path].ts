/** Every method of every payment route. */
export default defineEventHandler((event) =>
  usePayments().handle(toWebRequest(event), { address: getRequestIP(event) }),
);
