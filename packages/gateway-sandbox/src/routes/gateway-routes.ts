import { basePaths } from '../sandbox-parts.ts';
import type { SandboxParts } from '../sandbox-parts.ts';
import { readingOf } from '../readings/profile.ts';
import { createPaymentLink } from './checkout.ts';
import {
  captureOperation,
  recurringOperation,
  recurringPaths,
  refundOperation,
  refundPaths,
  voidOperation,
} from './embedded/moves.ts';
import { saleOperation } from './embedded/sale.ts';
import type { Operation } from './operation.ts';
import { addPortalOperations } from './portal/portal.ts';
import { RouteTable } from './route-table.ts';
import { serveOperation } from './serve-operation.ts';
import { pollStatus, retrieveStatus } from './status.ts';

/** The gateway's operations of both environments. */
export function gatewayRoutes(parts: SandboxParts): RouteTable {
  const table = new RouteTable();
  const add = <Input>(operation: Operation<Input>): void => {
    const reading = readingOf(parts.profile, operation.name);
    const method = reading.method ?? operation.method;
    const path = reading.path?.replace('{id}', ':id') ?? operation.path;
    for (const environment of ['staging', 'production'] as const) {
      const serve = serveOperation(parts, environment, { ...operation, method });
      table.add(method, basePaths[environment] + path, serve);
    }
  };
  add(createPaymentLink(parts));
  add(retrieveStatus(parts));
  const poll = readingOf(parts.profile, 'pollStatus');
  if (poll.path !== undefined || poll.method !== undefined) add(pollStatus(parts));
  for (const path of refundPaths) add(refundOperation(parts, path));
  for (const path of recurringPaths) add(recurringOperation(parts, path));
  add(saleOperation(parts));
  add(captureOperation(parts));
  add(voidOperation(parts));
  addPortalOperations(parts, add);
  return table;
}
