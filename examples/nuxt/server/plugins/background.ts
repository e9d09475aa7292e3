/** The background work looks after shoppers who never come back. */
export default defineNitroPlugin((nitro) => {
  usePayments().start();
  nitro.hooks.hook('close', () => usePayments().close());
});
