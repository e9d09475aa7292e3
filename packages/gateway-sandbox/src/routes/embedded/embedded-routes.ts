import express from 'express';
import type { Router } from 'express';
import type { Environment } from '../../domain/session.ts';
import type { SandboxParts } from '../../sandbox-parts.ts';
import { serveOperation } from '../serve-operation.ts';
import { captureOperation, voidOperation } from './hold-moves.ts';
import { recurringOperation, recurringPaths } from './recurring.ts';
import { refundOperation, refundPaths } from './refund.ts';
import { saleOperation } from './sale.ts';

/** The operations on cards and money of one environment (§4.3 to §4.7). */
export function embeddedRoutes(parts: SandboxParts, environment: Environment): Router {
  const router = express.Router({ caseSensitive: true, strict: true });
  for (const path of refundPaths) {
    router.post(path, serveOperation(parts, environment, refundOperation(parts, path)));
  }
  for (const path of recurringPaths) {
    router.post(path, serveOperation(parts, environment, recurringOperation(parts, path)));
  }
  const sale = saleOperation(parts);
  router.post(sale.path, serveOperation(parts, environment, sale));
  const capture = captureOperation(parts);
  router.post(capture.path, serveOperation(parts, environment, capture));
  const voidHold = voidOperation(parts);
  router.post(voidHold.path, serveOperation(parts, environment, voidHold));
  return router;
}
