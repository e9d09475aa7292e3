/**
 * A process of its own that fills a store and serves the back office on it. Tells its port to the process
 * that started it, and how many microseconds of CPU it has taken when it is asked.
 */
import type { AddressInfo } from 'node:net';
import { backOffice } from '@pay-button/server-helper/back-office';
import express from 'express';
import { answerParent, cpuMicroseconds } from '../child.ts';
import { ourPayments, storeAt, type StoreName } from '../our-payments.ts';
import { fill } from './fill.ts';

const [storeName, address = '', ...numbers] = process.argv.slice(2) as [StoreName, ...string[]];
const [wanted = 0, spanMs] = numbers.map(Number);
const store = storeAt(storeName, address);
await fill(storeName, address, store, wanted, spanMs);
const payments = ourPayments('http://127.0.0.1:9', store);

const customers = ['Noura Al-Qahtani', 'نورة القحطاني', 'Fahad Al-Otaibi', 'فهد العتيبي'];
const office = backOffice(payments, {
  actor: () => 'Salem',
  describeOrder: (orderId) => ({
    title: `${1 + (Number(orderId) % 3)} × Yirgacheffe 250 g`,
    customer: customers[Number(orderId) % customers.length],
  }),
});
const app = express();
app.use('/admin/payments', office);
// The floor: one order, looked up and answered as it is.
app.get('/floor/:orderId', (request, response, next) => {
  payments.retrieve(request.params.orderId).then((payment) => response.json(payment), next);
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.((server.address() as AddressInfo).port);
});
answerParent(() => cpuMicroseconds());
