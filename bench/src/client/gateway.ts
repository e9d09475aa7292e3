/**
 * A process of its own that answers as the gateway does and does nothing else, so that its work is
 * in no contender's figures. Sends its port to the process that started it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { paidRow } from '../paid-row.ts';

const sessionId = '5e551040-7d3c-4b52-9a7e-0c2f6f1d8a01';

const link = JSON.stringify({
  id: sessionId,
  redirectUrl: `https://checkout.staging.gateway.example/pay?sessionId=${sessionId}`,
});

/** A row as an approved payment leaves it: the stated fields, and those that usually come along. */
const status = JSON.stringify({
  code: 200,
  message: 'Transaction status retrieved successfully',
  errorCode: null,
  data: {
    content: [
      {
        ...paidRow('f2d5b7c0-5a1e-4c0e-8f57-2b7a90c4d311', '115.00'),
        orderId: '1001~1',
        merchantOrderId: '1001~1',
        currencyCode: '682',
        rrn: '432112345678',
        createdAt: '2026-11-21T09:15:04.118Z',
        finishedAt: '2026-11-21T09:15:41.902Z',
        declineReason: null,
      },
    ],
    totalElements: 1,
  },
});

const server = createServer((request, response) => {
  const isPost = request.method === 'POST';
  const body = isPost ? link : status;
  request.resume().on('end', () => {
    response.writeHead(isPost ? 201 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'x-request-id': '0b9c4a52-6a57-4d62-8d7e-5a4c1f0e9b33',
    });
    response.end(body);
  });
});
server.keepAliveTimeout = 0; // A round of another contender must not cost this one its connections.
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
