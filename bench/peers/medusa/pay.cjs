/**
 * Medusa's payment module in a process of its own, with the system provider, which calls no gateway.
 * Gets a database's address, says when it is ready, then answers each message with the payments a
 * second that it initiated and authorized.
 */
const { MedusaApp, MedusaAppMigrateUp } = require('@medusajs/framework/modules-sdk');
const { Modules } = require('@medusajs/framework/utils');

async function start(clientUrl) {
  const connection = { ssl: false };
  const config = {
    modulesConfig: { [Modules.PAYMENT]: { resolve: '@medusajs/payment', options: {} } },
    sharedResourcesConfig: {
      database: { clientUrl, driverOptions: { connection }, pool: { min: 2, max: 10 } },
    },
    cwd: __dirname,
  };
  await MedusaAppMigrateUp(config);
  const { modules } = await MedusaApp(config);
  return modules[Modules.PAYMENT];
}

async function pay(module) {
  const money = { currency_code: 'sar', amount: 115 };
  const { id } = await module.createPaymentCollections(money);
  const session = await module.createPaymentSession(id, {
    ...money,
    provider_id: 'pp_system_default',
    data: {},
    context: {},
  });
  await module.authorizePaymentSession(session.id, {});
}

async function main() {
  const module = await start(process.argv[2]);
  const payAll = async ({ payments, concurrency }) => {
    const startedAt = performance.now();
    let left = payments;
    const shopper = async () => {
      while (left-- > 0) await pay(module);
    };
    await Promise.all(Array.from({ length: concurrency }, shopper));
    process.send({ paymentsPerSecond: payments / ((performance.now() - startedAt) / 1_000) });
  };
  process.on('message', (message) => void payAll(message));
  process.once('disconnect', () => process.exit());
  process.send('ready');
}

void main();
